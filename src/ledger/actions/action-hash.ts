import { createHash } from 'node:crypto';
import type { ChainedAction } from './action-ledger.ts';

/** The SHA-256, in hexadecimal, of an entry together with the previous entry's hash. */
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
  // PostgreSQL keeps the names of a JSON object in another order.
  const named = Object.entries(details).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const content = [previous, seq, action, at, phase, verb, tenants, named, reason, user, host, dbUser, error];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
