/**
 * Returns a function that processes one item. Items that wait at the same time are processed together, by one call of `run` with at most
 * `most` items. If no call is running, an item is sent at once; otherwise it goes with the next batch. With `gather`, each batch first
 * waits for the promise that `gather` returns, so that more items can join it. `run` returns results in the order of its items; if it
 * fails, all items of the batch are rejected.
 */
export function batchByDemand<In, Out>(
  run: (items: readonly In[]) => Promise<readonly Out[]>,
  most: number,
  gather?: () => Promise<unknown>,
): (item: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = [];
  let isRunning = false;

  async function drain(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      if (gather !== undefined) await gather();
      await runGroup(waiting.splice(0, most), run);
    }
    isRunning = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void drain();
    });
}

type Waiting<In, Out> = {
  readonly item: In;
  readonly resolve: (answer: Out) => void;
  readonly reject: (error: unknown) => void;
};

/** Runs one batch and resolves or rejects the promise of each of its items. Never rejects itself. */
async function runGroup<In, Out>(
  group: readonly Waiting<In, Out>[],
  run: (items: readonly In[]) => Promise<readonly Out[]>,
): Promise<void> {
  try {
    const answers = await run(group.map(({ item }) => item));
    for (const [index, { resolve }] of group.entries()) resolve(answers[index] as Out);
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
