import { sql } from 'kysely';
import type { IssueCode } from '../../domain/record/issue.ts';
import type { LinkState } from '../../domain/record/link-state.ts';
import type { Statement, Store } from '../core/store.ts';
import { LedgerError } from '../ledger-error.ts';
import type { LinkIds, LinkLedger, WaitingRecord } from './link-ledger.ts';
import { LISTED_COLUMNS, type StoredLink, toLink, toListRow, workOf } from './link-row.ts';

export const findLinks: Statement<LinkLedger, 'findLinks'> = async (store, tenant, keys) => {
  const { rows } = await sql<StoredLink & { readonly asked: string }>`
    select asked.key as asked, l.* from unnest(${keys}::text[]) as asked (key)
    left join link_aliases a on a.tenant = ${tenant} and a.alias = asked.key
    join links l on l.tenant = ${tenant} and l.key = coalesce(a.key, asked.key)`.execute(store.db);
  return new Map(rows.map(({ asked, ...row }) => [asked, toLink(row, store.sealer)]));
};

export const findLink: Statement<LinkLedger, 'findLink'> = async (store, tenant, key) => {
  return (await findLinks(store, tenant, [key])).get(key) ?? null;
};

/**
 * Follows an alias: returns the key of the link that now has the deal of the link `key`. Returns `key` unchanged if no other link has the
 * deal.
 */
export async function followAlias(store: Store, tenant: string, key: string): Promise<string> {
  const alias = await store.db
    .selectFrom('link_aliases')
    .select('key')
    .where('tenant', '=', tenant)
    .where('alias', '=', key)
    .executeTakeFirst();
  return alias?.key ?? key;
}

/** A query for the aliases of the link `key`: the keys of links that were merged into it. */
export function aliasesOf(store: Store, tenant: string, key: string) {
  return store.db.selectFrom('link_aliases').select('alias').where('tenant', '=', tenant).where('key', '=', key);
}

/** Finds a link by its CRM id, else by its vendor id. */
export const findLinkByIds: Statement<LinkLedger, 'findLinkByIds'> = async (store, tenant, ids) => {
  const { byCrm, byVendor } = await rowsByIds(store, tenant, ids);
  const row = byCrm ?? byVendor;
  return row === undefined ? null : toLink(row, store.sealer);
};

export type RowsByIds = { readonly byCrm: StoredLink | undefined; readonly byVendor: StoredLink | undefined };

/**
 * The link with this CRM id and the link with this vendor id; both may be the same link. With `lock`, the rows are locked in the order of
 * their keys, so that two transactions cannot deadlock.
 */
export async function rowsByIds(store: Store, tenant: string, ids: LinkIds, lock = false): Promise<RowsByIds> {
  const { crmId, vendorId } = requireIds(ids);
  const query = store.db
    .selectFrom('links')
    .selectAll()
    .where('tenant', '=', tenant)
    .where((where) => where.or([where('crm_id', '=', crmId), where('vendor_id', '=', vendorId)]))
    .orderBy('key');
  const rows = await (lock ? query.forUpdate() : query).execute();
  return {
    byCrm: crmId === null ? undefined : rows.find((row) => row.crm_id === crmId),
    byVendor: vendorId === null ? undefined : rows.find((row) => row.vendor_id === vendorId),
  };
}

/** Replaces missing and empty ids by null. Throws LedgerError `BAD_IDS` if both are missing. */
export function requireIds(ids: LinkIds): {
  readonly crmId: string | null;
  readonly vendorId: string | null;
} {
  const crmId = ids.crmId || null;
  const vendorId = ids.vendorId || null;
  if (crmId === null && vendorId === null) throw new LedgerError('BAD_IDS', 'A link needs a CRM id or a vendor id.');
  return { crmId, vendorId };
}

export const vendorIdsNotMarkedSince: Statement<LinkLedger, 'vendorIdsNotMarkedSince'> = async (
  store,
  tenant,
  vendorIds,
  since,
) => {
  const { rows } = await sql<{ vendor_id: string }>`
    select vendor_id from links
    where tenant = ${tenant} and vendor_id = any(${vendorIds}::text[])
      and vendor_generation = generation and marked_at >= ${since}::timestamptz`.execute(store.db);
  const marked = new Set(rows.map((row) => row.vendor_id));
  return vendorIds.filter((id) => !marked.has(id));
};

export const linkStatuses: Statement<LinkLedger, 'linkStatuses'> = async (store, tenant, keys) => {
  const rows = await store.db
    .selectFrom('links')
    .select([
      'key',
      'crm_id',
      'vendor_id',
      'state',
      'failing_since',
      'bulk_share',
      'in_burst',
      'echo_only',
      'lane',
      'updated_at',
    ])
    .where('tenant', '=', tenant)
    .where(sql<boolean>`key = any(${keys}::text[])`)
    .execute();
  return new Map(
    rows.map((row) => [
      row.key,
      {
        crmId: row.crm_id,
        vendorId: row.vendor_id,
        state: row.state as LinkState,
        failingSince: row.failing_since?.toISOString() ?? null,
        work: workOf(row),
        updatedAt: row.updated_at.toISOString(),
        ...(row.lane === null ? {} : { inLane: true }),
      },
    ]),
  );
};

export const activeCrmIds: Statement<LinkLedger, 'activeCrmIds'> = async (store, tenant, crmIds) => {
  const rows = await store.db
    .selectFrom('links')
    .select('crm_id')
    .where('tenant', '=', tenant)
    .where(sql<boolean>`crm_id = any(${crmIds}::text[])`)
    .where('state', 'not in', ['detached', 'superseded'])
    .execute();
  return rows.flatMap((row) => (row.crm_id === null ? [] : [row.crm_id]));
};

export const waitingFor: Statement<LinkLedger, 'waitingFor'> = async (store, tenant, crmIds) => {
  if (crmIds.length === 0) return new Map();
  const { rows } = await sql<WaitingRow>`
    select vendor_id, candidates, issue_codes @> ${[SEVERAL]}::text[] as is_several,
      issue_codes @> ${[UNPROVEN]}::text[] as is_claimed
    from links
    where tenant = ${tenant} and candidates && ${crmIds}::text[] and candidates <> '{}'
      and vendor_id is not null and crm_id is null
    order by vendor_id`.execute(store.db);
  const waiting = crmIds.map((crmId) => {
    const those = rows.filter((row) => row.candidates.includes(crmId));
    return [crmId, those.map(toWaitingRecord)] as const;
  });
  return new Map(waiting.filter(([, records]) => records.length > 0));
};

/**
 * The issue code (reason to wait) of a vendor record that matches several of the opportunities that Lockstep syncs. A user must choose one
 * of them.
 */
const SEVERAL: IssueCode = 'several-candidates';
/**
 * The issue code (reason to wait) of a vendor record whose id a user entered in an opportunity, without other evidence that the two belong
 * together.
 */
const UNPROVEN: IssueCode = 'unproven-claim';

type WaitingRow = {
  readonly vendor_id: string;
  readonly candidates: readonly string[];
  readonly is_several: boolean;
  readonly is_claimed: boolean;
};

function toWaitingRecord({ vendor_id, candidates, is_several, is_claimed }: WaitingRow): WaitingRecord {
  return {
    vendorId: vendor_id,
    rivals: is_several ? candidates : [],
    ...(is_claimed ? { isClaimed: true } : {}),
  };
}

export const linkedPairs: Statement<LinkLedger, 'linkedPairs'> = async (store, tenant, afterKey, limit) => {
  const rows = await store.db
    .selectFrom('links')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('key', '>', afterKey)
    .where('crm_id', 'is not', null)
    .where('vendor_id', 'is not', null)
    .where('state', '<>', 'detached')
    .orderBy('key')
    .limit(limit)
    .execute();
  return rows.map((row) => {
    const { key, state, crmId, vendorId, vendorObservation } = toLink(row, store.sealer);
    const reference = vendorObservation === null ? crmId : vendorObservation.reference;
    return { key, state, vendorId: String(vendorId), reference };
  });
};

/**
 * SQL condition: users see the link in this state. Must agree with the function `shownState`, which computes the shown state of one link.
 */
function isShownAs(state: LinkState) {
  if (state === 'in-sync') return sql<boolean>`state = 'in-sync' and due_since is null`;
  if (state !== 'pending') return sql<boolean>`state = ${state}`;
  return sql<boolean>`(state = 'pending' or (state = 'in-sync' and due_since is not null))`;
}

/** Lists links by the state that users see. Superseded links (aliases) are listed only if `filter.state` names that state. */
export const listLinks: Statement<LinkLedger, 'listLinks'> = async (store, tenant, filter) => {
  const { state, code } = filter;
  const own = store.db.selectFrom('links').select(LISTED_COLUMNS).where('tenant', '=', tenant);
  const query = code === undefined ? own : own.where(sql<boolean>`issue_codes @> ${[code]}::text[]`);
  const rows = await (state === undefined ? query.where('state', '<>', 'superseded') : query.where(isShownAs(state)))
    // The hour comes first because it is in an index.
    .orderBy('updated_hour', 'desc')
    .orderBy('updated_at', 'desc')
    .orderBy('key')
    .limit(filter.limit)
    .execute();
  return rows.map((row) => toListRow(row, store.sealer));
};
