/**
 * Asks for many with the calls of a few: an item leaves at once when nothing is under way; what is asked for meanwhile
 * waits and leaves together, at most `most` in one run. No clock takes part, so that a lone item never waits, and a slow
 * machine makes larger batches instead of more. `run` answers in the order of its items; when it fails, all of them do.
 */
export function batchByDemand<In, Out>(
  run: (items: readonly In[]) => Promise<readonly Out[]>,
  most: number,
): (item: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = [];
  let isRunning = false;

  async function drain(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) await runGroup(waiting.splice(0, most), run);
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

/** Never rejects: each of the group learns how it went for itself. */
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
