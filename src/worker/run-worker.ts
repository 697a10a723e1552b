import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Runtime, Worker, type WorkerInterceptors } from '@temporalio/worker';
import { createActivities } from '../../activities/index.ts';
import type { ActivityDeps, TenantRuntime } from '../../activities/support/deps.ts';
import { createKeySearches } from '../../activities/support/key-searches.ts';
import { DEFAULT_VENDOR_RATE, TASK_QUEUES } from '../../temporal.config.ts';
import { startGuard } from '../intake/guard.ts';
import { createIntake } from '../intake/intake.ts';
import { showStanding } from '../intake/show-standing.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Logger } from '../platform/logger.ts';
import type { TemporalConnection } from '../platform/temporal-connection.ts';
import type { Tenant } from '../platform/tenant.ts';
import { beatWhileRunning, LONGEST_BEAT_PAUSE } from './heartbeats.ts';
import { keepSchedules } from './keep-schedules.ts';
import { createKeyScope, type KeyScope } from './key-scope.ts';
import { connectRemotes } from './remotes.ts';
import { ensureSearchAttributes } from './search-attributes.ts';
import { CACHED_WORKFLOWS, SLOTS } from './slots.ts';
import { createSlowRemotes, type SlowRemotes } from './slow-remotes.ts';
import { limitVendorQueue } from './task-queue-limits.ts';
import { type Queue, shareSlots } from './tenant-share.ts';
import { createTurns } from './turns.ts';
import { workflowBundle } from './workflow-bundle.ts';

export type WorkerOptions = {
  readonly temporal: TemporalConnection;
  readonly tenants: readonly Tenant[];
  readonly ledger: Ledger;
  readonly log: Logger;
  /** Ends the worker: running activities get time to finish, then the promise resolves. */
  readonly signal: AbortSignal;
  /** Called once both workers poll, with a question to Temporal that rejects when it does not answer. */
  readonly onReady?: (askTemporal: () => Promise<unknown>) => void;
};

/** A worker that has stopped polling may hang on an activity that ignores its signal; then it is left behind. */
const SHUTDOWN = { shutdownGraceTime: '10 seconds', shutdownForceTime: '20 seconds' } as const;

/** Records that failed come again as fast as a vendor takes requests at the usual rate. */
const TURNS = { perSecond: DEFAULT_VENDOR_RATE, longestMs: 600_000 } as const;

/**
 * Runs all tenants' workflows and activities until the signal: the composition root of a worker process. Brings the
 * namespace's search attributes and the vendor queue's limits to what the tenant files say, and, once it works, the schedules.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { temporal, tenants, ledger, log, signal } = options;
  const connection = await Connection.connect(temporal.options);
  const native = await NativeConnection.connect(temporal.options);
  const slow = createSlowRemotes();
  const keys = createKeyScope();
  const runtimes = new Map(
    tenants.map((tenant) => [
      tenant.tenant,
      connectRemotes(tenant, {
        keys,
        watch: slow.watch(tenant.tenant),
        onTheirWay: () => ledger.countOnTheirWay(tenant.tenant),
      }),
    ]),
  );
  try {
    const client = new Client({ connection, namespace: temporal.namespace });
    await ensureSearchAttributes(connection, temporal.namespace, log);
    await limitVendorQueue(connection, temporal.namespace, tenants, log);
    const activities = createActivities(depsOf(client, ledger, runtimes, keys));
    const workers = await createWorkers(native, temporal.namespace, activities, slow);
    signal.addEventListener('abort', () => stop(workers), { once: true });
    if (signal.aborted) stop(workers);
    const running = workers.map((worker) => worker.run());
    log.info('the worker is ready', { count: tenants.length, address: temporal.address });
    options.onReady?.(() => connection.workflowService.getSystemInfo({}));
    const over = new AbortController();
    const schedules = keepSchedules(client.schedule, tenants, log, AbortSignal.any([signal, over.signal]));
    try {
      await untilAllEnd(workers, running);
    } finally {
      over.abort();
      await schedules;
    }
  } finally {
    await Promise.all([...runtimes.values()].map(({ crm }) => crm.close()));
    await native.close();
    await connection.close();
  }
}

function depsOf(
  client: Client,
  ledger: Ledger,
  runtimes: ReadonlyMap<string, TenantRuntime>,
  { withKey }: KeyScope,
): ActivityDeps {
  return {
    ledger,
    runtime: (tenant) => {
      const runtime = runtimes.get(tenant);
      if (runtime === undefined) throw new TypeError(`this worker does not serve the tenant ${tenant}`);
      return runtime;
    },
    wake: createIntake(client, ledger).wake,
    startGuard: (tenant, group) => startGuard(client, tenant, group),
    showStanding: (standing) => showStanding(client, standing),
    withKey,
    keySearches: createKeySearches(),
    now: () => new Date().toISOString(),
  };
}

async function createWorkers(
  connection: NativeConnection,
  namespace: string,
  activities: ReturnType<typeof createActivities>,
  slow: SlowRemotes,
): Promise<readonly Worker[]> {
  const bundle = await workflowBundle({ logger: Runtime.instance().logger });
  const common = {
    connection,
    namespace,
    activities,
    maxHeartbeatThrottleInterval: LONGEST_BEAT_PAUSE,
    ...SHUTDOWN,
  };
  const slots = {
    ...{ sync: SLOTS.syncActivities, vendor: SLOTS.vendorActivities },
    firstTries: SLOTS.workflowTasks,
  };
  const share = shareSlots(slots, createTurns(TURNS), slow);
  const sharing = (queue: Queue): WorkerInterceptors => ({ activity: [beatWhileRunning, share(queue)] });
  return Promise.all([
    Worker.create({
      ...common,
      taskQueue: TASK_QUEUES.sync,
      workflowBundle: bundle,
      maxCachedWorkflows: CACHED_WORKFLOWS,
      interceptors: sharing('sync'),
      maxConcurrentActivityTaskExecutions: SLOTS.syncActivities,
      maxConcurrentWorkflowTaskExecutions: SLOTS.workflowTasks,
      maxConcurrentLocalActivityExecutions: SLOTS.workflowTasks,
    }),
    Worker.create({
      ...common,
      taskQueue: TASK_QUEUES.vendor,
      interceptors: sharing('vendor'),
      maxConcurrentActivityTaskExecutions: SLOTS.vendorActivities,
    }),
  ]);
}

/** When one fails, the others end too: their connection cannot be closed under them, and that would hide the reason. */
async function untilAllEnd(workers: readonly Worker[], running: readonly Promise<void>[]): Promise<void> {
  try {
    await Promise.all(running);
  } finally {
    stop(workers);
    await Promise.allSettled(running);
  }
}

function stop(workers: readonly Worker[]): void {
  for (const worker of workers) {
    if (worker.getState() === 'RUNNING') worker.shutdown();
  }
}
