import { z } from 'zod';
import { isConflict } from '../../domain/record/issue.ts';
import { readAuditLog } from '../../operator/actions/audit-log.ts';
import { explainRecord } from '../../operator/explain/explain-record.ts';
import { planRecord } from '../../operator/plan/plan-record.ts';
import { createObserver } from '../../operator/records/observer.ts';
import { readHistory } from '../../operator/records/read-history.ts';
import { readInbox, WAITING_CODES } from '../../operator/status/inbox.ts';
import { readStatus } from '../../operator/status/status.ts';
import { keyStatus } from '../../operator/tenants/keys.ts';
import { listTenants } from '../../operator/tenants/tenant-state.ts';
import { withRules } from '../../operator/what-if/other-mapping.ts';
import { playPast } from '../../operator/what-if/play-past.ts';
import { allows, type Grant } from '../access/roles.ts';
import type { ConsolePorts } from '../ports.ts';
import { AUDIT_LOG, EXPLANATION, HISTORY, INBOX, KEYS, PLANNED, STATUS, TENANTS, WHAT_IF } from './answers.ts';
import { chosenField } from './chosen-field.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { CODE, FIELD, FLAG, INSTANT, limit, RECORD_ID, RULES, TENANT } from './input.ts';

const CONFLICT_CODES = WAITING_CODES.filter((code) => isConflict({ code }));

/** Whether a person may see anything of a tenant. */
const mayView = (grants: readonly Grant[], tenant: string): boolean => allows(grants, { role: 'viewer', tenant });

async function auditLog(
  ports: ConsolePorts,
  given: { readonly since?: string | undefined; readonly limit: number; readonly tenant: string | null },
  grants: readonly Grant[],
) {
  const { shape, actions } = await readAuditLog(ports.ledger, { ...given, since: given.since ?? null });
  // An answer names all tenants of an action, so the person must be allowed to see each of them.
  const isOwn = (tenants: readonly string[]) => tenants.every((tenant) => mayView(grants, tenant));
  return { shape, actions: actions.filter(({ tenants }) => isOwn(tenants)) };
}

const GET = { method: 'GET', effect: 'reads', role: 'viewer' } as const;
/** The default period, in ms, whose past decisions `what-if` replays: 90 days. */
const WHAT_IF_MS = 90 * 86_400_000;
const LOG_INPUT = { since: INSTANT.optional(), limit: limit(50) };

/** The endpoints of the commands that only read. */
export const READ_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    ...GET,
    verb: 'tenants',
    summary: 'Lists the tenants that the person may see, and their states.',
    path: '/tenants',
    scope: 'any',
    input: z.object({ all: FLAG.describe('also removed tenants') }),
    answer: TENANTS,
    run: async ({ ledger, roster, now }, { all }, grants) => {
      const { shape, tenants } = await listTenants(ledger, roster(), { all, now: now() });
      return { shape, tenants: tenants.filter(({ tenant }) => mayView(grants, tenant)) };
    },
  }),
  endpoint({
    ...GET,
    verb: 'status',
    summary: 'Counts a tenant’s records by state, and lists what needs a person; streams, quotas, backlog.',
    path: '/tenants/{tenant}/status',
    input: z.object({ tenant: TENANT }),
    answer: STATUS,
    run: async ({ ledger, tenant: named, now }, { tenant }) => {
      const { unavailable, ...rest } = await readStatus(ledger, [named(tenant)], now());
      return { ...rest, unavailable: unavailable.filter((one) => one.tenant === tenant) };
    },
  }),
  endpoint({
    ...GET,
    verb: 'inbox',
    summary: 'Lists the records that need a repair, by cause.',
    path: '/tenants/{tenant}/inbox',
    input: z.object({ tenant: TENANT, code: CODE.optional(), limit: limit(10) }),
    answer: INBOX,
    run: ({ ledger, tenant: named }, { tenant, code, limit }) =>
      readInbox(ledger, named(tenant).tenant, { codes: code === undefined ? null : [code], limit }),
  }),
  endpoint({
    ...GET,
    verb: 'conflicts',
    summary: 'Lists the conflicts that wait for a person, by record and field.',
    path: '/tenants/{tenant}/conflicts',
    input: z.object({ tenant: TENANT, limit: limit(10_000) }),
    answer: INBOX,
    run: ({ ledger, tenant: named }, { tenant, limit }) =>
      readInbox(ledger, named(tenant).tenant, { codes: CONFLICT_CODES, limit }),
  }),
  endpoint({
    ...GET,
    verb: 'explain',
    summary: 'Reads both sides of a record, and says why the record has its state.',
    path: '/tenants/{tenant}/records/{id}/explanation',
    costly: true,
    input: z.object({ tenant: TENANT, id: RECORD_ID, field: FIELD.optional(), values: FLAG }),
    answer: EXPLANATION,
    showsValues: ({ values }) => values,
    details: ({ id, field }) => ({ id, fields: field ?? 'all' }),
    run: async (ports, { tenant: name, id, field, values }) => {
      const tenant = ports.tenant(name);
      const remotes = ports.readable(tenant);
      const { ledger, now } = ports;
      const observer = createObserver(remotes, ledger, now);
      const runs = (key: string, at: readonly string[]) => ports.runsOf(tenant, key, at);
      const own = { observer, crm: remotes.crm, ledger, addresses: ports.addresses(tenant), now, runs };
      const only = field === undefined ? null : chosenField(field, tenant.mapping);
      return explainRecord(own, tenant, { id, field: only, withValues: values });
    },
  }),
  endpoint({
    ...GET,
    verb: 'history',
    summary: 'Shows what happened to a record: adoptions, decisions, writes, states and looks, newest first.',
    path: '/tenants/{tenant}/records/{id}/history',
    input: z.object({ tenant: TENANT, id: RECORD_ID, since: INSTANT.optional(), limit: limit(100), values: FLAG }),
    answer: HISTORY,
    showsValues: ({ values }) => values,
    details: ({ id }) => ({ id, fields: 'all' }),
    run: ({ ledger, tenant: named, now }, { tenant, id, since, limit, values }) =>
      readHistory(ledger, named(tenant).tenant, { id, since: since ?? null, limit, withValues: values }, now()),
  }),
  endpoint({
    ...GET,
    verb: 'what-if',
    summary: 'Plays past decisions through other conflict rules, and says which would have ended otherwise.',
    path: '/tenants/{tenant}/what-if',
    costly: true,
    input: z.object({
      tenant: TENANT,
      rules: RULES.optional(),
      since: INSTANT.optional(),
      limit: limit(20),
      values: FLAG,
    }),
    answer: WHAT_IF,
    showsValues: ({ values }) => values,
    details: ({ rules = [] }) => ({ fields: rules.map(({ field }) => field) }),
    run: ({ ledger, tenant: named, now }, { tenant: name, rules = [], since, limit, values }) => {
      const tenant = named(name);
      const until = now();
      const from = since ?? new Date(Date.parse(until) - WHAT_IF_MS).toISOString();
      const order = { since: from, ...withRules(tenant.mapping, rules), limit, withValues: values };
      return playPast(ledger, tenant, order, until);
    },
  }),
  endpoint({
    ...GET,
    verb: 'plan',
    summary: 'Reads both sides of a record, and says what a sync would do with it. Writes nothing.',
    path: '/tenants/{tenant}/records/{id}/plan',
    costly: true,
    input: z.object({ tenant: TENANT, id: RECORD_ID }),
    answer: PLANNED,
    run: async (ports, { tenant: name, id }) => {
      const tenant = ports.tenant(name);
      const observer = createObserver(ports.readable(tenant), ports.ledger, ports.now);
      const planned = await planRecord({ ...ports, observer }, tenant.tenant, id);
      return { shape: 'plan-record/1', ...planned } as const;
    },
  }),
  endpoint({
    ...GET,
    verb: 'keys',
    summary: 'Says which vendor API key is in use, and how far a rotation is. Shows no key.',
    path: '/tenants/{tenant}/keys',
    input: z.object({ tenant: TENANT }),
    answer: KEYS,
    run: async ({ ledger, rotation, pause, tenant: named }, { tenant }) => {
      const ports = { ledger, rotation: await rotation(), pause };
      return { shape: 'keys/1', ...(await keyStatus(ports, named(tenant).tenant)) } as const;
    },
  }),
  endpoint({
    ...GET,
    verb: 'audit-log',
    summary: 'Shows which operator did what with a tenant, when, from where and why.',
    path: '/tenants/{tenant}/audit-log',
    role: 'operator',
    input: z.object({ tenant: TENANT, ...LOG_INPUT }),
    answer: AUDIT_LOG,
    run: auditLog,
  }),
  endpoint({
    ...GET,
    verb: 'audit-log',
    summary: 'Shows which operator did what in the whole installation, when, from where and why.',
    path: '/audit-log',
    role: 'administrator',
    input: z.object(LOG_INPUT),
    answer: AUDIT_LOG,
    run: (ports, given, grants) => auditLog(ports, { ...given, tenant: null }, grants),
  }),
];
