import { LedgerError } from '../../src/ledger/ledger-error.ts';
import { failure } from './to-failure.ts';

/** The failure of a hand that is late: the record is observed again. */
export function anotherHand(): Error {
  return failure('STALE', 'another hand has looked at the record meanwhile');
}

/** What the ledger refuses to a hand that knows a link as it was before another came fails as STALE; all else as it did. */
export function asStale(error: unknown): never {
  throw error instanceof LedgerError && error.code === 'CHANGED' ? anotherHand() : error;
}
