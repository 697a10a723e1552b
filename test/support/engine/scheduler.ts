import {
  type AnyFunction,
  type AttemptResult,
  attemptActivity,
  caught,
  deathNoticedMs,
  retryDelayMs,
  timedOut,
} from './activity-attempt.ts';
import type { Interruptions } from './interruptions.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { type Command, type Outcome, toJson, WORKFLOW_TASK_MS } from './workflow-code.ts';
import { type ActivityCall, ContinueAsNew, type SearchAttributes } from './workflow-host.ts';
import { WorkflowRun } from './workflow-run.ts';

type Job = {
  readonly run: WorkflowRun | null;
  readonly seq: number | null;
  readonly dueMs: number;
  perform(): Promise<void>;
};

type Attempt = {
  readonly run: WorkflowRun;
  readonly seq: number;
  readonly call: ActivityCall;
  readonly number: number;
};

export type SchedulerParts = {
  readonly clock: VirtualClock;
  readonly interruptions: Interruptions;
  readonly workflows: Readonly<Record<string, AnyFunction>>;
  readonly activities: () => Readonly<Record<string, AnyFunction>>;
  /** Chooses one of n events that can run now. */
  readonly pick: (n: number) => number;
  /** Whether a local activity now outlasts its workflow task, as on a slow worker; absent: never. */
  readonly isTaskOver?: () => boolean;
  /** Called before the clock moves; nothing changes until that time. */
  readonly onStandstill?: (untilMs: number) => Promise<void>;
};

export type FailedRun = { readonly id: string; readonly error: unknown };

/**
 * Temporal's part for the real workflows and activities, one event at a time on a virtual clock: one run per id, signals, conditions,
 * timers, activity attempts by their retry policy, timeouts after lost workers.
 */
export interface Scheduler {
  /** Starts a run unless a run with this id exists; true if it was started. */
  start(id: string, workflow: string, input: unknown, attributes?: SearchAttributes): boolean;
  signal(id: string, name: string, payload: unknown): void;
  /** Schedules another event. */
  at(dueMs: number, perform: () => Promise<void>): void;
  /** Runs one event that is due by `untilMs` and moves the clock to it; false if there is none. */
  step(untilMs: number): Promise<boolean>;
  /** Lets time pass without a worker: only scheduled events run, each at its time. */
  leap(ms: number): Promise<void>;
  running(): readonly string[];
  /** Loses all runs, as if the namespace were lost. */
  forget(): void;
  /** A search attribute of a present run; null if there is no such run or attribute. */
  searchAttribute(id: string, name: string): unknown;
  readonly failures: readonly FailedRun[];
  /** Results of runs since the last call, by id. */
  takeResults(): ReadonlyMap<string, unknown>;
  /** Executed events, newest last, for failure messages. A local activity is named `local:<name>`. */
  readonly trail: readonly string[];
}

export function createScheduler(parts: SchedulerParts): Scheduler {
  const { clock, isTaskOver = () => false } = parts;
  const runs = new Map<string, WorkflowRun>();
  let results = new Map<string, unknown>();
  const failures: FailedRun[] = [];
  const trail: string[] = [];
  let jobs: Job[] = [];

  function add(run: WorkflowRun | null, delayMs: number, perform: Job['perform'], seq?: number): void {
    jobs.push({ run, seq: seq ?? null, dueMs: clock.readMs() + delayMs, perform });
  }

  function start(id: string, workflow: string, input: unknown, attributes: SearchAttributes = []): boolean {
    if (runs.has(id)) return false;
    const work = parts.workflows[workflow];
    if (work === undefined) throw new TypeError(`no workflow ${workflow}`);
    const identity = { id, workflow, startedMs: clock.readMs() };
    const json = toJson(input);
    const run = new WorkflowRun(identity, () => work(json as never), { executeCommand, ended, isTaskOver });
    runs.set(id, run);
    run.upsert(attributes);
    return true;
  }

  function remove(run: WorkflowRun): void {
    runs.delete(run.identity.id);
    jobs = jobs.filter((job) => job.run !== run);
  }

  function ended(run: WorkflowRun, outcome: Outcome): void {
    const { id, workflow } = run.identity;
    remove(run);
    if ('value' in outcome) results.set(id, outcome.value);
    else if (outcome.error instanceof ContinueAsNew) start(id, workflow, outcome.error.args[0], run.attributes());
    else failures.push({ id, error: outcome.error });
  }

  function executeCommand(run: WorkflowRun, command: Command): void {
    if (command.type === 'activity') {
      queue({ run, seq: command.seq, call: command.call, number: 1 }, 0);
    } else if (command.type === 'timer') {
      const { seq, ms } = command;
      add(run, ms, async () => run.deliver({ type: 'timer', seq }), seq);
    } else if (command.type === 'cancel-timer') {
      jobs = jobs.filter((job) => job.run !== run || job.seq !== command.seq);
    } else {
      run.upsert(command.attributes);
    }
  }

  function queue(attempt: Attempt, delayMs: number): void {
    add(attempt.run, delayMs, () => execute(attempt));
  }

  async function execute(attempt: Attempt): Promise<void> {
    const { run, call, number } = attempt;
    const activity = parts.activities()[call.name];
    if (activity === undefined) throw new TypeError(`no activity ${call.name}`);
    const line = trail.push('') - 1;
    const at = clock.now().slice(11, 23);
    const result = await attemptActivity(activity, call, { number, hand: writerOf(attempt) }, parts);
    const name = call.isLocal ? `local:${call.name}` : call.name;
    trail[line] = `${at} ${run.identity.id} ${name} ${shown(result)}`;
    if (runs.get(run.identity.id) !== run) return;
    if ('value' in result) answer(attempt, result);
    else if ('failure' in result) failed(attempt, result.failure);
    else await lost(attempt, result.lost);
  }

  function answer({ run, seq, call }: Attempt, outcome: Outcome): void {
    const news = { type: 'activity', seq, name: call.name, answer: outcome } as const;
    if (call.isLocal) run.deliverLocal(news);
    else run.deliver(news);
  }

  function failed(attempt: Attempt, failure: Extract<AttemptResult, { failure: unknown }>['failure']): void {
    const delayMs = retryDelayMs(attempt.call, attempt.number, failure);
    if (delayMs === null) answer(attempt, { error: caught(attempt.call, failure) });
    else queue({ ...attempt, number: attempt.number + 1 }, delayMs);
  }

  async function lost(attempt: Attempt, what: 'worker' | 'run'): Promise<void> {
    const { run, call } = attempt;
    if (what === 'run') return remove(run);
    if (call.isLocal) return add(run, WORKFLOW_TASK_MS, () => run.retryTask());
    add(run, deathNoticedMs(call), async () => failed(attempt, timedOut()));
    await run.replay();
  }

  /** Runs the workflows until none can continue. */
  async function proceed(): Promise<void> {
    let isMoving = true;
    while (isMoving) {
      isMoving = false;
      for (const run of [...runs.values()]) isMoving = (await run.proceed()) || isMoving;
    }
  }

  async function step(untilMs: number): Promise<boolean> {
    await proceed();
    const nextMs = Math.min(...jobs.map((job) => job.dueMs));
    if (Math.min(nextMs, untilMs) > clock.readMs()) await parts.onStandstill?.(Math.min(nextMs, untilMs));
    if (nextMs > untilMs) return false;
    clock.advanceTo(nextMs);
    const due = jobs.filter((job) => job.dueMs <= clock.readMs());
    const chosen = due[parts.pick(due.length)];
    if (chosen === undefined) return false;
    jobs = jobs.filter((job) => job !== chosen);
    await chosen.perform();
    await proceed();
    return true;
  }

  async function leap(ms: number): Promise<void> {
    const untilMs = clock.readMs() + ms;
    for (;;) {
      const [next] = jobs
        .filter(({ run, dueMs }) => run === null && dueMs <= untilMs)
        .sort((a, b) => a.dueMs - b.dueMs);
      if (next === undefined) return clock.advanceTo(untilMs);
      jobs = jobs.filter((job) => job !== next);
      clock.advanceTo(next.dueMs);
      await next.perform();
    }
  }

  return {
    start,
    signal: (id, name, payload) => {
      runs.get(id)?.deliver({ type: 'signal', name, payload: toJson(payload) });
    },
    at: (dueMs, perform) => add(null, dueMs - clock.readMs(), perform),
    step,
    leap,
    running: () => [...runs.keys()],
    forget: () => {
      for (const run of runs.values()) remove(run);
    },
    searchAttribute: (id, name) =>
      runs
        .get(id)
        ?.attributes()
        .find(({ key }) => key.name === name)?.value ?? null,
    failures,
    takeResults: () => {
      const taken = results;
      results = new Map();
      return taken;
    },
    trail,
  };
}

/** The writer of an attempt: a run keeps its record from activity to activity, but the lane takes its records again in each activity. */
function writerOf({ run: { identity }, seq, call, number }: Attempt): string {
  const hand = `${identity.id} ${identity.startedMs}`;
  return call.name === 'syncRecords' ? `${hand} ${seq} ${number}` : hand;
}

/** The outcome of an attempt, for the trail. */
function shown(result: AttemptResult): string {
  if ('failure' in result) return `✗ ${String(result.failure)}`;
  if ('lost' in result) return `→ LOST ${result.lost}`;
  const { value } = result;
  if (typeof value !== 'object' || value === null) return `→ ${String(value)}`;
  const { next, reason, state, issues } = value as Record<string, unknown>;
  if (next === undefined) return `→ ${JSON.stringify(value)}`;
  return `→ ${String(next)} (${String(reason)}) ${String(state)} ${JSON.stringify(issues)}`;
}
