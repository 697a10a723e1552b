import type { Updateable } from 'kysely';
import type { LinksTable } from '../core/database.ts';
import type { Store } from '../core/store.ts';
import { releaseCandidates } from './count-up.ts';
import { addJournal } from './journal.ts';
import { type StoredLink, sealedColumns, toLink } from './link-row.ts';
import { changedAt } from './link-version.ts';

/**
 * Merges two links of one deal, whose rows the caller has locked. If `survivor` lacks a value (vendor id, base with the last agreed values,
 * last vendor reading, a write in doubt), it gets the value of the other link. It also gets the other link's unsynced changes, and becomes
 * due. The key of the other link becomes an alias of `survivor`.
 */
export async function mergeLinks(
  store: Store,
  survivor: StoredLink,
  superseded: StoredLink,
  at: string,
): Promise<StoredLink> {
  await supersede(store, survivor, superseded, at);
  return takeOver(store, survivor, superseded, at);
}

/** Ends a link because another link (`survivor`) has its deal now. Copies no values to `survivor`. The caller has locked both rows. */
export async function supersede(store: Store, survivor: StoredLink, superseded: StoredLink, at: string): Promise<void> {
  await giveUpIds(store, superseded, at);
  await redirectAliases(store, survivor, superseded, at);
  const others = superseded.candidates.filter((crmId) => crmId !== survivor.crm_id);
  await releaseCandidates(store, survivor.tenant, others, at);
  await addJournal(store, survivor.tenant, survivor.key, [
    { at, kind: 'link', summary: { event: 'merged', superseded: superseded.key }, decisions: [] },
  ]);
}

async function giveUpIds(store: Store, superseded: StoredLink, at: string): Promise<void> {
  await store.db
    .updateTable('links')
    .set({
      state: 'superseded',
      crm_id: null,
      vendor_id: null,
      base: null,
      vendor_observation: null,
      awaits_echo: false,
      vendor_in_doubt: 'no',
      adopting_since: null,
      refused_claim: null,
      observed_generation: superseded.generation,
      due_since: null,
      waiting_since: null,
      waiting_for: null,
      issues: null,
      issue_codes: [],
      candidates: [],
      detached_at: null,
      ...changedAt(at),
    })
    .where('tenant', '=', superseded.tenant)
    .where('key', '=', superseded.key)
    .execute();
}

async function redirectAliases(store: Store, survivor: StoredLink, superseded: StoredLink, at: string): Promise<void> {
  await store.db
    .updateTable('link_aliases')
    .set({ key: survivor.key })
    .where('tenant', '=', superseded.tenant)
    .where('key', '=', superseded.key)
    .execute();
  await store.db
    .insertInto('link_aliases')
    .values({ tenant: survivor.tenant, alias: superseded.key, key: survivor.key, at })
    .execute();
}

async function takeOver(store: Store, survivor: StoredLink, superseded: StoredLink, at: string): Promise<StoredLink> {
  // An encrypted value can be decrypted only in its own row, so it is encrypted again for the row of `survivor`.
  const known = toLink(superseded, store.sealer);
  const sealed = sealedColumns(
    survivor.tenant,
    survivor.key,
    {
      base: survivor.base === null ? known.base : undefined,
      vendorObservation: survivor.vendor_observation === null ? known.vendorObservation : undefined,
    },
    store.sealer,
  );
  const linkedBy = survivor.linked_by ?? superseded.linked_by;
  const unsettled = Math.max(1, superseded.generation - superseded.observed_generation);
  return store.db
    .updateTable('links')
    .set({
      ...sealed,
      former_ids: [...survivor.former_ids, ...superseded.former_ids],
      vendor_id: superseded.vendor_id,
      first_pick: survivor.first_pick ?? superseded.first_pick,
      refused_claim: null,
      linked_by: linkedBy === null ? null : JSON.stringify(linkedBy),
      vendor_in_doubt: survivor.vendor_in_doubt === 'no' ? superseded.vendor_in_doubt : survivor.vendor_in_doubt,
      generation: survivor.generation + unsettled,
      // Without a vendor record there is nothing to read at the vendor.
      ...(superseded.vendor_id === null ? {} : { vendor_generation: survivor.generation + unsettled }),
      due_since: earliest(survivor.due_since, superseded.due_since, new Date(at)),
      waiting_since: earliest(survivor.waiting_since, superseded.waiting_since, new Date(at)),
      marked_at: at,
      echo_only: false,
      ...unconfirmedReport(survivor.reporting_since === null ? superseded : survivor),
      in_burst: survivor.due_since === null ? superseded.in_burst : survivor.in_burst && superseded.in_burst,
      bulk_share: survivor.due_since === null ? superseded.bulk_share : survivor.bulk_share,
      ...changedAt(at),
    })
    .where('tenant', '=', survivor.tenant)
    .where('key', '=', survivor.key)
    .returningAll()
    .executeTakeFirstOrThrow();
}

function unconfirmedReport({ reporting_since: since, reporting_by }: StoredLink): Updateable<LinksTable> {
  return { reporting_since: since?.toISOString() ?? null, reporting_by };
}

function earliest(...instants: readonly (Date | null)[]): string {
  const known = instants.filter((instant) => instant !== null);
  return new Date(Math.min(...known.map((instant) => instant.getTime()))).toISOString();
}
