import { html } from 'hono/html';
import { counted } from '../../domain/values/counted.ts';
import type { TenantStatus } from '../../operator/status/status.ts';
import type { Roster } from '../../platform/tenant-roster.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { Snapshot } from '../live/snapshot.ts';
import type { Page } from './layout.ts';
import { age, badge, duration, type Html, number, type Piece, stateBadge, table, tenantPath } from './parts.ts';

const ON_A_PAGE = 100;

/**
 * One row in the list of tenants. `waiting`: the number of records that wait for a person. `status`: null for a tenant that this process
 * does not serve.
 */
export type TenantRow = {
  readonly tenant: string;
  readonly state: 'active' | 'paused' | 'unavailable';
  readonly waiting: number;
  readonly status: TenantStatus | null;
};

/** The rows of the tenants that a person may see: tenants that need a person first, then by name. Pure. */
export function tenantRows(
  { tenants, unavailable }: Snapshot,
  roster: Roster,
  { identity }: Session,
): readonly TenantRow[] {
  const names = new Set([...tenants.keys(), ...unavailable.map(({ tenant }) => tenant), ...roster.unavailable.keys()]);
  const bad = new Set([...unavailable.map(({ tenant }) => tenant), ...roster.unavailable.keys()]);
  const rows = [...names].filter((tenant) => allows(identity.grants, { role: 'viewer', tenant }));
  return rows
    .map((tenant) => {
      const status = tenants.get(tenant) ?? null;
      const isPaused = (status?.paused.length ?? 0) > 0;
      const state = bad.has(tenant) ? 'unavailable' : isPaused ? 'paused' : 'active';
      return { tenant, state, waiting: status === null ? 0 : waitingOf(status), status } as const;
    })
    .toSorted(byNeed);
}

function byNeed(one: TenantRow, other: TenantRow): number {
  const rank = ({ state, waiting }: TenantRow) => (state === 'active' ? (waiting > 0 ? 1 : 2) : 0);
  return rank(one) - rank(other) || (one.tenant < other.tenant ? -1 : 1);
}

/** The number of a tenant's records that wait for a person. */
export function waitingOf({ records }: TenantStatus): number {
  return ['parked', 'conflict', 'closed-at-vendor', 'vendor-missing'].reduce(
    (sum, state) => sum + (records[state] ?? 0),
    0,
  );
}

type Asked = { readonly query: string; readonly page: number };

export function tenantsPage(snapshot: Snapshot, roster: Roster, session: Session, { query, page }: Asked): Page {
  const all = tenantRows(snapshot, roster, session);
  const found = query === '' ? all : all.filter(({ tenant }) => tenant.toLowerCase().includes(query.toLowerCase()));
  const shown = found.slice((page - 1) * ON_A_PAGE, page * ON_A_PAGE);
  const need = all.filter(({ state, waiting }) => state !== 'active' || waiting > 0).length;
  const lead =
    all.length === 0
      ? 'You may see no tenant, or none is declared.'
      : `${counted(all.length, 'tenant')}, ${counted(need, 'needs', 'need')} a person.`;
  const heads = [
    'Tenant',
    'State',
    'Waiting',
    'In sync',
    'On the way',
    'Drift',
    'Salesforce calls',
    'Vendor quota',
    'Read last',
  ];
  const body = html`<p class="lead">${lead}</p>
<section>${all.length > ON_A_PAGE ? search(query) : ''}${table(
    { caption: 'Tenants', none: 'No tenant of that name.' },
    heads,
    shown.map((row) => cellsOf(row, snapshot.at)),
  )}${pager(query, page, Math.ceil(found.length / ON_A_PAGE))}</section>
${allows(session.identity.grants, { role: 'administrator', tenant: null }) ? html`<p><a href="/connect">Connect a tenant</a></p>` : ''}`;
  return { title: 'Tenants', session, body, follows: '*' };
}

function search(query: string): Html {
  return html`<form method="get" action="/" class="action" role="search"><label for="query">Name</label><input id="query" name="query" value="${query}" autocomplete="off"><button class="plain">Search</button></form>`;
}

function pager(query: string, page: number, pages: number): Piece {
  if (pages < 2) return '';
  const link = (to: number, text: string) =>
    html`<a href="/?query=${encodeURIComponent(query)}&page=${to}">${text}</a> `;
  return html`<nav aria-label="Pages" class="pages">${page > 1 ? link(page - 1, 'Before') : ''}<span>Page ${page} of ${pages}</span>${
    page < pages ? link(page + 1, 'Next') : ''
  }</nav>`;
}

function cellsOf({ tenant, state, waiting, status }: TenantRow, now: string): readonly Piece[] {
  const name = html`<a href="${tenantPath(tenant)}">${tenant}</a>`;
  if (status === null) return [name, stateBadge(state), ...Array.from({ length: 7 }, () => '–')];
  return [
    name,
    stateBadge(state),
    waiting === 0 ? '0' : html`<a href="${tenantPath(tenant)}/inbox">${badge(number(waiting), 'bad')}</a>`,
    number(status.records['in-sync'] ?? 0),
    backlogOf(status, now),
    status.drift === null ? '–' : number(status.drift.records - status.drift.repaired),
    callsOf(status),
    quotaOf(status),
    readOf(status),
  ];
}

export function backlogOf({ flow: { backlog } }: TenantStatus, now: string): Piece {
  if (backlog === null) return '0';
  return `${number(backlog.records)}, oldest ${age(backlog.since, now)}`;
}

export function callsOf({ crmCalls }: TenantStatus): Piece {
  return crmCalls === null ? '–' : `${number(crmCalls.own)} of ${number(crmCalls.allowed)}`;
}

export function quotaOf({ flow: { quotas } }: TenantStatus): Piece {
  const sales = quotas.find(({ quota }) => quota === 'vendor-sales');
  return sales?.remaining == null
    ? '–'
    : `${number(sales.remaining)} of ${sales.limit === null ? '?' : number(sales.limit)} left`;
}

/**
 * How long ago Lockstep last read the tenant's deals. Of the two sides (`pollVendor` and `sweepSalesforce`), the one read longer ago
 * counts.
 */
function readOf({ flow: { lag } }: TenantStatus): Piece {
  const often = lag.filter(({ stream }) => stream === 'pollVendor' || stream === 'sweepSalesforce');
  const longest = often.toSorted((one, other) => other.seconds - one.seconds)[0];
  return longest === undefined ? '–' : `${duration(longest.seconds)} ago`;
}
