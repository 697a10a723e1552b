/** The longest time in milliseconds for which a remote's answer may block all other work of a process. */
export const MOST_HOLD_MS = 250;

const RESOLUTION_MS = 5;

/**
 * Runs the work and measures the longest time in milliseconds for which it blocked all other work. It measures this thread's processor time
 * between two turns of a timer, because other programs on the machine lengthen the elapsed time.
 */
export async function withLoopHold<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly holdMs: number }> {
  let [before, holdMs] = [processorMs(), 0];
  const turn = (): void => {
    const now = processorMs();
    [before, holdMs] = [now, Math.max(holdMs, now - before)];
  };
  const timer = setInterval(turn, RESOLUTION_MS);
  try {
    const result = await work();
    // A block at the end is noticed in the next turn.
    await new Promise((resolve) => setTimeout(resolve, 2 * RESOLUTION_MS));
    turn();
    return { result, holdMs };
  } finally {
    clearInterval(timer);
  }
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The shortest of several measurements, because garbage collection lengthens some and shortens none. */
export async function shortestHold<T>(
  work: () => Promise<T>,
  tries = 3,
): Promise<{ readonly result: T; readonly holdMs: number }> {
  let best = await withLoopHold(work);
  for (let at = 1; at < tries && best.holdMs > MOST_HOLD_MS / 2; at += 1) {
    const next = await withLoopHold(work);
    if (next.holdMs < best.holdMs) best = next;
  }
  return best;
}
