/**
 * How much a worker does at once. Work on the sync queue mostly waits to be sent to the CRM together with others; a full
 * request of 144 readings and one of 24 updates have to fit into what one tenant may hold of them, three quarters.
 */
export const SLOTS = { syncActivities: 268, vendorActivities: 100, workflowTasks: 100 } as const;

/**
 * Workflows that a worker keeps in memory, about 0.25 MB each, most of it outside of V8's heap; of the others the history is
 * played again. The SDK's own number grows with the machine: one tenant's flood would fill all of it.
 */
export const CACHED_WORKFLOWS = 500;

/**
 * Connections to the ledger that this many slots keep busy: an activity spends most of its time on a remote system, and a
 * few milliseconds of it in the ledger (`npm run bench:ledger`).
 */
export const LEDGER_CONNECTIONS = Math.ceil((SLOTS.syncActivities + SLOTS.vendorActivities) / 10);

/**
 * How a worker ends, in milliseconds: its activities are told after the first; one that ignores its signal is left behind after the
 * second. Whoever ends a worker waits for longer.
 */
export const SHUTDOWN = { shutdownGraceTime: 10_000, shutdownForceTime: 20_000 } as const;
