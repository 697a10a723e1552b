import type { Store } from './store.ts';

/** What was refused by itself is sent again when the time has come. */
const LONG_AGO = new Date(0).toISOString();

/** Forgets what the two sides refused of a link, so that the next decision sends it again. */
export async function forgetRefusals(store: Store, tenant: string, key: string): Promise<void> {
  await store.db
    .updateTable('links')
    .set({ refused_fingerprint: null, crm_refused_fingerprint: null, retry_at: LONG_AGO })
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .execute();
}
