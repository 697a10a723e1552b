/** Work exceeded its time limit. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
  readonly code = 'TIME_LIMIT';
}

/** The work's result, or `TimeLimitError` after `limitMs`. The work itself goes on; its late failure is ignored. */
export async function withinTime<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeLimitError(`took longer than ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
