import { CrmError } from './errors.ts';
import type { RowSizes } from './row-sizes.ts';

/**
 * Runs `shared`, a call that shares a request with other calls. If the request exceeded a governor limit of the org, runs `alone`, which
 * sends a request of its own. This is safe, because the org wrote nothing.
 */
export async function aloneOnLimit(shared: () => Promise<unknown>, alone: () => Promise<void>): Promise<void> {
  try {
    await shared();
  } catch (error) {
    if (!isLimit(error)) throw error;
    await alone();
  }
}

/**
 * Runs `shared`, a call that shares a request with other calls. If the request exceeded a governor limit of the org, the call is repeated
 * in a smaller request. The repetitions end when a failure has not reduced the number of rows that a request may contain.
 */
export async function inFewerRows(
  sizes: Pick<RowSizes, 'of'>,
  objects: readonly string[],
  shared: () => Promise<unknown>,
): Promise<void> {
  const rows = (): number => objects.reduce((sum, object) => sum + sizes.of(object), 0);
  for (;;) {
    const before = rows();
    try {
      await shared();
      return;
    } catch (error) {
      if (!isLimit(error) || rows() >= before) throw error;
    }
  }
}

function isLimit(error: unknown): boolean {
  return error instanceof CrmError && error.kind === 'governor';
}
