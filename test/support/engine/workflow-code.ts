import { TypedSearchAttributes } from '@temporalio/common';
import type { WorkflowInfo } from '@temporalio/workflow';
import { type ActivityCall, runAsWorkflow, type SearchAttributes, type WorkflowHost } from './workflow-host.ts';

/** Events for a run, in the order of its history. */
export type News =
  | { readonly type: 'signal'; readonly name: string; readonly payload: unknown }
  | { readonly type: 'activity'; readonly seq: number; readonly name: string; readonly answer: Outcome }
  | { readonly type: 'timer'; readonly seq: number };

/** A request of the workflow code to the server. `seq` counts the requests, so that a replay uses the same numbers. */
export type Command =
  | { readonly type: 'activity'; readonly seq: number; readonly call: ActivityCall }
  | { readonly type: 'timer'; readonly seq: number; readonly ms: number }
  | { readonly type: 'cancel-timer'; readonly seq: number }
  | { readonly type: 'upsert'; readonly attributes: SearchAttributes };

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

export type RunIdentity = { readonly id: string; readonly workflow: string; readonly startedMs: number };

/** The server's own limit (`limit.historyCount.suggestContinueAsNew`). */
const SUGGEST_CONTINUE_AS_NEW = 4_096;

type Wait = { readonly check: () => boolean; finish(value: boolean): void };
type Call = { readonly name: string; settle(answer: Outcome): void };

/**
 * The worker's part of one run: the workflow function and its waits. Given the same events, a new instance reaches the same place, as on a
 * worker that replays a history.
 */
export class WorkflowCode implements WorkflowHost {
  readonly #identity: RunIdentity;
  readonly #work: () => Promise<unknown>;
  readonly #handlers = new Map<string, (...args: never[]) => unknown>();
  readonly #waits = new Set<Wait>();
  readonly #timers = new Map<number, Wait>();
  readonly #calls = new Map<number, Call>();
  #commands: Command[] = [];
  #isStarted = false;
  #seq = 0;
  #historyLength = 0;
  /** How the workflow function ended; null while it runs. */
  outcome: Outcome | null = null;

  constructor(identity: RunIdentity, work: () => Promise<unknown>) {
    this.#identity = identity;
    this.#work = work;
  }

  /** Takes events and runs as far as possible. `historyLength` is the length at the start of the workflow task. */
  async tell(news: readonly News[], historyLength: number): Promise<void> {
    this.#historyLength = historyLength;
    runAsWorkflow(this, () => {
      this.#start();
      // The order in which the SDK handles the events of one task.
      for (const one of news) if (one.type === 'signal') this.#take(one);
      for (const one of news) if (one.type !== 'signal') this.#take(one);
    });
    do await nextTurn();
    while (runAsWorkflow(this, () => this.#finishWaits()));
  }

  takeCommands(): readonly Command[] {
    const taken = this.#commands;
    this.#commands = [];
    return taken;
  }

  #start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#work().then(
      (value) => {
        this.outcome = { value };
      },
      (error: unknown) => {
        this.outcome = { error };
      },
    );
  }

  #take(news: News): void {
    if (news.type === 'signal') {
      this.#handlers.get(news.name)?.(news.payload as never);
    } else if (news.type === 'timer') {
      this.#timers.get(news.seq)?.finish(false);
    } else {
      const call = this.#calls.get(news.seq);
      if (call?.name !== news.name)
        throw new TypeError(`${this.#identity.id} does not replay: ${news.name} was answered, and not asked for`);
      this.#calls.delete(news.seq);
      call.settle(news.answer);
    }
  }

  #finishWaits(): boolean {
    const ready = [...this.#waits].filter((wait) => wait.check());
    for (const wait of ready) wait.finish(true);
    return ready.length > 0;
  }

  info(): WorkflowInfo {
    const { id, workflow, startedMs } = this.#identity;
    const runId = `${id} since ${startedMs}`;
    return {
      workflowId: id,
      runId,
      firstExecutionRunId: runId,
      originalExecutionRunId: runId,
      workflowType: workflow,
      historyLength: this.#historyLength,
      historySize: 0,
      continueAsNewSuggested: this.#historyLength >= SUGGEST_CONTINUE_AS_NEW,
      targetWorkerDeploymentVersionChanged: false,
      searchAttributes: {},
      typedSearchAttributes: new TypedSearchAttributes([]),
      taskQueue: 'test',
      namespace: 'default',
      startTime: new Date(startedMs),
      runStartTime: new Date(startedMs),
      taskTimeoutMs: WORKFLOW_TASK_MS,
      attempt: 1,
      get unsafe(): never {
        throw new TypeError('what is not the same in a replay is not for workflows');
      },
    };
  }

  schedule(call: ActivityCall): Promise<unknown> {
    const seq = this.#nextSeq();
    this.#commands.push({ type: 'activity', seq, call: toJson(call) as ActivityCall });
    return new Promise((resolve, reject) => {
      const settle = (answer: Outcome): void =>
        'value' in answer ? resolve(answer.value) : reject(answer.error as Error);
      this.#calls.set(seq, { name: call.name, settle });
    });
  }

  condition(check: () => boolean, limitMs: number | undefined): Promise<boolean> {
    const seq = this.#nextSeq();
    return new Promise((resolve) => {
      if (check()) return resolve(true);
      const wait: Wait = {
        check,
        finish: (value) => {
          if (!this.#waits.delete(wait)) return;
          if (this.#timers.delete(seq) && value) this.#commands.push({ type: 'cancel-timer', seq });
          resolve(value);
        },
      };
      this.#waits.add(wait);
      if (limitMs === undefined) return;
      this.#timers.set(seq, wait);
      this.#commands.push({ type: 'timer', seq, ms: limitMs });
    });
  }

  setHandler(name: string, handler: (...args: never[]) => unknown): void {
    this.#handlers.set(name, handler);
  }

  upsertSearchAttributes(attributes: SearchAttributes): void {
    this.#commands.push({ type: 'upsert', attributes });
  }

  #nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }
}

/** After this time without a worker, a workflow task goes to another worker. */
export const WORKFLOW_TASK_MS = 10_000;

/** The value as it would be read from a history. */
export function toJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Resolves when all work that follows from the previous step is done. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
