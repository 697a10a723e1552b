import type { Store } from './store.ts';

/** Forgets what the two sides refused of a link, so that the next decision sends it again. */
export async function forgetRefusals(store: Store, tenant: string, key: string): Promise<void> {
  await store.db
    .updateTable('links')
    .set({ refused_fingerprint: null, crm_refused_fingerprint: null })
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .execute();
}
