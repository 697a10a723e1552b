import { LedgerError } from '../../src/ledger/ledger-error.ts';
import { failure } from './to-failure.ts';

/** The failure of a writer that another one has overtaken. The workflow then observes the record again. */
export function staleWriter(): Error {
  return failure('STALE', 'another writer has looked at the record meanwhile');
}

/** Turns the ledger's refusal of an overtaken writer into a STALE failure; throws other errors unchanged. */
export function asStale(error: unknown): never {
  throw error instanceof LedgerError && error.code === 'CHANGED' ? staleWriter() : error;
}
