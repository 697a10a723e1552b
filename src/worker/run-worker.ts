import type { Context } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker, type WorkerInterceptors } from '@temporalio/worker';
import type { Fleet } from '../../activities/fleet/fleet.ts';
import { createActivities } from '../../activities/index.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { createKeySearches } from '../../activities/support/key-searches.ts';
import { DEFAULT_VENDOR_RATE, TASK_QUEUES } from '../../temporal.config.ts';
import { startGuard } from '../intake/guard.ts';
import { createIntake } from '../intake/intake.ts';
import type { LaneOptions } from '../intake/lane.ts';
import { publishStatus } from '../intake/publish-status.ts';
import { createStreamRequests } from '../intake/stream-requests.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { LiveRoster } from '../platform/live-roster.ts';
import type { Logger } from '../platform/logger.ts';
import type { WorkerVersion } from '../platform/settings.ts';
import type { TemporalConnection } from '../platform/temporal-connection.ts';
import { clientTracing } from '../tracing/client-tracing.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { activityTracing, runTracing } from '../tracing/worker-tracing.ts';
import { admitOrg } from './admit-org.ts';
import { type CrmBudget, createCrmBudget } from './crm-budget.ts';
import { endWorkflows } from './end-workflows.ts';
import { fleetOf } from './fleet.ts';
import { beatWhileRunning, LONGEST_BEAT_PAUSE } from './heartbeats.ts';
import { keepSchedules } from './keep-schedules.ts';
import { createKeyScope, type KeyScope } from './key-scope.ts';
import { laneLedger } from './lane-ledger.ts';
import { createLanesUnderWay, type LanesUnderWay } from './lanes-under-way.ts';
import { ledgerInTurns } from './ledger-in-turns.ts';
import { type RemotesWatch, watchRemoteHealth } from './remote-health.ts';
import { connectRemotes } from './remotes.ts';
import { createRuntimes, type Runtimes } from './runtimes.ts';
import { ensureSearchAttributes } from './search-attributes.ts';
import { createShardBeats, type ShardBeats } from './shard-beats.ts';
import { shardRunsOf } from './shard-runs.ts';
import { CACHED_WORKFLOWS, SHUTDOWN, SLOTS } from './slots.ts';
import { createSlowRemotes, type SlowRemotes } from './slow-remotes.ts';
import { limitVendorQueue } from './task-queue-limits.ts';
import { type Queue, shareSlots } from './tenant-share.ts';
import { createTurns } from './turns.ts';
import { createUnderWay, type UnderWay } from './under-way.ts';
import { createVendorPace } from './vendor-pace.ts';
import type { WorkCounters } from './work-counters.ts';
import type { WorkerLoad } from './worker-load.ts';
import { versionOptions } from './worker-versioning.ts';
import { workflowBundle } from './workflow-bundle.ts';

export type WorkerOptions = {
  readonly temporal: TemporalConnection;
  /** The list of the worker's tenants. Tenants are added, changed and removed while the worker runs. */
  readonly roster: LiveRoster;
  readonly ledger: Ledger;
  readonly log: Logger;
  readonly counters: WorkCounters;
  /** Limits how much work the worker executes at once. */
  readonly load: WorkerLoad;
  /** The worker's version for Temporal's Worker Versioning; null without Worker Versioning. */
  readonly version: WorkerVersion | null;
  /** The conditions under which records go to a tenant's lane (a workflow for many records); null if each record has its own workflow. */
  readonly lane: LaneOptions | null;
  /** Notifies operators of changed states of tenants, such as a pause; absent if there is no notices file. */
  readonly notify?: Fleet['notify'] | undefined;
  /** The worker's tracing; null if no traces are exported. */
  readonly tracing: Tracing | null;
  /** When it aborts, the worker stops: running activities may finish, then the promise of `runWorker` resolves. */
  readonly signal: AbortSignal;
  /**
   * Called once both Temporal workers ask for tasks. `askTemporal` checks the connection to Temporal: it rejects if the server does not
   * answer.
   */
  readonly onReady?: (askTemporal: () => Promise<unknown>) => void;
};

/**
 * How fast failed records of one tenant are retried: at the vendor's usual request rate, but each record after `longestMs` at the latest.
 */
const TURNS = { perSecond: DEFAULT_VENDOR_RATE, longestMs: 600_000 } as const;

/**
 * Runs the workflows and activities of all tenants until the signal aborts. It creates all parts of a worker process. When declared tenants
 * change, it updates search attributes, the rate limits of the vendor's task queue, the tenants' connections and the schedules.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { temporal, roster, ledger, log, counters, tracing } = options;
  const connection = await Connection.connect(temporal.options);
  const native = await NativeConnection.connect(temporal.options);
  const slow = createSlowRemotes();
  const keys = createKeyScope();
  const budget = createCrmBudget({
    ledger,
    now: () => new Date().toISOString(),
    onFailure: (err) => log.warn('the counts of calls to Salesforce could not be stored', { err }),
  });
  const lanes = createLanesUnderWay();
  const runtimes = runtimesOf(roster, { counters, ledger, slow, keys, budget, lanes, log });
  const underWay = createUnderWay();
  const health = watchRemoteHealth({
    ledger,
    now: () => new Date().toISOString(),
    onFailure: (err) => log.warn('the health of remotes could not be stored', { err }),
  });
  try {
    const client = clientOf(connection, temporal.namespace, tracing);
    await ensureSearchAttributes(connection, temporal.namespace, log);
    await limitVendorQueue(connection, temporal.namespace, { tenants: roster.tenants() }, log);
    const { lane, signal: stopping, notify } = options;
    const beats = createShardBeats({ ledger, runs: shardRunsOf(client), log });
    const fleet = {
      ...fleetOf(client, roster, { runtimes, beats }, stopping),
      ...(notify === undefined ? {} : { notify }),
    };
    const [onStep, onArrival] = [listensTo(counters, health), counters.arrived];
    const activities = createActivities(
      depsOf(client, { ledger, runtimes, keys, budget, lanes, fleet, lane, stopping, onStep, onArrival, log }),
    );
    const { load, version } = options;
    const around = { counters, load, slow, health, runtimes, underWay, tracing, version };
    const workers = await createWorkers(native, temporal.namespace, activities, around);
    await runUntilStopped(workers, client, { underWay, budget, beats }, options);
  } finally {
    await runtimes.close();
    await native.close();
    await connection.close();
  }
}

function clientOf(connection: Connection, namespace: string, tracing: Tracing | null): Client {
  const interceptors = tracing === null ? {} : { interceptors: { workflow: [clientTracing(tracing)] } };
  return new Client({ connection, namespace, ...interceptors });
}

/** Runs the Temporal workers until the signal aborts, then waits until their activities have ended. */
async function runUntilStopped(
  workers: readonly Worker[],
  client: Client,
  { underWay, budget, beats }: { readonly underWay: UnderWay; readonly budget: CrmBudget; readonly beats: ShardBeats },
  options: WorkerOptions,
): Promise<void> {
  const { temporal, roster, log, signal, version } = options;
  const running = workers.map((worker) => worker.run());
  const ended = untilAllEnd(workers, running);
  const stopped = onceAborted(signal, () => {
    stop(workers);
    return underWay.logUntil(ended, log, SHUTDOWN.shutdownForceTime);
  });
  const count = roster.tenants().length;
  log.info('the worker is ready', { count, address: temporal.address, version: version?.buildId });
  options.onReady?.(() => client.workflowService.getSystemInfo({}));
  const over = new AbortController();
  const ending = AbortSignal.any([signal, over.signal]);
  const kept = [keepTenants(client, options, ending), budget.keep(ending), beats.keep(ending)];
  try {
    await ended;
  } finally {
    over.abort();
    await Promise.all([...kept, stopped()]);
  }
}

type Parts = {
  readonly counters: WorkCounters;
  readonly ledger: Ledger;
  readonly slow: SlowRemotes;
  readonly keys: KeyScope;
  readonly budget: CrmBudget;
  readonly lanes: LanesUnderWay;
  readonly log: Logger;
};

/**
 * Log messages about the number of updates that one call to an org can contain. Lockstep sends updates as composite graphs only if the org
 * respects conditions (`If-Unmodified-Since`) in them. Without the condition, an update could overwrite a user's change. A call with
 * composite graphs contains up to 75 updates, any other call up to 25. The more updates a call contains, the fewer API calls are used up.
 */
const GRAPHS = {
  taken: 'Salesforce keeps conditions in composite graphs: up to 75 updates go in a call',
  left: 'Salesforce keeps no conditions in composite graphs: up to 25 updates go in a call',
} as const;

/** Opens the tenants' connections, and opens and closes connections when the roster (the list of tenants) changes. */
function runtimesOf(roster: LiveRoster, parts: Parts): Runtimes {
  const { counters, ledger, slow, keys, budget, lanes, log } = parts;
  const runtimes = createRuntimes((tenant) => {
    const remotes = connectRemotes(tenant, {
      keys,
      watch: slow.watch(tenant.tenant),
      onCrmRequest: (request) => {
        budget.onAnswer(tenant.tenant, request);
        counters.crm(tenant.tenant, request);
      },
      onGraphConditions: (doCount) => log.info(GRAPHS[doCount ? 'taken' : 'left'], { tenant: tenant.tenant }),
      admitOrg: admitOrg({ ledger, now: () => new Date().toISOString() }, tenant),
      onTheirWay: async () => lanes.of(tenant.tenant) + (await ledger.countOnTheirWay(tenant.tenant)),
    });
    return { ...remotes, vendor: counters.vendor(tenant.tenant, remotes.vendor) };
  }, log);
  runtimes.follow(roster.roster());
  roster.onChange(() => runtimes.follow(roster.roster()));
  return runtimes;
}

/**
 * Keeps the roster (the list of tenants) current until the signal aborts. After each change, updates the rate limits of the vendor's task
 * queue and the schedules.
 */
async function keepTenants(
  client: Client,
  { temporal, roster, log }: WorkerOptions,
  signal: AbortSignal,
): Promise<void> {
  roster.onChange((names) => {
    const { served, unavailable } = roster.roster();
    const tenants = names.flatMap((name) => served.get(name)?.tenant ?? []);
    const gone = names.filter((name) => !served.has(name) && !unavailable.has(name));
    void limitVendorQueue(client.connection as Connection, temporal.namespace, { tenants, gone }, log);
  });
  const schedules = {
    client: client.schedule,
    roster,
    log,
    endWorkflows: (tenant: string, version: number) => endWorkflows(client, tenant, version),
  };
  await Promise.all([roster.watch(signal), keepSchedules(schedules, signal)]);
}

type Deps = Pick<Parts, 'ledger' | 'keys' | 'budget' | 'lanes' | 'log'> & {
  readonly runtimes: Runtimes;
  readonly fleet: Fleet;
  readonly lane: LaneOptions | null;
  readonly stopping: AbortSignal;
  readonly onStep: NonNullable<ActivityDeps['onStep']>;
  readonly onArrival: NonNullable<ActivityDeps['onArrival']>;
};

function depsOf(client: Client, deps: Deps): ActivityDeps {
  const { ledger, runtimes, keys, budget, fleet, lanes, lane, stopping, onStep, onArrival, log } = deps;
  const { wake, delegate, requestStream } = createIntake(client, ledger, { lane });
  const requests = createStreamRequests({ requestStream });
  return {
    ...{ ledger, wake, delegate, requestStream, lanes, stopping, onStep, onArrival, usesLane: lane !== null },
    runtime: (tenant) => runtimes.of(tenant),
    requestNotices: async (tenant) => {
      void requests.request(tenant, 'notifyOwners').catch((err: unknown) => {
        log.warn('notices to owners wait for the upkeep of the tenant', { err, tenant });
      });
    },
    startGuard: (tenant, group) => startGuard(client, tenant, group),
    publishStatus: (status) => publishStatus(client, status),
    withKey: keys.withKey,
    crmBudget: budget,
    fleet,
    keySearches: createKeySearches(),
    laneLedger: laneLedger(ledger),
    bulkLedger: ledgerInTurns(ledger),
    vendorPace: createVendorPace(),
    now: () => new Date().toISOString(),
  };
}

/**
 * Makes the listener for the steps of records (such as `planSync`) that run inside a lane's activity, which processes many records. Each
 * step counts as if it were an activity of its own. If a step decides what Lockstep does next with its record (`end.next`), the metrics
 * count this decision. The health of the remote systems takes into account whether the step failed.
 */
function listensTo(counters: WorkCounters, health: RemotesWatch): NonNullable<ActivityDeps['onStep']> {
  return (tenant, step, end) => {
    health.ended(tenant, step, end instanceof Error ? end : null);
    if (end !== null && 'next' in end) counters.decided(tenant, end.next);
  };
}

type Around = {
  readonly counters: WorkCounters;
  readonly load: WorkerLoad;
  readonly slow: SlowRemotes;
  readonly health: RemotesWatch;
  readonly runtimes: Runtimes;
  readonly underWay: UnderWay;
  readonly tracing: Tracing | null;
  readonly version: WorkerVersion | null;
};

async function createWorkers(
  connection: NativeConnection,
  namespace: string,
  activities: ReturnType<typeof createActivities>,
  { counters, load, slow, health, runtimes, underWay, tracing, version }: Around,
): Promise<readonly Worker[]> {
  const bundle = await workflowBundle({ traced: tracing !== null });
  const common = {
    connection,
    namespace,
    activities,
    maxHeartbeatThrottleInterval: LONGEST_BEAT_PAUSE,
    ...SHUTDOWN,
    ...versionOptions(version),
    ...(tracing === null ? {} : { sinks: runTracing(tracing) }),
  };
  const slots = {
    ...{ sync: SLOTS.syncActivities, vendor: SLOTS.vendorActivities },
    localActivities: SLOTS.localActivities,
  };
  const share = shareSlots(slots, createTurns(TURNS), slow);
  const sharing = (queue: Queue): WorkerInterceptors => ({
    activity: [
      ...(tracing === null ? [] : [(context: Context) => activityTracing(tracing, context)]),
      (context) => underWay.around(context),
      beatWhileRunning,
      (context) => runtimes.around(context),
      load.byLag,
      share(queue),
      (context) => health.around(context),
      () => counters.decisions(),
    ],
  });
  return Promise.all([
    Worker.create({
      ...common,
      taskQueue: TASK_QUEUES.sync,
      workflowBundle: bundle,
      maxCachedWorkflows: CACHED_WORKFLOWS,
      interceptors: sharing('sync'),
      tuner: load.tuner,
    }),
    Worker.create({
      ...common,
      taskQueue: TASK_QUEUES.vendor,
      interceptors: sharing('vendor'),
      maxConcurrentActivityTaskExecutions: SLOTS.vendorActivities,
    }),
  ]);
}

/**
 * Waits until all workers have ended. If one fails, the others are stopped before the connection is closed. Otherwise their errors would
 * hide the reason of the failure.
 */
async function untilAllEnd(workers: readonly Worker[], running: readonly Promise<void>[]): Promise<void> {
  try {
    await Promise.all(running);
  } finally {
    stop(workers);
    await Promise.allSettled(running);
  }
}

/**
 * Calls `begin` when the signal aborts, or at once if the signal is aborted already. Returns a function that waits until `begin` has ended.
 */
function onceAborted(signal: AbortSignal, begin: () => Promise<void>): () => Promise<void> {
  let begun = Promise.resolve();
  const start = (): void => {
    begun = begin();
  };
  if (signal.aborted) start();
  else signal.addEventListener('abort', start, { once: true });
  return () => begun;
}

function stop(workers: readonly Worker[]): void {
  for (const worker of workers) {
    if (worker.getState() === 'RUNNING') worker.shutdown();
  }
}
