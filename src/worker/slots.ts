/**
 * How many activities of each kind a worker runs at once. One tenant may use three quarters of the sync slots, enough for a full batch of
 * 144 reads and one of 24 updates. Up to `localActivities` workflow tasks may also wait for a local activity.
 */
export const SLOTS = { syncActivities: 268, vendorActivities: 100, localActivities: 100 } as const;

/**
 * The highest number of workflows in a worker's cache. Each takes about 0.25 MB, mostly outside V8's heap, and the SDK's default would let
 * one tenant's flood fill the machine's memory. The worker replays a workflow that is not in the cache.
 */
export const CACHED_WORKFLOWS = 500;

/**
 * How many connections to the ledger a worker opens. They may be fewer than the slots, because an activity mostly waits for a remote and
 * uses the ledger for a few milliseconds (`npm run bench:ledger`).
 */
export const LEDGER_CONNECTIONS = Math.ceil((SLOTS.syncActivities + SLOTS.vendorActivities) / 10);

/**
 * The two times of a worker's shutdown, in milliseconds: after the first, running activities are cancelled; after the second, those still
 * running are abandoned. A process manager must wait longer before it kills the worker.
 */
export const SHUTDOWN = { shutdownGraceTime: 10_000, shutdownForceTime: 20_000 } as const;
