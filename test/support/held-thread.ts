import { setTimeout as delay } from 'node:timers/promises';

/** How long the main thread is free between two holds, at least. */
const FREE_MS = 50;

/** `share`: the part of the time, by the clock, for which the thread was held. `processorMs`: what that cost. */
export type Held = { readonly share: number; readonly processorMs: number };

/** Holds the main thread four fifths of the time: each time for four times as long as it was free before. Returns what ends it. */
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

/** Uses as many milliseconds of processor time on the main thread, in turns of `turnMs` between which others run. */
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
