import type { Ledger } from '../ledger/ledger.ts';
import { inTurns } from '../platform/in-turns.ts';

/**
 * Calls of the ledger that such work of a worker has under way at most. Two hundred records of one lane, or the first loads of fifty
 * tenants, would have every connection, and each statement of a user's change would wait behind theirs; so few keep a machine busy as well.
 */
const MOST = 4;

/** The ledger for work for which no user waits: what it asks waits for its turn, and what others ask does not. */
export function ledgerInTurns(ledger: Ledger, most = MOST): Ledger {
  const turn = inTurns(most);
  type Call = (...args: readonly unknown[]) => Promise<unknown>;
  const calls = Object.entries(ledger as unknown as Readonly<Record<string, unknown>>).map(([name, call]) => [
    name,
    typeof call === 'function' ? (...args: readonly unknown[]) => turn(() => (call as Call)(...args)) : call,
  ]);
  return Object.fromEntries(calls) as Ledger;
}
