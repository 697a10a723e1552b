import { addJournal } from './journal.ts';
import { type StoredLink, sealedColumns, toLink } from './link-row.ts';
import type { Store } from './store.ts';

/**
 * Makes one link of two that are the same deal; both rows are locked. The survivor keeps what it knows and takes
 * over what it lacks: vendor id, base, last observation, a write whose outcome is unknown. It becomes due, with
 * every unsettled mark of the absorbed one: more is known of the deal now. The absorbed key becomes an alias.
 */
export async function mergeLinks(
  store: Store,
  survivor: StoredLink,
  absorbed: StoredLink,
  at: string,
): Promise<StoredLink> {
  await giveUpIds(store, absorbed, at);
  await redirectAliases(store, survivor, absorbed, at);
  const merged = await takeOver(store, survivor, absorbed, at);
  await addJournal(store, survivor.tenant, survivor.key, [
    { at, kind: 'link', summary: { event: 'merged', absorbed: absorbed.key }, decisions: [] },
  ]);
  return merged;
}

async function giveUpIds(store: Store, absorbed: StoredLink, at: string): Promise<void> {
  await store.db
    .updateTable('links')
    .set({
      state: 'absorbed',
      crm_id: null,
      vendor_id: null,
      base: null,
      vendor_seen: null,
      vendor_read_at: null,
      vendor_uncertain: 'no',
      adopting_since: null,
      done_seq: absorbed.due_seq,
      due_since: null,
      issues: null,
      issue_codes: [],
      left_at: null,
      updated_at: at,
    })
    .where('tenant', '=', absorbed.tenant)
    .where('key', '=', absorbed.key)
    .execute();
}

async function redirectAliases(
  store: Store,
  survivor: StoredLink,
  absorbed: StoredLink,
  at: string,
): Promise<void> {
  await store.db
    .updateTable('link_aliases')
    .set({ key: survivor.key })
    .where('tenant', '=', absorbed.tenant)
    .where('key', '=', absorbed.key)
    .execute();
  await store.db
    .insertInto('link_aliases')
    .values({ tenant: survivor.tenant, alias: absorbed.key, key: survivor.key, at })
    .execute();
}

async function takeOver(
  store: Store,
  survivor: StoredLink,
  absorbed: StoredLink,
  at: string,
): Promise<StoredLink> {
  // Sealed values open only at their own row, so they are sealed anew for the survivor's.
  const known = toLink(absorbed, store.sealer);
  const sealed = sealedColumns(
    survivor.tenant,
    survivor.key,
    {
      base: survivor.base === null ? known.base : undefined,
      vendorSeen: survivor.vendor_seen === null ? known.vendorSeen : undefined,
    },
    store.sealer,
  );
  const unsettled = Math.max(1, absorbed.due_seq - absorbed.done_seq);
  return store.db
    .updateTable('links')
    .set({
      ...sealed,
      vendor_id: absorbed.vendor_id,
      vendor_uncertain:
        survivor.vendor_uncertain === 'no' ? absorbed.vendor_uncertain : survivor.vendor_uncertain,
      due_seq: survivor.due_seq + unsettled,
      vendor_due_seq: survivor.due_seq + unsettled,
      due_since: earliest(survivor.due_since, absorbed.due_since, new Date(at)),
      marked_at: at,
      updated_at: at,
    })
    .where('tenant', '=', survivor.tenant)
    .where('key', '=', survivor.key)
    .returningAll()
    .executeTakeFirstOrThrow();
}

function earliest(...instants: readonly (Date | null)[]): string {
  const known = instants.filter((instant) => instant !== null);
  return new Date(Math.min(...known.map((instant) => instant.getTime()))).toISOString();
}
