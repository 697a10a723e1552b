/**
 * How many activities a worker runs concurrently, by kind. Most activities of the sync queue wait to be batched for the CRM. A tenant may
 * use three quarters of the sync slots, which must fit a full batch of 144 reads and one of 24 updates. `task-pace.ts` limits workflow
 * tasks; as many tasks more as `localActivities` may wait for a local activity.
 */
export const SLOTS = { syncActivities: 268, vendorActivities: 100, localActivities: 100 } as const;

/**
 * The most workflows in a worker's cache, about 0.25 MB each, mostly outside V8's heap. Temporal replays the histories of other workflows.
 * The SDK's default grows with the machine's memory, and a flood of one tenant would fill it.
 */
export const CACHED_WORKFLOWS = 500;

/**
 * Ledger connections of a worker. Fewer than slots suffice, because an activity mostly waits for a remote and uses the ledger for a few
 * milliseconds (`npm run bench:ledger`).
 */
export const LEDGER_CONNECTIONS = Math.ceil((SLOTS.syncActivities + SLOTS.vendorActivities) / 10);

/**
 * Times of a worker's shutdown, in milliseconds. Activities are cancelled after the first; activities that ignore it are abandoned after
 * the second. A process manager must wait longer before it kills the worker.
 */
export const SHUTDOWN = { shutdownGraceTime: 10_000, shutdownForceTime: 20_000 } as const;
