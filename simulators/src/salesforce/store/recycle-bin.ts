import { apiInstantMs } from './instant.ts';
import type { Store } from './store.ts';

/** How many days the recycle bin keeps deleted rows. */
export const BIN_DAYS = 15;
const BIN_MS = BIN_DAYS * 86_400_000;

/** Deletes expired rows of the recycle bin permanently. A deleted row's timestamp is that of its deletion. */
export function emptyRecycleBin(store: Store, now: Date): void {
  for (const { type, id } of store.binned()) {
    const deletedMs = apiInstantMs(String(store.get(type, id)?.['SystemModstamp']));
    // The bin is in the order of deletion.
    if (now.getTime() - deletedMs < BIN_MS) return;
    store.purge(type, id);
  }
}
