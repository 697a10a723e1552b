import { crmError } from './classify.ts';
import { CrmError } from './errors.ts';
import { untilAborted } from './until-aborted.ts';

export interface Batcher<In, Out> {
  /** The answer for one item. The caller's abort ends his own waiting only. Who may not wait is refused in a burst. */
  ask(item: In, signal?: AbortSignal, mayWait?: boolean): Promise<Out>;
  /** Refuses what still waits. */
  close(): void;
}

/**
 * More than `calls` within `waitMs` are a burst: then a batch leaves when it is full, when nobody has joined it for
 * `idleMs`, or after `waitMs`.
 */
export type Burst = { readonly calls: number; readonly idleMs: number; readonly waitMs: number };

type Settings<In, Out> = {
  readonly windowMs: number;
  readonly maxSize: number;
  readonly burst?: Burst;
  /** Answers in the order of the items; an error in a place belongs to that item alone. */
  readonly run: (items: readonly In[], signal: AbortSignal) => Promise<readonly (Out | CrmError)[]>;
};

type Waiting<In, Out> = {
  readonly item: In;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (value: Out) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Gathers items that are asked for within `windowMs` into one run of at most `maxSize`, and for longer while they come
 * in a burst. A run is aborted only when every one of its callers has aborted.
 */
export function createBatcher<In, Out>(settings: Settings<In, Out>): Batcher<In, Out> {
  let waiting: Waiting<In, Out>[] = [];
  let timer: NodeJS.Timeout | undefined;
  let latestMs = Number.POSITIVE_INFINITY;
  const isBurst = watchBursts(settings.burst);

  function flush(): void {
    clearTimeout(timer);
    latestMs = Number.POSITIVE_INFINITY;
    const group = waiting.filter((one) => !one.signal?.aborted);
    waiting = [];
    if (group.length > 0) void runGroup(group, settings.run);
  }

  /** Sets when the batch leaves, now that one more has joined it. */
  function schedule(nowMs: number, { idleMs, waitMs }: Pick<Burst, 'idleMs' | 'waitMs'>): void {
    latestMs = Math.min(latestMs, nowMs + Math.max(settings.windowMs, waitMs));
    const leaveMs = Math.min(latestMs, nowMs + Math.max(settings.windowMs, idleMs));
    clearTimeout(timer);
    // A busy process may come to it after the batch should have left.
    timer = setTimeout(flush, Math.max(0, leaveMs - nowMs));
  }

  return {
    async ask(item, signal, mayWait = true) {
      const nowMs = performance.now();
      const burst = isBurst(nowMs) ? settings.burst : undefined;
      if (burst !== undefined && !mayWait) throw crmError('transient', 'BURST');
      const answer = new Promise<Out>((resolve, reject) => {
        waiting.push({ item, signal, resolve, reject });
      });
      schedule(nowMs, burst ?? ALONE);
      if (waiting.length >= settings.maxSize) flush();
      return untilAborted(answer, signal);
    },
    close() {
      clearTimeout(timer);
      for (const one of waiting) one.reject(crmError('transient', 'CLOSED'));
      waiting = [];
    },
  };
}

const ALONE = { idleMs: 0, waitMs: 0 } as const;

/** Whether so many came lately that a batch is worth waiting for. */
function watchBursts(burst: Burst | undefined): (nowMs: number) => boolean {
  let recent: number[] = [];
  return (nowMs) => {
    if (burst === undefined) return false;
    recent = [...recent.filter((atMs) => nowMs - atMs < burst.waitMs), nowMs];
    return recent.length > burst.calls;
  };
}

async function runGroup<In, Out>(
  group: readonly Waiting<In, Out>[],
  run: Settings<In, Out>['run'],
): Promise<void> {
  const everyone = whenAllAborted(group.map((one) => one.signal));
  try {
    const items = group.map((one) => one.item);
    const answers = await run(items, everyone.signal);
    for (const [index, one] of group.entries()) {
      const answer = answers[index] as Out | CrmError;
      if (answer instanceof CrmError) one.reject(answer);
      else one.resolve(answer);
    }
  } catch (error) {
    for (const one of group) one.reject(error);
  } finally {
    everyone.release();
  }
}

function whenAllAborted(signals: readonly (AbortSignal | undefined)[]) {
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
