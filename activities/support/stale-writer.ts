import { LedgerError } from '../../src/ledger/ledger-error.ts';
import { failure } from './to-failure.ts';

/** The failure of a writer if another writer has changed the record meanwhile. The workflow then reads the record again. */
export function staleWriter(): Error {
  return failure('STALE', 'another writer has looked at the record meanwhile');
}

/**
 * Rethrows an error: as a STALE failure if the ledger (Lockstep's database) refused a write because another writer has changed the record,
 * otherwise unchanged.
 */
export function asStale(error: unknown): never {
  throw error instanceof LedgerError && error.code === 'CHANGED' ? staleWriter() : error;
}
