/**
 * The maximum numbers of activities of the queues `sync` and `vendor`, and of local activities, that a worker runs at once. An activity
 * keeps its slot while its read or update of a record waits to share a Salesforce request. A full Salesforce request has 25 sub-requests:
 * one query, which reads up to 144 records, and 24 updates. Its 168 activities need 168 slots. One tenant may use three quarters (201) of
 * the 268 slots for sync activities, so that one tenant alone can fill such a request. `localActivities` is also the maximum number of
 * workflow tasks, because each of them may wait for a local activity.
 */
export const SLOTS = { syncActivities: 268, vendorActivities: 100, localActivities: 100 } as const;

/**
 * The maximum number of workflows in a worker's cache. Each takes about 0.25 MB, mostly outside of V8's heap. With the SDK's default, a
 * flood of one tenant's records would fill the machine's memory. A workflow that is not in the cache is replayed from its history.
 */
export const CACHED_WORKFLOWS = 500;

/**
 * How many connections to the ledger (Lockstep's PostgreSQL database) a worker opens. They may be fewer than the activities that run at
 * once, because an activity mostly waits for Salesforce or the vendor, and uses the ledger for a few milliseconds (`npm run bench:ledger`).
 */
export const LEDGER_CONNECTIONS = Math.ceil((SLOTS.syncActivities + SLOTS.vendorActivities) / 10);

/**
 * The two times of a worker's shutdown, in milliseconds. After the first, running activities are cancelled; after the second, those that
 * still run are abandoned. A process manager must wait longer before it kills the worker.
 */
export const SHUTDOWN = { shutdownGraceTime: 10_000, shutdownForceTime: 20_000 } as const;
