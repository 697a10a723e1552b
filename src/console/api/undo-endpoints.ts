import { z } from 'zod';
import type { LeftBecause } from '../../domain/decide/undo.ts';
import type { FieldName } from '../../domain/record/canonical.ts';
import { planUndo, type UndoWish } from '../../operator/runs/plan-undo.ts';
import { CannotUndo, cancelUndo, startUndo, undoStatus } from '../../operator/runs/undo.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { chosenField } from './chosen-field.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { FIELD, INSTANT, limit, REASON, RECORD_ID, TENANT } from './input.ts';

const WISH = {
  tenant: TENANT,
  id: RECORD_ID.optional().describe('only this record; without since, its last change'),
  since: INSTANT.optional().describe('all writes since this instant'),
  backfill: z.coerce.number().int().min(1).optional().describe('all writes of the backfill with this number'),
  field: FIELD.optional().describe('only this field'),
};

type Given = {
  readonly id?: string | undefined;
  readonly since?: string | undefined;
  readonly backfill?: number | undefined;
  readonly field?: string | undefined;
};

/**
 * Converts the input of a request to the choice of past writes to undo. Throws CannotUndo if the input chooses none, or both `since` and
 * `backfill`.
 */
function wishOf({ id, since, backfill, field }: Given, { mapping }: Tenant): UndoWish {
  if (since !== undefined && backfill !== undefined) throw new CannotUndo('since and backfill do not go together.');
  const fields = field === undefined ? {} : { fields: [chosenField(field, mapping)] };
  if (backfill !== undefined) return { id: id ?? null, scope: { of: 'backfill', backfill }, ...fields };
  if (since !== undefined) return { id: id ?? null, scope: { of: 'since', since }, ...fields };
  if (id === undefined) throw new CannotUndo('Say what to take back: id, since or backfill.');
  return { id, scope: { of: 'last' }, ...fields };
}

const list = <T extends z.ZodType>(of: T) => z.array(of).readonly();
const name = <T extends string>() => z.string() as unknown as z.ZodType<T>;
const side = z.enum(['crm', 'vendor']);
const values = z.object({ back: z.number(), left: z.number(), waits: z.number() });
const scope = z.union([
  z.object({ of: z.literal('last') }),
  z.object({ of: z.literal('since'), since: z.string() }),
  z.object({ of: z.literal('backfill'), backfill: z.number() }),
]);

const UNDO_PLAN = z.object({
  shape: z.literal('undo-plan/1'),
  tenant: z.string(),
  scope,
  records: z.number(),
  values,
  differing: z.number(),
  created: z.object({ crm: z.number(), vendor: z.number() }),
  left: list(z.object({ why: name<LeftBecause>(), meaning: z.string(), values: z.number() })),
  cost: z.object({
    vendorCalls: z.number(),
    crmCalls: z.number(),
    seconds: z.number(),
    boundBy: z.enum(['rate', 'quota']),
  }),
  listed: list(
    z.object({
      key: z.string(),
      crmId: z.string().nullable(),
      vendorId: z.string().nullable(),
      fields: list(z.object({ field: name<FieldName>(), sides: list(side), differs: z.boolean() })),
      left: list(z.object({ field: name<FieldName>(), why: name<LeftBecause>() })),
      created: list(side),
    }),
  ),
  isCut: z.boolean(),
});

const UNDO = z.object({
  shape: z.literal('undo/1'),
  tenant: z.string(),
  state: z.enum(['running', 'waiting', 'done', 'cancelled']),
  isRunning: z.boolean(),
  order: z.object({
    scope,
    key: z.string().nullable(),
    fields: list(name<FieldName>()).optional(),
    until: z.string().optional(),
    share: z.number(),
  }) as unknown as z.ZodType<import('../../domain/backfill/undo-run.ts').UndoRunOrder>,
  found: z.number(),
  done: z.number(),
  inFlight: z.number(),
  outcomes: z.record(z.string(), z.number()),
  values,
});

/** The largest share of the vendor's quota that an undo from the console may use. */
const SHARE = 0.5;

/** The endpoints of `lockstep undo`, which restores the values that past writes replaced. */
export const UNDO_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    ...{ method: 'GET', effect: 'reads', role: 'viewer' },
    verb: 'undo plan',
    summary: 'Says which values an undo would give back, which stay and why, and its cost. Reads neither side.',
    path: '/tenants/{tenant}/undo/plan',
    costly: true,
    input: z.object({ ...WISH, limit: limit(20) }),
    answer: UNDO_PLAN,
    run: async ({ ledger, tenant: named, now }, { tenant: of, limit: most, ...given }) => {
      const tenant = named(of);
      return planUndo(ledger, tenant, wishOf(given, tenant), { limit: most, now: now() });
    },
  }),
  endpoint({
    ...{ method: 'GET', effect: 'reads', role: 'viewer' },
    verb: 'undo status',
    summary: 'Says how far the last undo of a tenant is.',
    path: '/tenants/{tenant}/undo',
    input: z.object({ tenant: TENANT }),
    answer: UNDO,
    run: async ({ undos, tenant: named }, { tenant }) => undoStatus({ undos: await undos() }, named(tenant).tenant),
  }),
  endpoint({
    ...{ method: 'POST', effect: 'writes', role: 'operator' },
    verb: 'undo',
    summary: 'Gives back the values that past writes replaced, where both sides still show what was written.',
    path: '/tenants/{tenant}/undo',
    input: z.object({ ...WISH, reason: REASON }),
    answer: UNDO,
    details: ({ id, since, backfill, field }) => ({
      ...(id === undefined ? {} : { id }),
      ...(since === undefined ? {} : { since }),
      ...(backfill === undefined ? {} : { backfill }),
      fields: field ?? 'all',
    }),
    run: async (ports, { tenant: of, ...given }) => {
      const tenant = ports.tenant(of);
      const wish = wishOf(given, tenant);
      const { ledger, pause } = ports;
      const own = { undos: await ports.undos(), backfills: await ports.backfills(), ledger, pause };
      return startUndo(own, tenant.tenant, wish, SHARE);
    },
  }),
  endpoint({
    ...{ method: 'POST', effect: 'writes', role: 'operator' },
    verb: 'undo cancel',
    summary: 'Ends an undo. Values that are on their way still go back.',
    path: '/tenants/{tenant}/undo/cancel',
    input: z.object({ tenant: TENANT, reason: REASON }),
    answer: UNDO,
    run: async ({ undos, pause, tenant: named }, { tenant }) =>
      cancelUndo({ undos: await undos(), pause }, named(tenant).tenant),
  }),
];
