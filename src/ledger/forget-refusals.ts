import { ON_A_PERSONS_WORD } from '../domain/record/link.ts';
import type { Store } from './store.ts';

/** Forgets on a person's word what the two sides refused of a link, so that the next decision sends it again. */
export async function forgetRefusals(store: Store, tenant: string, key: string): Promise<void> {
  await store.db
    .updateTable('links')
    .set({ refused_fingerprint: null, crm_refused_fingerprint: null, retry_at: ON_A_PERSONS_WORD })
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .execute();
}
