import type { Insertable } from 'kysely';
import { TO_EMPTY } from '../../domain/decide/reported.ts';
import { linkKey, VENDOR_KEY } from '../../domain/record/link-key.ts';
import type { LinksTable } from '../core/database.ts';
import type { Statement, Store } from '../core/store.ts';
import { barPair } from './barred-pairs.ts';
import { addJournal } from './journal.ts';
import type { LinkLedger } from './link-ledger.ts';
import { lockLink, type StoredLink } from './link-row.ts';
import { changedAt } from './link-version.ts';
import { rowsByIds } from './links.ts';

type Pair = { readonly crmId: string; readonly vendorId: string };

/**
 * Separates a linked pair: each record gets a link of its own. The record whose id is the key of the present link keeps that link. The
 * other record gets a new link.
 */
export const unlink: Statement<LinkLedger, 'unlink'> = async (store, tenant, pair, at) => {
  const { byCrm: row } = await rowsByIds(store, tenant, pair, true);
  if (row === undefined || row.vendor_id !== pair.vendorId) return false;
  const isOfCrm = row.key === pair.crmId;
  await barPair(store, tenant, pair, at);
  const [crm, vendor] = [crmHalf(pair), vendorHalf(pair)];
  await keepHalf(store, row, isOfCrm ? crm : vendor, at);
  const otherKey = linkKey(isOfCrm ? { crmId: null, vendorId: pair.vendorId } : pair);
  await openHalf(store, tenant, otherKey, isOfCrm ? vendor : crm, at);
  if (!isOfCrm) await moveCrmAliases(store, tenant, row.key, otherKey);
  const entry = { at, kind: 'link', summary: { event: 'unlinked', ...pair }, decisions: [] } as const;
  for (const key of [row.key, otherKey]) await addJournal(store, tenant, key, [entry]);
  return true;
};

type Half = Pick<Insertable<LinksTable>, 'crm_id' | 'vendor_id' | 'reported'>;

function crmHalf({ crmId }: Pair): Half {
  return { crm_id: crmId, vendor_id: null, reported: JSON.stringify(TO_EMPTY) };
}

function vendorHalf({ vendorId }: Pair): Half {
  return { crm_id: null, vendor_id: vendorId, reported: null };
}

/**
 * Columns that mark a link due after its pair was separated. The link of the vendor record is also marked so that Lockstep reads the vendor
 * again.
 */
function due(before: number, { vendor_id }: Half) {
  const generation = before + 1;
  return {
    generation: generation,
    vendor_generation: vendor_id === null ? 0 : generation,
    vendor_observed_generation: 0,
  };
}

function emptied(at: string) {
  return {
    state: 'new' as const,
    base: null,
    vendor_observation: null,
    awaits_echo: false,
    echo_only: false,
    bulk_share: null,
    in_burst: false,
    lane: null,
    vendor_in_doubt: 'no' as const,
    adopting_since: null,
    issues: null,
    issue_codes: [] as string[],
    candidates: [] as string[],
    failing_since: null,
    retry_at: null,
    waiting_for: null,
    newest_plan: null,
    detached_at: null,
    first_pick: null,
    former_ids: [] as string[],
    moved_from: null,
    linked_by: null,
    due_since: at,
    waiting_since: at,
    marked_at: at,
    updated_at: at,
  };
}

async function keepHalf(store: Store, row: StoredLink, half: Half, at: string): Promise<void> {
  await store.db
    .updateTable('links')
    .set({ ...emptied(at), ...changedAt(at), ...half, ...due(row.generation, half) })
    .where('tenant', '=', row.tenant)
    .where('key', '=', row.key)
    .execute();
}

/**
 * Lets the ids of former CRM records (such as converted leads), which led to the link of the pair, lead to the link of the CRM record. The
 * other aliases stay with the link of the vendor record.
 */
async function moveCrmAliases(store: Store, tenant: string, from: string, to: string): Promise<void> {
  await store.db
    .updateTable('link_aliases')
    .set({ key: to })
    .where('tenant', '=', tenant)
    .where('key', '=', from)
    .where('alias', 'not like', `${VENDOR_KEY}%`)
    .execute();
}

/**
 * Gives the second record a link of its own, with this key, after a pair was separated. If the record had a link before it was merged into
 * the pair, that link still exists, superseded (the pair's link took its place). Its key is an alias of the pair's link. Deletes the alias,
 * so that the key leads to the record's own link, and uses the superseded link again. Otherwise inserts a link.
 */
async function openHalf(store: Store, tenant: string, key: string, half: Half, at: string): Promise<void> {
  await store.db.deleteFrom('link_aliases').where('tenant', '=', tenant).where('alias', '=', key).execute();
  const before = await lockLink(store, tenant, key);
  if (before !== undefined) return keepHalf(store, before, half, at);
  await store.db
    .insertInto('links')
    .values({ tenant, key, ...emptied(at), ...half, ...due(0, half) })
    .execute();
}
