import { setTimeout as delay } from 'node:timers/promises';

/** The shortest time for which the main thread is free between two blocks. */
const FREE_MS = 50;

/** `share`: the part of the elapsed time for which the thread was blocked. `processorMs`: the processor time of the blocks. */
export type Held = { readonly share: number; readonly processorMs: number };

/**
 * Blocks the main thread four fifths of the time: each time for four times as long as it was free before. Returns a function that ends it.
 */
export function holdThread(): () => Held {
  const begun = performance.now();
  let [heldMs, usedMs, freeSince] = [0, 0, begun];
  const hold = (): void => {
    const [from, before] = [performance.now(), threadMs()];
    const untilMs = from + 4 * (from - freeSince);
    while (performance.now() < untilMs) {}
    freeSince = performance.now();
    heldMs += freeSince - from;
    usedMs += threadMs() - before;
    timer = setTimeout(hold, FREE_MS);
  };
  let timer = setTimeout(hold, FREE_MS);
  return () => {
    clearTimeout(timer);
    return { share: heldMs / (performance.now() - begun), processorMs: usedMs };
  };
}

/** Uses this many milliseconds of processor time on the main thread, in turns of `turnMs` between which other code runs. */
export async function useThread(ms: number, turnMs: number): Promise<void> {
  for (let used = 0; used < ms; used += turnMs) {
    await delay(1);
    for (const untilMs = threadMs() + turnMs; threadMs() < untilMs; ) {}
  }
}

/** Processor time of the main thread, in milliseconds. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
