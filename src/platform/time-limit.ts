export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
  readonly code = 'TIME_LIMIT';
}

/**
 * Returns the result of the work, or throws `TimeLimitError` after `limitMs` milliseconds. The work itself continues, and its later failure
 * is ignored.
 */
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
