import { z } from 'zod';
import type { PlanRun } from '../../operator/plan/plan-runs.ts';
import type { AuditState } from '../../operator/runs/audit.ts';
import type { BackfillAnswer } from '../../operator/runs/backfill.ts';
import type { CatalogAsked, CatalogStatus } from '../../operator/runs/catalog.ts';
import type { LoadReport } from '../../operator/runs/orders-load.ts';
import { instant, shape } from './answers.ts';

/**
 * This file has the schemas of the console API's answers about work that runs for minutes or hours: plans, backfills, audits, orders, the
 * catalog.
 */

/**
 * Casts a schema to `T`, the type of the answer that the command's function returns. Pages can then use a parsed answer as a `T`.
 * TypeScript cannot check the cast, because the schema is looser than `T`. The cast is acceptable, because the parsed answer comes from
 * that function.
 */
const typed = <T extends { readonly shape: string }>(schema: z.ZodType): z.ZodType<T, T> => schema as z.ZodType<T, T>;
const counts = z.record(z.string(), z.number());

export const PLAN_RUN = typed<PlanRun>(
  z.object({
    shape: shape('plan-run/1'),
    tenant: z.string(),
    state: z.enum(['none', 'running', 'done', 'cancelled', 'failed']),
    order: z.object({ since: instant, fields: z.array(z.string()).readonly().optional() }).nullable(),
    startedAt: instant.nullable(),
    totals: z.looseObject({ records: z.number(), actions: counts, issues: counts }),
    waitsUntil: instant.nullable(),
    records: z.array(z.looseObject({ action: z.string(), reason: z.string() })).readonly(),
    summary: z.looseObject({ until: instant }).nullable(),
    failure: z.string().nullable(),
  }),
);

export const BACKFILL = typed<BackfillAnswer>(
  z.looseObject({
    shape: shape('backfill/1'),
    tenant: z.string(),
    state: z.enum(['running', 'paused', 'waiting', 'done', 'cancelled']),
    isRunning: z.boolean(),
    phase: z.string(),
    found: z.number(),
    done: z.number(),
    inFlight: z.number(),
    fraction: z.number(),
    perSecond: z.number().nullable(),
    remainingSeconds: z.number().nullable(),
    outcomes: counts,
    order: z.looseObject({ since: instant, from: z.enum(['crm', 'vendor', 'both']), share: z.number() }),
  }),
);

const auditResult = z.looseObject({
  shape: shape('audit/1'),
  startedAt: instant,
  endedAt: instant,
  repairs: z.boolean(),
  pairs: z.number(),
  differing: z.number(),
  causes: counts,
  fields: counts,
});

export const AUDIT_STATE = typed<AuditState>(
  z.object({
    shape: shape('audit-run/1'),
    tenant: z.string(),
    isRunning: z.boolean(),
    progress: z
      .object({ phase: z.string(), startedAt: instant, pairs: z.number(), seen: z.number(), differing: z.number() })
      .nullable(),
    last: auditResult.nullable(),
  }),
);

export const LOAD = typed<LoadReport>(
  z.object({
    shape: shape('load-orders/1'),
    tenant: z.string(),
    asked: z.enum(['pause', 'resume']).nullable(),
    changed: z.boolean(),
    state: z.enum(['none', 'running', 'paused', 'done']),
    since: z.string().nullable(),
    searchedUntil: instant.nullable(),
    percent: z.number().nullable(),
    toRead: z.number(),
    pausedSince: instant.nullable(),
  }),
);

export type CatalogAnswer = {
  readonly shape: 'catalog/1';
  readonly asked: CatalogAsked | null;
  readonly status: CatalogStatus;
};

export const CATALOG = typed<CatalogAnswer>(
  z.object({
    shape: shape('catalog/1'),
    asked: z.object({ tenant: z.string(), begun: z.array(z.string()).readonly() }).nullable(),
    status: z.looseObject({ tenant: z.string(), parts: z.array(z.looseObject({ stream: z.string() })).readonly() }),
  }),
);
