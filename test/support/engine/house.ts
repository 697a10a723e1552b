import type { Client } from '@temporalio/client';
import { createActivities } from '../../../activities/index.ts';
import type { ActivityDeps, TenantRuntime, VendorPace } from '../../../activities/support/deps.ts';
import { createIntake, type Intake } from '../../../src/intake/intake.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { laneLedger } from '../../../src/worker/lane-ledger.ts';
import { workflowIds } from '../../../temporal.config.ts';
import { createInterruptions, type Interruptions } from './interruptions.ts';
import { createTold, type Told } from './reported.ts';
import { createScheduler, type Scheduler, type SchedulerParts } from './scheduler.ts';
import type { VirtualClock } from './virtual-clock.ts';
import type { SearchAttributes } from './workflow-host.ts';

/** What the tenants of a story share: one worker, one ledger, one Temporal. */
export interface House {
  readonly ledger: Ledger;
  readonly intake: Intake;
  readonly scheduler: Scheduler;
  readonly interruptions: Interruptions;
  /** The record of what the engine was notified of for this tenant. */
  result(tenant: string): Told;
  serve(tenant: string, runtime: TenantRuntime): void;
  /** Registers a function that runs at each moment at which nothing changes. */
  watch(look: (untilMs: number) => Promise<void>): void;
}

/** The lane takes all or some of the woken records, this many at a time. */
export type Lane = { readonly takes: 'all' | 'some'; readonly width: number };

type Activities = ReturnType<SchedulerParts['activities']>;

type HouseOptions = {
  readonly seed: number;
  readonly burstFrom?: number;
  readonly lane?: Lane;
  readonly vendorPace?: VendorPace;
};

type Ground = {
  readonly clock: VirtualClock;
  readonly ledger: Ledger;
  readonly workflows: SchedulerParts['workflows'];
};

/** `seed`: for the scheduler's choices; `burstFrom`: see `ActivityDeps`. */
export function openHouse(
  { clock, workflows, ...ground }: Ground,
  { seed, burstFrom, lane, vendorPace }: HouseOptions,
): House {
  const interruptions = createInterruptions();
  const runtimes = new Map<string, TenantRuntime>();
  const tolds = new Map<string, Told>();
  const looks: ((untilMs: number) => Promise<void>)[] = [];
  const result = (tenant: string): Told => {
    const known = tolds.get(tenant) ?? createTold(clock.readMs);
    tolds.set(tenant, known);
    return known;
  };
  const heard = (tenant: string): Ledger => result(tenant).listening(ground.ledger);
  const ledger: Ledger = {
    ...ground.ledger,
    markDue: (tenant, ...args) => heard(tenant).markDue(tenant, ...args),
    recordDeliveries: (tenant, ...args) => heard(tenant).recordDeliveries(tenant, ...args),
  };
  const deps: ActivityDeps = {
    ledger: interruptions.wrap(ledger),
    runtime: (tenant) => {
      const runtime = runtimes.get(tenant);
      if (runtime === undefined) throw new TypeError(`no tenant ${tenant}`);
      return runtime;
    },
    wake: async (...args) => intake.wake(...args),
    delegate: async (tenant, key, at) => intake.delegate(tenant, key, at),
    requestStream: async (tenant, stream) => intake.requestStream(tenant, stream),
    requestNotices: async (tenant) => intake.requestStream(tenant, 'notifyOwners'),
    laneWidth: lane?.width ?? 1,
    usesLane: lane !== undefined,
    publishStatus: async () => {},
    startGuard: async (tenant, group) => {
      scheduler.start(workflowIds.guardTenant(tenant, group), 'guardTenant', { tenant, group });
    },
    ...(burstFrom === undefined ? {} : { burstFrom }),
    ...(vendorPace === undefined ? {} : { vendorPace }),
    now: clock.now,
  };
  // Calls that share a statement are those of one turn of the event loop, because the clock is virtual.
  const oneTurn = (): Promise<void> => new Promise((goOn) => setImmediate(goOn));
  const worker = (): Activities =>
    createActivities({ ...deps, laneLedger: laneLedger(deps.ledger, oneTurn) }) as unknown as Activities;
  let [activities, losses, tries] = [worker(), 0, 0];
  const scheduler = createScheduler({
    clock,
    interruptions,
    workflows,
    // A worker's memory is lost with it, and remains if the worker only pauses.
    activities: () => {
      if (interruptions.losses() > losses) [activities, losses] = [worker(), interruptions.losses()];
      return activities;
    },
    pick: generator(seed),
    // True for every other task, so that runs replay whose tasks were continued by another task.
    isTaskOver: () => {
      tries += 1;
      return tries % 2 === 0;
    },
    onStandstill: async (untilMs) => {
      for (const look of looks) await look(untilMs);
    },
  });
  const intake = intakeOf(scheduler, interruptions.wrap(ledger, undefined, 'waking'), lane, generator(seed + 1));
  return {
    ledger,
    intake,
    scheduler,
    interruptions,
    result,
    serve: (tenant, runtime) => void runtimes.set(tenant, runtime),
    watch: (look) => void looks.push(look),
  };
}

/** The intake. If the lane takes only some woken records, the others get their own workflows. */
function intakeOf(scheduler: Scheduler, ledger: Ledger, lane: Lane | undefined, pick: (n: number) => number): Intake {
  const client = clientOf(scheduler);
  const alone = createIntake(client, ledger);
  if (lane === undefined) return alone;
  const together = createIntake(client, ledger, { lane: { from: 1 } });
  return {
    ...together,
    wake: (...args) => (lane.takes === 'some' && pick(2) === 0 ? alone : together).wake(...args),
  };
}

type SignalWithStart = {
  readonly workflowId: string;
  readonly args: readonly unknown[];
  readonly signal: { readonly name: string };
  readonly signalArgs?: readonly unknown[];
  readonly typedSearchAttributes?: SearchAttributes;
};

/** The part of Temporal's client that waking a record uses. */
function clientOf(scheduler: Scheduler): Client {
  const signalWithStart = async (workflow: string, options: SignalWithStart): Promise<void> => {
    scheduler.start(options.workflowId, workflow, options.args[0], options.typedSearchAttributes);
    scheduler.signal(options.workflowId, options.signal.name, options.signalArgs?.[0]);
  };
  return { workflow: { signalWithStart } } as unknown as Client;
}

/** Mulberry32: equal choices for equal seeds. */
function generator(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}
