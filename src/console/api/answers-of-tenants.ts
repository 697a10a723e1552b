import { z } from 'zod';
import { instant, shape } from './answers.ts';

/** This file has the schemas of the console API's answers about the registry of tenants, and about the checks of a tenant. */

const list = <T extends z.ZodType>(of: T) => z.array(of).readonly();

export const TENANT_SHOWN = z.object({
  shape: shape('tenant/1'),
  tenant: z.string(),
  state: z.enum(['active', 'paused', 'unavailable', 'removed']),
  declaredBy: z.enum(['registry', 'file']),
  version: z.number().nullable(),
  changedAt: instant.nullable(),
  pausedSince: instant.nullable(),
  unavailable: list(z.object({ process: z.string(), reason: z.string(), at: instant })),
  declaration: z.looseObject({}).nullable(),
});

export const TENANTS_APPLIED = z.object({
  shape: shape('tenants-apply/1'),
  applied: z.boolean(),
  changes: list(
    z.object({
      tenant: z.string(),
      action: z.enum(['add', 'change', 'remove', 'keep']),
      fields: list(z.object({ at: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
    }),
  ),
  unnamed: list(z.string()),
  alsoByFile: list(z.string()),
  hiddenMappings: list(z.object({ tenant: z.string(), version: z.number() })),
});

export const TENANT_REMOVED = z.object({
  shape: shape('tenant-removed/1'),
  tenant: z.string(),
  changed: z.boolean(),
  records: z.number(),
  byFile: z.boolean(),
});

export const DIAGNOSIS = z.object({
  shape: shape('doctor/1'),
  findings: list(
    z.object({
      check: z.string(),
      tenant: z.string().nullable(),
      verdict: z.enum(['ok', 'warns', 'fails', 'skipped']),
      what: z.string(),
      repair: z.string().nullable(),
    }),
  ),
});
