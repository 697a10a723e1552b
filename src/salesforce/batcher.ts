import { crmError } from './classify.ts';
import { CrmError } from './errors.ts';
import { untilAborted } from './until-aborted.ts';

export interface Batcher<In, Out> {
  /** The answer for one item. The caller's abort ends his own waiting only. */
  ask(item: In, signal?: AbortSignal): Promise<Out>;
  /** Refuses what still waits. */
  close(): void;
}

/** More than `calls` within `waitMs` are a crowd: then a batch leaves when it is full, or after `waitMs`. */
export type Crowd = { readonly calls: number; readonly waitMs: number };

type Settings<In, Out> = {
  readonly windowMs: number;
  readonly maxSize: number;
  readonly crowd?: Crowd;
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
 * Gathers items that are asked for within `windowMs` into one run of at most `maxSize`, and for longer
 * while calls come in a crowd. A run is aborted only when
 * every one of its callers has aborted.
 */
export function createBatcher<In, Out>(settings: Settings<In, Out>): Batcher<In, Out> {
  let waiting: Waiting<In, Out>[] = [];
  let timer: NodeJS.Timeout | undefined;
  const crowd = createCrowd(settings.crowd);

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const group = waiting.filter((one) => !one.signal?.aborted);
    waiting = [];
    if (group.length > 0) void runGroup(group, settings.run);
  }

  return {
    ask(item, signal) {
      const answer = new Promise<Out>((resolve, reject) => {
        waiting.push({ item, signal, resolve, reject });
      });
      const crowdMs = crowd.waitMs();
      if (waiting.length >= settings.maxSize) flush();
      else timer ??= setTimeout(flush, Math.max(settings.windowMs, crowdMs));
      return untilAborted(answer, signal);
    },
    close() {
      clearTimeout(timer);
      for (const one of waiting) one.reject(crmError('transient', 'CLOSED'));
      waiting = [];
    },
  };
}

/** How long to wait for company: not at all while calls are few, else long enough for a batch worth sending. */
function createCrowd(crowd: Crowd | undefined): { waitMs(): number } {
  if (crowd === undefined) return { waitMs: () => 0 };
  let recent: number[] = [];
  return {
    waitMs: () => {
      const nowMs = performance.now();
      recent = [...recent.filter((atMs) => nowMs - atMs < crowd.waitMs), nowMs];
      return recent.length > crowd.calls ? crowd.waitMs : 0;
    },
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
