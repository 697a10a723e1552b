import { sql } from 'kysely';
import type { IssueCode } from '../../domain/record/issue.ts';
import { SealingError } from '../../platform/sealing.ts';
import type { OfTenants } from '../core/by-tenant.ts';
import { byTenant } from '../core/by-tenant.ts';
import { DataKeyNeeded } from '../core/data-keys.ts';
import type { Sealer } from '../core/sealer.ts';
import { plainly, type Store } from '../core/store.ts';
import { countByIssueOf, countByStateOf } from '../links/count-links.ts';
import type { LinkRow } from '../links/link-ledger.ts';
import { type ListedLink, toListRow } from '../links/link-row.ts';
import { countMirroredOf } from '../mirror/count-mirrored.ts';
import { refusedNoticesOf } from '../mirror/row-news.ts';
import { countWaitingOf } from '../queue/waiting.ts';
import { pausesOf } from '../quota/pauses.ts';
import { quotasOf } from '../quota/quota.ts';
import { streamReadsOf } from '../streams/parked-rows.ts';
import type { StatusLedger } from './stats-ledger.ts';

export function statusCalls(store: Store): StatusLedger {
  const ofAll =
    <T>(ask: (store: Store, tenants: readonly string[]) => Promise<OfTenants<T>>) =>
    async (tenants: readonly string[]): Promise<OfTenants<T>> =>
      tenants.length === 0 ? new Map() : plainly(() => ask(store, tenants));
  return {
    streamReadsOf: ofAll(streamReadsOf),
    countByStateOf: ofAll(countByStateOf),
    countByIssueOf: ofAll(countByIssueOf),
    countWaitingOf: (tenants, before) => ofAll((on, named) => countWaitingOf(on, named, before))(tenants),
    countMirroredOf: ofAll(countMirroredOf),
    pausesOf: ofAll(pausesOf),
    quotasOf: ofAll(quotasOf),
    refusedNoticesOf: ofAll(refusedNoticesOf),
    listLinksOf: (tenants, filter) => ofAll((on, named) => listLinksOf(on, named, filter))(tenants),
  };
}

/** Lists the links of each tenant in each of these states, newest change first, with the index `links_by_state`. */
async function listLinksOf(
  { db, sealer }: Store,
  tenants: readonly string[],
  { states, limit }: Parameters<StatusLedger['listLinksOf']>[1],
): Promise<OfTenants<readonly LinkRow[]>> {
  const { rows } = await sql<NamedLink>`
    select l.* from unnest(${[...tenants]}::text[]) as t (tenant)
    cross join unnest(${[...states]}::text[]) with ordinality as s (state, place)
    cross join lateral (
      select tenant, key, crm_id, vendor_id, state, generation, observed_generation, issues, issue_codes, updated_at from links
      where tenant = t.tenant and state = s.state
      order by updated_hour desc, updated_at desc, key limit ${limit}) as l
    order by l.tenant, s.place, l.updated_at desc, l.key`.execute(db);
  await sealer.load([...new Set(rows.flatMap(({ tenant, issues }) => (issues === null ? [] : [tenant])))]);
  // `load` does not read the keys of a tenant that is in the cache, so keys that are newer than the cached ones are fetched here.
  for (const tenant of new Set(rows.filter((row) => needsKey(row, sealer)).map((row) => row.tenant)))
    await sealer.fetch(tenant).catch(() => undefined);
  return byTenant(rows, (row) => listed(row, sealer));
}

type NamedLink = ListedLink & { readonly issue_codes: readonly IssueCode[] };

function needsKey(row: ListedLink, sealer: Sealer): boolean {
  try {
    toListRow(row, sealer);
    return false;
  } catch (error) {
    return error instanceof DataKeyNeeded;
  }
}

/**
 * A link's row as a list of links shows it. If the row's values cannot be decrypted, the result contains only the unencrypted columns, so
 * that the other links can still be listed.
 */
function listed(row: NamedLink, sealer: Sealer): LinkRow {
  try {
    return toListRow(row, sealer);
  } catch (error) {
    if (!(error instanceof SealingError || error instanceof DataKeyNeeded)) throw error;
    const issues = row.issue_codes.map((code) => ({ code, field: null, message: UNOPENED }));
    return { ...toListRow({ ...row, issues: null }, sealer), issues };
  }
}

const UNOPENED = 'What is kept of it does not open with the sealing keys of this process.';
