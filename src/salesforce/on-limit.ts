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
 * in a request with fewer rows. `sizes` contains the maximum number of rows in a request. The code that reads the answer of a request
 * lowers this maximum after such an error (`tooMany`). If the maximum is as high as before the call, the repeated call would fail again, so
 * the error is thrown.
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
