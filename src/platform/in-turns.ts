/** Limits concurrency: runs at most `most` functions at the same time, and starts them in the order in which they were passed. */
export function inTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < most) running += 1;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await work();
    } finally {
      // The next waiting piece of work gets the freed place.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
