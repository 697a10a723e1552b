import type { BurstGauge } from './burst-gauge.ts';
import { crmError } from './classify.ts';
import { CrmError } from './errors.ts';
import { untilAborted } from './until-aborted.ts';

export interface Batcher<In, Out> {
  /**
   * Resolves with the answer for one item. With `mayWait`, the item may wait for more items of a burst (records that changed together);
   * otherwise it is sent with the next batch. If the caller's signal aborts, only this caller stops waiting.
   */
  ask(item: In, signal?: AbortSignal, mayWait?: boolean): Promise<Out>;
  /** How many items wait only because more items of a burst are expected. With `which`, only the items that it selects count. */
  waiting(which?: (item: In) => boolean): number;
  /**
   * Removes up to `most` waiting items from the queue, so that a request of another batcher can include them. With `which`, only items that
   * it selects are removed. Null if no item was removed.
   */
  take(most: number, which?: (item: In) => boolean): Passengers<In, Out> | null;
  /** Rejects the items that still wait. */
  close(): void;
}

/** Waiting items of one batcher that a request of another batcher includes. The code that sends this request must answer them. */
export type Passengers<In, Out> = {
  readonly items: readonly In[];
  /** Aborted once the callers of all items have aborted. */
  readonly signal: AbortSignal;
  answer(answers: readonly (Out | CrmError)[]): void;
  fail(error: unknown): void;
};

type Settings<In, Out> = {
  /** The maximum number of items in a batch: a number, or a function of the waiting items. */
  readonly maxSize: number | ((waiting: readonly In[]) => number);
  /** If this many items wait, their batch is sent although more items are expected. Default: `maxSize`. */
  readonly enough?: (waiting: readonly In[]) => number;
  /** Says whether more items will come, because many records are being synced (a burst). If absent, no item waits for others. */
  readonly gauge?: BurstGauge | undefined;
  /** Sends a batch. Returns an answer for each item, in the order of the items. If an answer is a `CrmError`, only its item is rejected. */
  readonly run: (items: readonly In[], signal: AbortSignal) => Promise<readonly (Out | CrmError)[]>;
};

type Waiting<In, Out> = {
  readonly item: In;
  readonly signal: AbortSignal | undefined;
  readonly mayWait: boolean;
  readonly sinceMs: number;
  readonly resolve: (value: Out) => void;
  readonly reject: (error: unknown) => void;
};

/** How many batches may be sent and not answered yet. A batch that takes longer than `LONG_RUN_MS` may hang, so it does not count. */
const MOST_RUNS = 2;
const LONG_RUN_MS = 5_000;
/**
 * For items that wait because more items are expected, in milliseconds: how often it is checked whether more will come (`POLL_MS`), and how
 * long an item waits at most (`LONGEST_MS`).
 */
const POLL_MS = 500;
const LONGEST_MS = 15_000;

/**
 * Combines items into batches of at most `maxSize`. While two batches are sent and not answered yet, further items wait. An item with
 * `mayWait` also waits, up to 15 seconds, while a burst (many records at the same time) is being synced. A batch is aborted only when all
 * its callers have aborted.
 */
export function createBatcher<In, Out>(settings: Settings<In, Out>): Batcher<In, Out> {
  const gate = new Gate(settings);
  return {
    async ask(item, signal, mayWait = false) {
      const answer = new Promise<Out>((resolve, reject) => {
        gate.add({ item, signal, mayWait, sinceMs: performance.now(), resolve, reject });
      });
      return untilAborted(answer, signal);
    },
    waiting: (which) => (gate.isHeld ? gate.count(which) : 0),
    take(most, which) {
      if (!gate.isHeld || gate.count(which) === 0) return null;
      return passengersOf(gate.takeOut(most, which));
    },
    close: () => gate.close(),
  };
}

/** The queue of items that wait for a shared request. It decides when they are sent. */
class Gate<In, Out> {
  /** Whether items are waiting only because more items are expected. */
  isHeld = false;
  readonly #settings: Settings<In, Out>;
  #waiting: Waiting<In, Out>[] = [];
  /** How many batches are sent and not answered yet, without those that take longer than `LONG_RUN_MS`. */
  #runs = 0;
  #isMeasuring = false;
  #soon: NodeJS.Immediate | undefined;
  #nextMeasure: NodeJS.Timeout | undefined;

  constructor(settings: Settings<In, Out>) {
    this.#settings = settings;
    settings.gauge?.add(() => this.size);
  }

  get size(): number {
    return this.#waiting.length;
  }

  count(which: (item: In) => boolean = () => true): number {
    return this.#waiting.filter(({ item }) => which(item)).length;
  }

  add(one: Waiting<In, Out>): void {
    this.#waiting.push(one);
    this.#goSoon();
  }

  /** Removes up to `most` items from the queue and returns them. Items that must not wait come first. */
  takeOut(most: number, which: (item: In) => boolean = () => true): readonly Waiting<In, Out>[] {
    const inOrder = this.#inOrder();
    const taken = new Set(inOrder.filter(({ item }) => which(item)).slice(0, most));
    this.#waiting = inOrder.filter((one) => !taken.has(one));
    this.#restIfEmpty();
    return [...taken].filter((one) => !one.signal?.aborted);
  }

  #inOrder(): Waiting<In, Out>[] {
    return this.#waiting.toSorted((a, b) => Number(a.mayWait) - Number(b.mayWait));
  }

  close(): void {
    clearImmediate(this.#soon);
    for (const one of this.takeOut(this.size)) one.reject(crmError('transient', 'CLOSED'));
  }

  /** Sends a batch in the next turn of the event loop, so that all calls in this turn share it. */
  #goSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = undefined;
      this.#go();
    });
  }

  #go(): void {
    const { gauge } = this.#settings;
    this.#waiting = this.#waiting.filter((one) => !one.signal?.aborted);
    this.#restIfEmpty();
    while (this.size >= this.#enough() && this.#isFree()) this.#leave();
    if (this.size === 0 || !this.#isFree()) return;
    if (gauge === undefined || this.#waiting.some(({ mayWait }) => !mayWait)) this.#leave();
    else if (!this.#isMeasuring && this.#nextMeasure === undefined) void this.#measure(gauge);
  }

  async #measure(gauge: BurstGauge): Promise<void> {
    this.#isMeasuring = true;
    const expectsMore = await gauge.expectsMore();
    this.#isMeasuring = false;
    const [first] = this.#waiting;
    if (first === undefined) return;
    this.isHeld = expectsMore && performance.now() - first.sinceMs < LONGEST_MS;
    if (this.isHeld) return this.#waitOn();
    if (this.#isFree()) this.#leave();
    this.#goSoon();
  }

  #waitOn(): void {
    this.#nextMeasure = setTimeout(() => {
      this.#nextMeasure = undefined;
      this.#go();
    }, POLL_MS);
  }

  #restIfEmpty(): void {
    if (this.size > 0) return;
    clearTimeout(this.#nextMeasure);
    this.#nextMeasure = undefined;
    this.isHeld = false;
  }

  #leave(): void {
    const group = this.takeOut(this.#maxSize());
    if (group.length === 0) return;
    const makeWay = this.#takeWay();
    void carry(passengersOf(group), this.#settings.run).finally(makeWay);
  }

  /**
   * Counts one more batch as sent and not answered yet, against the limit `MOST_RUNS`. The returned function ends this count; further calls
   * of it do nothing. If the batch takes longer than `LONG_RUN_MS`, a timer calls the function, so that a hung batch does not block the
   * next ones.
   */
  #takeWay(): () => void {
    this.#runs += 1;
    let isTaken = true;
    const makeWay = (): void => {
      clearTimeout(timer);
      if (!isTaken) return;
      isTaken = false;
      this.#runs -= 1;
      this.#goSoon();
    };
    const timer = setTimeout(makeWay, LONG_RUN_MS).unref();
    return makeWay;
  }

  #isFree(): boolean {
    return this.#runs < MOST_RUNS;
  }

  #enough(): number {
    return this.#settings.enough?.(this.#items()) ?? this.#maxSize();
  }

  #maxSize(): number {
    const { maxSize } = this.#settings;
    return typeof maxSize === 'number' ? maxSize : maxSize(this.#items());
  }

  #items(): readonly In[] {
    return this.#inOrder().map(({ item }) => item);
  }
}

async function carry<In, Out>(passengers: Passengers<In, Out>, run: Settings<In, Out>['run']): Promise<void> {
  try {
    passengers.answer(await run(passengers.items, passengers.signal));
  } catch (error) {
    passengers.fail(error);
  }
}

function passengersOf<In, Out>(group: readonly Waiting<In, Out>[]): Passengers<In, Out> {
  const everyone = whenAllAborted(group.map((one) => one.signal));
  return {
    items: group.map((one) => one.item),
    signal: everyone.signal,
    answer(answers) {
      everyone.release();
      for (const [place, one] of group.entries()) {
        const answer = answers[place] as Out | CrmError;
        if (answer instanceof CrmError) one.reject(answer);
        else one.resolve(answer);
      }
    },
    fail(error) {
      everyone.release();
      for (const one of group) one.reject(error);
    },
  };
}

/**
 * A signal that aborts once all the given signals have aborted. It never aborts if one of them is undefined. `release` stops listening to
 * them.
 */
export function whenAllAborted(signals: readonly (AbortSignal | undefined)[]) {
  const all = new AbortController();
  let left = signals.length;
  const onAbort = (): void => {
    left -= 1;
    if (left === 0) all.abort();
  };
  for (const signal of signals) signal?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: all.signal,
    release: () => {
      for (const signal of signals) signal?.removeEventListener('abort', onAbort);
    },
  };
}
