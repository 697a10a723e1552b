import { LedgerError } from '../../src/ledger/ledger-error.ts';
import { failure } from './to-failure.ts';

/** The failure of a writer that is late: the record is observed again. */
export function staleWriter(): Error {
  return failure('STALE', 'another writer has looked at the record meanwhile');
}

/** What the ledger refuses to a writer that knows a link as it was before another came fails as STALE; all else as it did. */
export function asStale(error: unknown): never {
  throw error instanceof LedgerError && error.code === 'CHANGED' ? staleWriter() : error;
}
