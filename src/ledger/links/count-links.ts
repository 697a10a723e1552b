import { sql } from 'kysely';
import type { IssueCode } from '../../domain/record/issue.ts';
import { type LinkState, shownState } from '../../domain/record/link-state.ts';
import type { OfTenants } from '../core/by-tenant.ts';
import { byTenant } from '../core/by-tenant.ts';
import type { Statement, Store } from '../core/store.ts';
import type { IssueCount, LinkLedger } from './link-ledger.ts';

export const countByIssue: Statement<LinkLedger, 'countByIssue'> = async (store, tenant) => {
  return (await countByIssueOf(store, [tenant])).get(tenant) ?? [];
};

/**
 * Counts links by the codes of their issues (reasons why a record waits). The statement has a sub-query for each tenant, so that PostgreSQL
 * uses the index `links_with_issues` for any number of tenants.
 */
export async function countByIssueOf(
  { db }: Store,
  tenants: readonly string[],
): Promise<OfTenants<readonly IssueCount[]>> {
  const { rows } = await sql<{ tenant: string; code: IssueCode; records: string }>`
    select t.tenant, c.code, c.records from unnest(${[...tenants]}::text[]) as t (tenant)
    cross join lateral (
      select code, count(*) as records from links, unnest(issue_codes) as code
      where links.tenant = t.tenant and state <> 'superseded' and issue_codes <> '{}'
      group by code) as c
    order by c.records desc, c.code`.execute(db);
  return byTenant(rows, ({ code, records }) => ({ code, records: Number(records) }));
}

export const countByState: Statement<LinkLedger, 'countByState'> = async (store, tenant) => {
  return (await countByStateOf(store, [tenant])).get(tenant) ?? {};
};

type StateRow = {
  readonly tenant: string;
  readonly state: LinkState;
  readonly is_due: boolean;
  readonly records: string;
};

/**
 * Counts all links by the state that users see. Reads only the index `links_by_state` and, for the few due links, the index `links_due`.
 */
export async function countByStateOf(
  { db }: Store,
  tenants: readonly string[],
): Promise<OfTenants<Readonly<Record<string, number>>>> {
  const { rows } = await sql<StateRow>`
    select t.tenant, c.state, c.is_due, c.records from unnest(${[...tenants]}::text[]) as t (tenant)
    cross join lateral (
      select state, false as is_due, count(*) as records from links where tenant = t.tenant group by state
      union all
      select state, true, count(*) from links where tenant = t.tenant and due_since is not null group by state) as c`.execute(
    db,
  );
  return new Map([...Map.groupBy(rows, ({ tenant }) => tenant)].map(([tenant, own]) => [tenant, shown(own)]));
}

/** Counts links by the state that users see: a link that is in sync but due (has a change to sync) counts as `pending`. */
function shown(rows: readonly StateRow[]): Readonly<Record<string, number>> {
  const counts = new Map<LinkState, number>();
  const add = (state: LinkState, records: number): void => void counts.set(state, (counts.get(state) ?? 0) + records);
  for (const { state, is_due, records } of rows) {
    add(shownState(state, is_due), Number(records));
    if (is_due) add(state, -Number(records));
  }
  return Object.fromEntries([...counts].filter(([, records]) => records > 0));
}
