/** Waits until `check` returns a truthy value and returns it. At the time limit it fails with a message that names what it waited for. */
export async function until<T>(
  what: string,
  check: () => Promise<T | false | null | undefined>,
  limitMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const found = await check();
    if (found !== false && found !== null && found !== undefined) return found as T;
    if (Date.now() > deadline) throw new Error(`after ${limitMs / 1000} s still not: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
