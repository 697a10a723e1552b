import type { Link } from '../../domain/record/link.ts';
import { linkKey } from '../../domain/record/link-key.ts';
import { isLeadId } from '../../domain/record/salesforce-id.ts';
import type { Store } from '../core/store.ts';
import { RaceLost } from '../ledger-error.ts';
import { isBarred } from './barred-pairs.ts';
import { addJournal } from './journal.ts';
import type { Fence, LinkIds } from './link-ledger.ts';
import { type StoredLink, toLink } from './link-row.ts';
import { changedAt, requireFenced } from './link-version.ts';
import { findLink, followAlias, type RowsByIds, requireIds, rowsByIds } from './links.ts';
import { mergeLinks } from './merge-links.ts';
import { restoredBefore } from './restores.ts';

export type Resolution = {
  readonly link: Link;
  readonly opened: boolean;
  readonly superseded: string | null;
};

/**
 * Finds, completes, merges or opens the link of a deal, inside a transaction. Does not link the two given records if one of them is already
 * linked to another record, or if an operator separated them. In both cases, returns the link of the CRM id, or opens one; its vendor id is
 * then another one or null. `fence`: the version of a link that the caller has read. Throws LedgerError `CHANGED` if another writer has
 * changed that link since. Throws `RaceLost` if another transaction was faster.
 */
export async function resolveLink(
  store: Store,
  tenant: string,
  ids: LinkIds,
  at: string,
  fence?: Fence,
): Promise<Resolution> {
  const { crmId, vendorId } = requireIds(ids);
  const { byCrm, byVendor } = await rowsToResolve(store, tenant, ids);
  requireFenced([byCrm, byVendor], fence);
  const found = byCrm ?? byVendor;
  if (crmId !== null && vendorId !== null && (await isBarred(store, tenant, { crmId, vendorId })))
    return byCrm === undefined ? open(store, tenant, crmId, null, at) : resolved(byCrm, store);
  if (found === undefined) return open(store, tenant, crmId, vendorId, at);
  if (byCrm !== undefined && byVendor !== undefined && byCrm.key !== byVendor.key) {
    if (byCrm.vendor_id !== null || byVendor.crm_id !== null) return resolved(byCrm, store);
    const survivor = await mergeLinks(store, byCrm, byVendor, at);
    return { ...resolved(survivor, store), superseded: byVendor.key };
  }
  if (byCrm !== undefined && vendorId !== null && byCrm.vendor_id === null) {
    return attach(store, byCrm, { vendor_id: vendorId }, at);
  }
  if (byCrm === undefined && crmId !== null && found.crm_id === null) {
    return attach(store, found, { crm_id: crmId }, at);
  }
  if (byCrm === undefined && crmId !== null) return open(store, tenant, crmId, null, at);
  return resolved(found, store);
}

/**
 * The links with these ids. Locks their rows. For the id of a lead that was converted or merged, returns the link of the record that the
 * lead became.
 */
async function rowsToResolve(store: Store, tenant: string, ids: LinkIds): Promise<RowsByIds> {
  const rows = await rowsByIds(store, tenant, ids, true);
  const { crmId } = requireIds(ids);
  if (rows.byCrm !== undefined || !isLeadId(crmId)) return rows;
  const key = await followAlias(store, tenant, crmId);
  const link = key === crmId ? null : await findLink(store, tenant, key);
  return link?.crmId ? rowsByIds(store, tenant, { ...ids, crmId: link.crmId }, true) : rows;
}

/** Finds a link that already has all given ids, without a transaction. Null if there is none. */
export async function resolveKnown(
  store: Store,
  tenant: string,
  ids: LinkIds,
  fence?: Fence,
): Promise<Resolution | null> {
  const { crmId, vendorId } = requireIds(ids);
  const { byCrm, byVendor } = await rowsByIds(store, tenant, ids);
  requireFenced([byCrm, byVendor], fence);
  const row = byCrm ?? byVendor;
  if (row === undefined) return null;
  const isComplete = (crmId === null || row.crm_id === crmId) && (vendorId === null || row.vendor_id === vendorId);
  return isComplete ? resolved(row, store) : null;
}

function resolved(row: StoredLink, store: Store): Resolution {
  return { link: toLink(row, store.sealer), opened: false, superseded: null };
}

async function open(
  store: Store,
  tenant: string,
  crmId: string | null,
  vendorId: string | null,
  at: string,
): Promise<Resolution> {
  const row = await store.db
    .insertInto('links')
    .values({
      tenant,
      key: linkKey({ crmId, vendorId }),
      crm_id: crmId,
      vendor_id: vendorId,
      state: 'new',
      updated_at: at,
      restored_at: restoredBefore(at),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return survivorOf(store, tenant, linkKey({ crmId, vendorId }));
  return { ...resolved(row, store), opened: true };
}

/**
 * The link that now has the deal of the link `key`, for example after a lead's conversion. Called if a link with this key could not be
 * inserted, because it exists already. If the key is no alias of another link, another transaction has just inserted that link. Then throws
 * `RaceLost`, so that the caller's transaction is repeated and finds it.
 */
async function survivorOf(store: Store, tenant: string, key: string): Promise<Resolution> {
  const survivor = await followAlias(store, tenant, key);
  if (survivor === key) throw new RaceLost();
  const row = await store.db
    .selectFrom('links')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('key', '=', survivor)
    .executeTakeFirstOrThrow();
  return resolved(row, store);
}

async function attach(
  store: Store,
  row: StoredLink,
  id: { readonly crm_id: string } | { readonly vendor_id: string },
  at: string,
): Promise<Resolution> {
  const updated = await store.db
    .updateTable('links')
    .set({ ...id, refused_claim: null, ...changedAt(at) })
    .where('tenant', '=', row.tenant)
    .where('key', '=', row.key)
    .returningAll()
    .executeTakeFirstOrThrow();
  const event = 'crm_id' in id ? 'crm-id-attached' : 'vendor-id-attached';
  await addJournal(store, row.tenant, row.key, [{ at, kind: 'link', summary: { event }, decisions: [] }]);
  return resolved(updated, store);
}
