import type { Ledger } from '../ledger/ledger.ts';
import { inTurns } from '../platform/in-turns.ts';

/**
 * The maximum number of concurrent calls to the ledger (Lockstep's PostgreSQL database) for a worker's background work. Without the limit,
 * two hundred records of a lane (a workflow for many records) would use every connection, and users' changes would wait. Four calls are
 * enough to use a machine fully.
 */
const MOST = 4;

/** A view of the ledger for background work, which limits the number of concurrent calls. Other callers of the ledger are not limited. */
export function ledgerInTurns(ledger: Ledger, most = MOST): Ledger {
  const turn = inTurns(most);
  type Call = (...args: readonly unknown[]) => Promise<unknown>;
  const calls = Object.entries(ledger as unknown as Readonly<Record<string, unknown>>).map(([name, call]) => [
    name,
    typeof call === 'function' ? (...args: readonly unknown[]) => turn(() => (call as Call)(...args)) : call,
  ]);
  return Object.fromEntries(calls) as Ledger;
}
