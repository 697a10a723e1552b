import type { Statement, Store } from '../core/store.ts';
import type { LinkLedger } from './link-ledger.ts';

type Pair = { readonly crmId: string; readonly vendorId: string };

export const barredFrom: Statement<LinkLedger, 'barredFrom'> = async (store, tenant, side) => {
  const barred = store.db.selectFrom('barred_pairs').where('tenant', '=', tenant);
  if ('crmId' in side) {
    const rows = await barred.select('vendor_id').where('crm_id', '=', side.crmId).orderBy('vendor_id').execute();
    return rows.map((row) => row.vendor_id);
  }
  const rows = await barred.select('crm_id').where('vendor_id', '=', side.vendorId).orderBy('crm_id').execute();
  return rows.map((row) => row.crm_id);
};

/** Whether an operator has separated the pair with `lockstep unlink`. */
export async function isBarred(store: Store, tenant: string, { crmId, vendorId }: Pair): Promise<boolean> {
  return (await barredFrom(store, tenant, { crmId })).includes(vendorId);
}

/** Bars a pair: Lockstep does not link the two records again unless an operator commands it. Repeated calls do no harm. */
export async function barPair(store: Store, tenant: string, { crmId, vendorId }: Pair, at: string): Promise<void> {
  await store.db
    .insertInto('barred_pairs')
    .values({ tenant, crm_id: crmId, vendor_id: vendorId, at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Removes the bar of a pair that an operator separated, so that it can be linked again. Repeated calls do no harm. */
export async function liftBar(store: Store, tenant: string, { crmId, vendorId }: Pair): Promise<void> {
  await store.db
    .deleteFrom('barred_pairs')
    .where('tenant', '=', tenant)
    .where('crm_id', '=', crmId)
    .where('vendor_id', '=', vendorId)
    .execute();
}
