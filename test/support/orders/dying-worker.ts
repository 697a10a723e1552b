import { expect } from 'vitest';

type Calls = Readonly<Record<string, unknown>>;
type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** The call at which a worker dies, counted from 1, and whether it has had its effect by then. */
export type Death = { readonly at: number; readonly when: 'before' | 'after' };

/**
 * Runs work whose worker dies at a call. `work` gets a function that wraps the named calls of a port. Returns false if the work ended before
 * that call.
 */
export async function diesAt(
  { at, when }: Death,
  work: (deadly: (port: object, names: readonly string[]) => Calls) => Promise<void>,
): Promise<boolean> {
  const died = new Error('died');
  let calls = 0;
  const deadly = (port: object, names: readonly string[]): Calls =>
    Object.fromEntries(
      names.map((name) => [
        name,
        async (...args: readonly unknown[]) => {
          calls += 1;
          if (calls === at && when === 'before') throw died;
          const result = await (Reflect.get(port, name) as Call).apply(port, [...args]);
          if (calls === at) throw died;
          return result;
        },
      ]),
    );
  try {
    await work(deadly);
    return false;
  } catch (error) {
    expect(error).toBe(died);
    return true;
  }
}
