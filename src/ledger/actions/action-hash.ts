import { createHash } from 'node:crypto';
import type { ChainedAction } from './action-ledger.ts';

/** Computes the hash of an audit-log entry: SHA-256 in hexadecimal, over the entry and the hash of the previous entry. */
export function actionHash({
  seq,
  previous,
  action,
  at,
  phase,
  verb,
  tenants,
  details,
  reason,
  user,
  host,
  dbUser,
  error,
}: Omit<ChainedAction, 'hash'>): string {
  // Sorts the details by name, because PostgreSQL returns the names of a JSON object in another order than it got them.
  const named = Object.entries(details).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const content = [previous, seq, action, at, phase, verb, tenants, named, reason, user, host, dbUser, error];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
