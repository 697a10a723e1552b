import type { Ledger } from '../ledger/ledger.ts';
import { inTurns } from '../platform/in-turns.ts';

/**
 * The most concurrent ledger calls of a worker's background work. Without a limit, two hundred records of a lane would take every
 * connection, and users' changes would wait. Four calls keep a machine busy.
 */
const MOST = 4;

/** A ledger for work that no user waits for: its calls are limited in number, those of other callers are not. */
export function ledgerInTurns(ledger: Ledger, most = MOST): Ledger {
  const turn = inTurns(most);
  type Call = (...args: readonly unknown[]) => Promise<unknown>;
  const calls = Object.entries(ledger as unknown as Readonly<Record<string, unknown>>).map(([name, call]) => [
    name,
    typeof call === 'function' ? (...args: readonly unknown[]) => turn(() => (call as Call)(...args)) : call,
  ]);
  return Object.fromEntries(calls) as Ledger;
}
