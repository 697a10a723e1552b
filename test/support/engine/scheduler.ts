import {
  ActivityFailure,
  type ActivityOptions,
  type ApplicationFailure,
  ensureApplicationFailure,
  RetryState,
  TimeoutFailure,
  TimeoutType,
} from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { Interruptions } from './interruptions.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { ContinueAsNew, LOCAL, runAsWorkflow, type WorkflowHost } from './workflow-runtime.ts';

type Job = { readonly run: Run | null; readonly dueMs: number; perform(): Promise<void> };
type Wait = { readonly check: () => boolean; finish(value: boolean): void };

type Run = {
  readonly id: string;
  readonly handlers: Map<string, (...args: never[]) => unknown>;
  readonly waits: Set<Wait>;
  ended: boolean;
};

type Attempt = {
  readonly run: Run;
  readonly name: string;
  readonly args: readonly unknown[];
  readonly options: ActivityOptions;
  readonly attempt: number;
  readonly settle: { resolve(value: unknown): void; reject(error: Error): void };
};

type AnyFunction = (...args: never[]) => Promise<unknown>;

export type SchedulerParts = {
  readonly clock: VirtualClock;
  readonly interruptions: Interruptions;
  readonly workflows: Readonly<Record<string, AnyFunction>>;
  readonly activities: () => Readonly<Record<string, AnyFunction>>;
  /** Chooses one of n that may go on now. */
  readonly pick: (n: number) => number;
};

export type FailedRun = { readonly id: string; readonly error: unknown };

/**
 * Temporal's part for the real workflows and activities, one thing at a time and on a virtual clock: one run per id,
 * signals, conditions, timers, activity attempts by their retry policy, time-outs of lost workers.
 */
export interface Scheduler {
  /** Starts a run unless one with this id is there; true when it was started. */
  start(id: string, workflow: string, input: unknown): boolean;
  signal(id: string, name: string, payload: unknown): void;
  /** Something else that happens at a time. */
  at(dueMs: number, perform: () => Promise<void>): void;
  /** Performs one thing that is due not later than `untilMs`, moving the clock to it; false when there is none. */
  step(untilMs: number): Promise<boolean>;
  running(): readonly string[];
  readonly failures: readonly FailedRun[];
  /** What runs gave since this was asked last, by id. */
  takeResults(): ReadonlyMap<string, unknown>;
  /** What was carried out, newest last: for the story of a failure. */
  readonly trail: readonly string[];
}

const SILENT = (() => {
  const say = (): void => undefined;
  return { log: say, trace: say, debug: say, info: say, warn: say, error: say };
})();

/** How long an activity takes before its first call. */
const ACTIVITY_MS = 20;
/** After this long without a worker a workflow task goes to another one. */
const WORKFLOW_TASK_MS = 10_000;

export function createScheduler(parts: SchedulerParts): Scheduler {
  const { clock, interruptions } = parts;
  const runs = new Map<string, Run>();
  let results = new Map<string, unknown>();
  const failures: FailedRun[] = [];
  const trail: string[] = [];
  let jobs: Job[] = [];

  function add(run: Run | null, dueMs: number, perform: () => Promise<void>): void {
    jobs.push({ run, dueMs, perform });
  }

  function end(run: Run): void {
    run.ended = true;
    runs.delete(run.id);
    jobs = jobs.filter((job) => job.run !== run);
  }

  function start(id: string, workflow: string, input: unknown): boolean {
    if (runs.has(id)) return false;
    const run: Run = { id, handlers: new Map(), waits: new Set(), ended: false };
    runs.set(id, run);
    const work = parts.workflows[workflow];
    if (work === undefined) throw new TypeError(`no workflow ${workflow}`);
    runAsWorkflow(hostOf(run), () => work(toJson(input) as never)).then(
      (value) => {
        end(run);
        results.set(id, value);
      },
      (error: unknown) => {
        end(run);
        if (error instanceof ContinueAsNew) start(id, workflow, error.args[0]);
        else failures.push({ id, error });
      },
    );
    return true;
  }

  function hostOf(run: Run): WorkflowHost {
    return {
      setHandler: (name, handler) => {
        run.handlers.set(name, handler);
      },
      condition: (check, limitMs) =>
        new Promise((resolve) => {
          if (check()) return resolve(true);
          const wait: Wait = {
            check,
            finish: (value) => {
              if (run.waits.delete(wait)) resolve(value);
            },
          };
          run.waits.add(wait);
          if (limitMs !== undefined) add(run, clock.readMs() + limitMs, async () => wait.finish(false));
        }),
      schedule: (name, args, options) =>
        new Promise((resolve, reject) => {
          const settle = { resolve, reject };
          queue({ run, name, args: toJson(args) as unknown[], options, attempt: 1, settle }, 0);
        }),
    };
  }

  function queue(attempt: Attempt, delayMs: number): void {
    add(attempt.run, clock.readMs() + delayMs, () => execute(attempt));
  }

  async function execute(attempt: Attempt): Promise<void> {
    const { run, name, args, settle } = attempt;
    const activity = parts.activities()[name];
    if (activity === undefined) throw new TypeError(`no activity ${name}`);
    clock.advance(ACTIVITY_MS);
    const at = clock.now().slice(11, 23);
    const line = trail.push('') - 1;
    try {
      const outcome = await interruptions.run(() =>
        new MockActivityEnvironment({}, { logger: SILENT }).run(activity as never, ...(args as never[])),
      );
      trail[line] = `${at} ${run.id} ${name} → ${told('lost' in outcome ? outcome : outcome.value)}`;
      if (run.ended) return;
      if (!('lost' in outcome)) return settle.resolve(toJson(outcome.value));
      if (outcome.lost === 'run') return end(run);
      if (LOCAL in attempt.options) return queue(attempt, WORKFLOW_TASK_MS);
      add(run, clock.readMs() + deathNoticedMs(attempt.options), async () => failed(attempt, timedOut()));
    } catch (error) {
      trail[line] = `${at} ${run.id} ${name} ✗ ${String(error)}`;
      if (!run.ended) failed(attempt, ensureApplicationFailure(error));
    }
  }

  function failed(attempt: Attempt, cause: ApplicationFailure | TimeoutFailure): void {
    const delayMs = retryDelay(attempt, cause);
    const { name, settle } = attempt;
    if (delayMs !== null) queue({ ...attempt, attempt: attempt.attempt + 1 }, delayMs);
    // What a local activity throws comes as it is.
    else if (LOCAL in attempt.options) settle.reject(cause);
    else
      settle.reject(
        new ActivityFailure('activity failed', name, '1', RetryState.MAXIMUM_ATTEMPTS_REACHED, 'test', cause),
      );
  }

  /** Lets the workflows go on as far as they can. */
  async function settleWorkflows(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const woken = [...runs.values()].flatMap((run) => [...run.waits].filter((wait) => wait.check()));
      if (woken.length === 0) return;
      for (const wait of woken) wait.finish(true);
    }
  }

  async function step(untilMs: number): Promise<boolean> {
    await settleWorkflows();
    const nextMs = Math.min(...jobs.map((job) => job.dueMs));
    if (nextMs > untilMs) return false;
    clock.advanceTo(nextMs);
    const due = jobs.filter((job) => job.dueMs <= clock.readMs());
    const chosen = due[parts.pick(due.length)];
    if (chosen === undefined) return false;
    jobs = jobs.filter((job) => job !== chosen);
    await chosen.perform();
    await settleWorkflows();
    return true;
  }

  return {
    start,
    signal: (id, name, payload) => {
      runs.get(id)?.handlers.get(name)?.(payload as never);
    },
    at: (dueMs, perform) => add(null, dueMs, perform),
    step,
    running: () => [...runs.keys()],
    failures,
    takeResults: () => {
      const taken = results;
      results = new Map();
      return taken;
    },
    trail,
  };
}

function retryDelay(
  { options, attempt }: Attempt,
  cause: ApplicationFailure | TimeoutFailure,
): number | null {
  const {
    maximumAttempts,
    nonRetryableErrorTypes = [],
    initialInterval,
    maximumInterval,
  } = options.retry ?? {};
  if (maximumAttempts !== undefined && attempt >= maximumAttempts) return null;
  const firstMs = toMs(initialInterval ?? '1 second');
  const byPolicyMs = Math.min(firstMs * 2 ** (attempt - 1), toMs(maximumInterval ?? '100 seconds'));
  if (cause instanceof TimeoutFailure) return byPolicyMs;
  if (cause.nonRetryable === true || nonRetryableErrorTypes.includes(cause.type ?? '')) return null;
  return cause.nextRetryDelay === undefined || cause.nextRetryDelay === null
    ? byPolicyMs
    : toMs(cause.nextRetryDelay);
}

/** How long after its worker's death an activity times out. */
function deathNoticedMs({ startToCloseTimeout, heartbeatTimeout }: ActivityOptions): number {
  const limits = [startToCloseTimeout, heartbeatTimeout].filter((limit) => limit !== undefined);
  return Math.min(...limits.map(toMs));
}

function timedOut(): TimeoutFailure {
  return new TimeoutFailure('activity timed out', undefined, TimeoutType.START_TO_CLOSE);
}

const UNITS_MS = { second: 1_000, minute: 60_000, hour: 3_600_000 } as const;

/** Milliseconds of a duration such as `45 seconds`. */
function toMs(duration: string | number): number {
  if (typeof duration === 'number') return duration;
  const match = /^(\d+) (second|minute|hour)s?$/.exec(duration);
  if (match === null) throw new TypeError(`no duration: ${duration}`);
  return Number(match[1]) * UNITS_MS[match[2] as keyof typeof UNITS_MS];
}

/** As it would come out of a history. */
function toJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function told(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { next, reason, lost, state, issues } = value as Record<string, unknown>;
  if (lost !== undefined) return `LOST ${String(lost)}`;
  if (next === undefined) return JSON.stringify(value);
  return `${String(next)} (${String(reason)}) ${String(state)} ${JSON.stringify(issues)}`;
}
