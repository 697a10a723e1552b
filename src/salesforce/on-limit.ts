import { CrmError } from './errors.ts';
import type { RowSizes } from './row-sizes.ts';

/** Runs a call again alone if the shared request exceeded a governor limit of the org, because nothing of this call was written. */
export async function aloneOnLimit(shared: () => Promise<unknown>, alone: () => Promise<void>): Promise<void> {
  try {
    await shared();
  } catch (error) {
    if (!isLimit(error)) throw error;
    await alone();
  }
}

/** Runs a call of shared requests again while they exceed a governor limit of the org and the next ones have fewer rows of these objects. */
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
