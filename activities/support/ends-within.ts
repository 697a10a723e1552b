/** Whether the work ends, with a result or an error, within `limitMs` milliseconds. The work itself continues. */
export async function endsWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  const ended = work.then(
    () => true,
    () => true,
  );
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  try {
    return await Promise.race([ended, limit]);
  } finally {
    clearTimeout(timer);
  }
}
