/**
 * A worker's slots. Most work on the sync queue waits to be batched for the CRM. A tenant may use three quarters, which must fit a full
 * batch of 144 reads and one of 24 updates. How many workflow tasks run at once is in `task-pace.ts`; those that wait for a local activity
 * are as many more as there are slots for these.
 */
export const SLOTS = { syncActivities: 268, vendorActivities: 100, localActivities: 100 } as const;

/**
 * The most workflows in a worker's memory, about 0.25 MB each, mostly outside V8's heap. The histories of others are replayed. The SDK's
 * default grows with the machine, and one tenant's flood would fill it.
 */
export const CACHED_WORKFLOWS = 500;

/**
 * Ledger connections for these slots. An activity waits mostly for a remote and uses the ledger for a few milliseconds (`npm run
 * bench:ledger`).
 */
export const LEDGER_CONNECTIONS = Math.ceil((SLOTS.syncActivities + SLOTS.vendorActivities) / 10);

/**
 * Times of a worker's shutdown, in milliseconds. Activities are cancelled after the first; activities that ignore it are abandoned after
 * the second. Whoever stops a worker must wait longer.
 */
export const SHUTDOWN = { shutdownGraceTime: 10_000, shutdownForceTime: 20_000 } as const;
