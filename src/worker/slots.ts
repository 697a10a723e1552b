/**
 * How many activities of each kind a worker runs at once. Most activities of the sync queue wait to share CRM requests. One tenant may use
 * three quarters of the sync slots, which must fit a full batch of 144 reads and a full batch of 24 updates. `task-pace.ts` limits workflow
 * tasks. In addition, up to `localActivities` workflow tasks may wait for a local activity.
 */
export const SLOTS = { syncActivities: 268, vendorActivities: 100, localActivities: 100 } as const;

/**
 * The highest number of workflows in a worker's cache. Each takes about 0.25 MB, mostly outside V8's heap. For a
 * workflow outside the cache, the worker replays its history. The SDK's default number grows with the machine's memory,
 * and a flood of one tenant would fill that memory.
 */
export const CACHED_WORKFLOWS = 500;

/**
 * How many connections to the ledger a worker opens. They may be fewer than the slots, because an activity mostly waits for a remote and
 * uses the ledger for a few milliseconds (`npm run bench:ledger`).
 */
export const LEDGER_CONNECTIONS = Math.ceil((SLOTS.syncActivities + SLOTS.vendorActivities) / 10);

/**
 * The two times of a worker's shutdown, in milliseconds. After the first time, running activities are cancelled. After
 * the second time, activities that ignore the cancellation are abandoned. A process manager must wait longer before it
 * kills the worker.
 */
export const SHUTDOWN = { shutdownGraceTime: 10_000, shutdownForceTime: 20_000 } as const;
