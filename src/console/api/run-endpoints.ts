import { z } from 'zod';
import { REPAIR_CAP } from '../../domain/audit/audit-run.ts';
import { auditState, runAudit, stopAudit } from '../../operator/runs/audit.ts';
import { backfillStatus, controlBackfill, startBackfill } from '../../operator/runs/backfill.ts';
import { catalogStatus, refreshCatalog } from '../../operator/runs/catalog.ts';
import { controlOrdersLoad, ordersLoad } from '../../operator/runs/orders-load.ts';
import type { ConsolePorts } from '../ports.ts';
import { AUDIT_STATE, BACKFILL, CATALOG, LOAD, PLAN_RUN } from './answers-of-runs.ts';
import { chosenFields } from './chosen-field.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { FIELD, FLAG, INSTANT, REASON, TENANT } from './input.ts';

const GET = { method: 'GET', effect: 'reads', role: 'viewer' } as const;
const POST = { method: 'POST', effect: 'writes', role: 'operator' } as const;

const OF_TENANT = z.object({ tenant: TENANT });
const CHANGE = z.object({ tenant: TENANT, reason: REASON });
const FIELDS = z
  .union([z.array(FIELD).max(50), FIELD.transform((one) => [one])])
  .optional()
  .describe('only these fields, of linked deals');

const backfillPorts = async ({ backfills, pause }: ConsolePorts) => ({ backfills: await backfills(), pause });
const auditPorts = async ({ audits, ledger }: ConsolePorts) => ({ audits: await audits(), ledger });

/** The endpoints about plans (dry runs). A plan is made in the console's process and changes nothing. */
const PLANS: readonly Endpoint[] = [
  endpoint({
    ...GET,
    verb: 'plan status',
    summary: 'Shows how far the tenant’s last plan is, and what it came to.',
    path: '/tenants/{tenant}/plan',
    input: OF_TENANT,
    answer: PLAN_RUN,
    run: async ({ plans, tenant: named }, { tenant }) => plans.status(named(tenant).tenant),
  }),
  endpoint({
    ...{ ...GET, method: 'POST', role: 'operator' },
    verb: 'plan start',
    summary: 'Plans what a backfill would do with the records changed since an instant, and its cost. Writes nothing.',
    path: '/tenants/{tenant}/plan',
    costly: true,
    input: z.object({ tenant: TENANT, since: INSTANT, fields: FIELDS }),
    answer: PLAN_RUN,
    run: async ({ plans, tenant: named }, { tenant: name, since, fields }) => {
      const tenant = named(name);
      const chosen = chosenFields(fields, tenant.mapping);
      return plans.start(tenant, { since, mapping: null, ...(chosen === undefined ? {} : { fields: chosen }) });
    },
  }),
  endpoint({
    ...{ ...GET, method: 'POST', role: 'operator' },
    verb: 'plan cancel',
    summary: 'Ends the running plan.',
    path: '/tenants/{tenant}/plan/cancel',
    input: OF_TENANT,
    answer: PLAN_RUN,
    run: async ({ plans, tenant: named }, { tenant }) => plans.cancel(named(tenant).tenant),
  }),
];

function backfillWord(word: 'pause' | 'resume' | 'cancel', summary: string): Endpoint {
  return endpoint({
    ...POST,
    verb: `backfill ${word}`,
    summary,
    path: `/tenants/{tenant}/backfill/${word}`,
    input: CHANGE,
    answer: BACKFILL,
    run: async (ports, { tenant }) => controlBackfill(await backfillPorts(ports), ports.tenant(tenant).tenant, word),
  });
}

const BACKFILLS: readonly Endpoint[] = [
  endpoint({
    ...GET,
    verb: 'backfill status',
    summary: 'Shows how far the tenant’s last backfill is.',
    path: '/tenants/{tenant}/backfill',
    input: OF_TENANT,
    answer: BACKFILL,
    run: async (ports, { tenant }) => backfillStatus(await backfillPorts(ports), ports.tenant(tenant).tenant),
  }),
  endpoint({
    ...POST,
    verb: 'backfill',
    summary: 'Syncs the records that changed on either side since an instant. It runs in the worker.',
    path: '/tenants/{tenant}/backfill',
    input: z.object({
      tenant: TENANT,
      since: INSTANT,
      from: z.enum(['crm', 'vendor', 'both']).default('both').describe('whose records'),
      share: z.coerce.number().gt(0).max(1).default(0.5).describe('the most of the vendor’s quota, as a part of 1'),
      fields: FIELDS,
      reason: REASON,
    }),
    answer: BACKFILL,
    details: ({ since, from, share, fields = [] }) => ({ since, from, share, fields }),
    run: async (ports, { tenant: name, since, from, share, fields }) => {
      const { tenant, mapping } = ports.tenant(name);
      const chosen = chosenFields(fields, mapping);
      const order = { since, from, share, ...(chosen === undefined ? {} : { fields: chosen }) };
      return startBackfill(await backfillPorts(ports), tenant, order);
    },
  }),
  backfillWord('pause', 'Pauses the backfill; records under way finish.'),
  backfillWord('resume', 'Lets the paused backfill go on.'),
  backfillWord('cancel', 'Ends the backfill; records that it synced stay.'),
];

const AUDITS: readonly Endpoint[] = [
  endpoint({
    ...GET,
    verb: 'audit status',
    summary: 'Shows what the last audit found, and how far a running one is.',
    path: '/tenants/{tenant}/audit',
    input: OF_TENANT,
    answer: AUDIT_STATE,
    run: async (ports, { tenant }) => auditState(await auditPorts(ports), ports.tenant(tenant).tenant),
  }),
  endpoint({
    ...POST,
    verb: 'audit',
    summary: 'Compares both sides of all linked deals; with repair, marks those that differ for a sync.',
    path: '/tenants/{tenant}/audit',
    input: z.object({
      tenant: TENANT,
      repair: FLAG,
      cap: z.coerce.number().int().min(1).max(999_999).default(REPAIR_CAP).describe('the most records to repair'),
      reason: REASON,
    }),
    answer: AUDIT_STATE,
    details: ({ repair, cap }) => ({ repair, cap }),
    run: async (ports, { tenant: name, repair, cap }) => {
      const { tenant } = ports.tenant(name);
      const own = await auditPorts(ports);
      // Does not wait until the audit ends: a `pause` that answers false ends the wait at once.
      await runAudit({ ...own, pause: async () => false, progress: () => {} }, tenant, { repairs: repair, cap });
      return auditState(own, tenant);
    },
  }),
  endpoint({
    ...POST,
    verb: 'audit stop',
    summary: 'Ends the running audit; records that it marked for a sync are synced.',
    path: '/tenants/{tenant}/audit/stop',
    input: CHANGE,
    answer: AUDIT_STATE,
    run: async (ports, { tenant: name }) => {
      const { tenant } = ports.tenant(name);
      const own = await auditPorts(ports);
      await stopAudit(own.audits, tenant);
      return auditState(own, tenant);
    },
  }),
];

function loadWord(word: 'pause' | 'resume', summary: string): Endpoint {
  return endpoint({
    ...POST,
    verb: `load-orders ${word}`,
    summary,
    path: `/tenants/{tenant}/orders/load/${word}`,
    input: CHANGE,
    answer: LOAD,
    run: async ({ ledger, streamStarts, tenant: named, now }, { tenant }) =>
      controlOrdersLoad({ ledger, starts: await streamStarts() }, named(tenant), word, now()),
  });
}

const STREAMS: readonly Endpoint[] = [
  endpoint({
    ...GET,
    verb: 'load-orders',
    summary: 'Shows how far the first load of the vendor’s orders is.',
    path: '/tenants/{tenant}/orders/load',
    input: OF_TENANT,
    answer: LOAD,
    run: ({ ledger, tenant: named, now }, { tenant }) => ordersLoad(ledger, named(tenant), now()),
  }),
  loadWord('pause', 'Pauses the first load of orders; orders that change meanwhile are synced.'),
  loadWord('resume', 'Lets the first load of orders go on.'),
  endpoint({
    ...GET,
    verb: 'catalog',
    summary: 'Shows when the vendor’s catalog was read, and which rows wait and why.',
    path: '/tenants/{tenant}/catalog',
    input: OF_TENANT,
    answer: CATALOG,
    run: async ({ ledger, tenant: named }, { tenant }) => ({
      ...{ shape: 'catalog/1' as const, asked: null },
      status: await catalogStatus(ledger, named(tenant).tenant),
    }),
  }),
  endpoint({
    ...POST,
    verb: 'catalog refresh',
    summary: 'Reads the vendor’s catalog now, and writes the rows that differ.',
    path: '/tenants/{tenant}/catalog/refresh',
    input: CHANGE,
    answer: CATALOG,
    run: async ({ ledger, streamStarts, tenant: named, now }, { tenant: name }) => {
      const { tenant } = named(name);
      const asked = await refreshCatalog({ ledger, starts: await streamStarts() }, tenant, now());
      return { shape: 'catalog/1' as const, asked, status: await catalogStatus(ledger, tenant) };
    },
  }),
];

/** Endpoints about work that runs for minutes or hours. */
export const RUN_ENDPOINTS: readonly Endpoint[] = [...PLANS, ...BACKFILLS, ...AUDITS, ...STREAMS];
