import { type Command, type News, type Outcome, type RunIdentity, WorkflowCode } from './workflow-code.ts';
import type { SearchAttributes } from './workflow-host.ts';

/** Executes a run's requests. */
export interface RunServer {
  executeCommand(run: WorkflowRun, command: Command): void;
  /** Whether a local activity outlasts its workflow task, so that another task continues it. */
  isTaskOver(): boolean;
  /** The run is over. */
  ended(run: WorkflowRun, outcome: Outcome): void;
}

/**
 * A workflow task and the tasks that continued it: the events for the code (first new events, then the results of local activities, one by
 * one) and the code's requests after each.
 */
type Task = {
  /** The history length at the start of the last of these tasks, which a replay uses from the first on. */
  historyLength: number;
  readonly result: (readonly News[])[];
  readonly asked: (readonly Command[])[];
  readonly commands: Command[];
};

/** Events of a task that is continued by another because the worker was silent for too long. */
const HEARTBEAT = 3;

/** The number of history events of each kind of news. An activity's start is written with its end. */
const EVENTS: Readonly<Record<News['type'], number>> = { signal: 1, timer: 1, activity: 2 };

/**
 * The server's part of one run: its workflow tasks, and its history as far as a replay needs it. Events that arrive during a task wait for
 * its end. A local activity's result is written at the end of its task: if the worker dies before, the whole task runs again with the
 * events that have arrived by then.
 */
export class WorkflowRun {
  readonly identity: RunIdentity;
  readonly #work: () => Promise<unknown>;
  readonly #server: RunServer;
  readonly #done: Task[] = [];
  #code: WorkflowCode;
  #events = 1;
  #task: Task | null = null;
  /** Events for the next task. */
  #news: News[] = [];
  /** Events that are not yet in the history because a task is under way. */
  #held: News[] = [];
  #localAnswers: News[] = [];
  #localCalls = 0;
  readonly #attributes = new Map<string, SearchAttributes[number]>();

  constructor(identity: RunIdentity, work: () => Promise<unknown>, server: RunServer) {
    this.identity = identity;
    this.#work = work;
    this.#server = server;
    this.#code = new WorkflowCode(identity, work);
  }

  deliver(news: News): void {
    if (this.#task === null) this.#write(news);
    else this.#held.push(news);
  }

  upsert(attributes: SearchAttributes): void {
    for (const one of attributes) this.#attributes.set(one.key.name, one);
  }

  attributes(): SearchAttributes {
    return [...this.#attributes.values()];
  }

  /** The result of a local activity. */
  deliverLocal(news: News): void {
    this.#localAnswers.push(news);
  }

  /** Runs as far as possible; false if there was nothing to do. */
  async proceed(): Promise<boolean> {
    const task = this.#task ?? this.#begin();
    if (task === null) return false;
    const isFirst = task.result.length === 0;
    const news = isFirst ? this.#news : this.#localAnswers;
    if (!isFirst && news.length === 0) return false;
    if (isFirst) this.#news = [];
    else this.#localAnswers = [];
    if (task.result.length === 1 && this.#server.isTaskOver()) task.historyLength = this.#events += HEARTBEAT;
    task.result.push(news);
    this.#localCalls -= isFirst ? 0 : news.length;
    await this.#code.tell(news, task.historyLength);
    const asked = this.#code.takeCommands();
    task.asked.push(asked);
    for (const command of asked) this.#ask(task, command);
    if (this.#localCalls === 0) await this.#complete(task);
    return true;
  }

  /** The worker of a task died, or its answer was refused: the task starts again with the events that arrived meanwhile. */
  async retryTask(): Promise<void> {
    const [news = []] = this.#task?.result ?? [];
    this.#task = null;
    this.#localAnswers = [];
    this.#localCalls = 0;
    this.#events += 1;
    this.#news.unshift(...news);
    this.#writeHeld();
    await this.replay();
  }

  /** Another worker takes over the run and reads its history. */
  async replay(): Promise<void> {
    this.#code = new WorkflowCode(this.identity, this.#work);
    for (const { result, asked, historyLength } of this.#done)
      for (const [place, news] of result.entries()) {
        await this.#code.tell(news, historyLength);
        const again = this.#code.takeCommands().map(wordsOf).join(', ');
        const before = (asked[place] ?? []).map(wordsOf).join(', ');
        if (again !== before)
          throw new TypeError(`${this.identity.id} does not replay: it asked for ${before}, and now for ${again}`);
      }
  }

  #begin(): Task | null {
    if (this.#news.length === 0 && this.#done.length > 0) return null;
    this.#events += 2;
    this.#task = { historyLength: this.#events, result: [], asked: [], commands: [] };
    return this.#task;
  }

  #ask(task: Task, command: Command): void {
    const isLocal = command.type === 'activity' && command.call.isLocal;
    if (!isLocal) return void task.commands.push(command);
    this.#localCalls += 1;
    this.#server.executeCommand(this, command);
  }

  async #complete(task: Task): Promise<void> {
    const { outcome } = this.#code;
    // The server refuses to end a run that has not seen the last signal.
    if (outcome !== null && this.#held.length > 0) return this.retryTask();
    const markers = task.result.slice(1).flat().length;
    this.#events += 1 + markers + task.commands.length;
    this.#done.push(task);
    this.#task = null;
    for (const command of task.commands) this.#server.executeCommand(this, command);
    this.#writeHeld();
    if (outcome !== null) this.#server.ended(this, outcome);
  }

  #write(news: News): void {
    this.#events += EVENTS[news.type];
    this.#news.push(news);
  }

  #writeHeld(): void {
    const held = this.#held;
    this.#held = [];
    for (const news of held) this.#write(news);
  }
}

/** The part of a command that a replay must produce again. */
function wordsOf(command: Command): string {
  switch (command.type) {
    case 'activity':
      return `${command.call.isLocal ? 'local ' : ''}${command.call.name} ${command.seq}`;
    case 'upsert':
      return command.type;
    default:
      return `${command.type} ${command.seq}`;
  }
}
