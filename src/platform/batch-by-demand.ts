/**
 * Returns a function that takes one item; several items are processed by one call of `run`. An item is sent at once if no call is running,
 * otherwise with the next batch of at most `most` items. With `gather`, each batch first waits for its promise and so becomes larger. `run`
 * returns results in the order of its items; if it fails, all items of the batch are rejected.
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
