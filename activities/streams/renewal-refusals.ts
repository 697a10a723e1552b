import { log } from '@temporalio/activity';
import { RENEWAL_FIELDS } from '../../src/mirror/orders/renewal-deal.ts';
import type { ShownNotice } from '../../src/mirror/orders/renewal-notices.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import { isForGood, isOfARow, reasonOf } from './crm-rows.ts';
import type { Reading } from './stream.ts';

/** Salesforce's errors on rows of renewal notices, by the vendor's id of the notice. */
export type Refusals = ReadonlyMap<string, CrmError>;

const { id: KEY } = RENEWAL_FIELDS;
/**
 * The maximum number of renewal notices, refused by Salesforce earlier, that one read of the stream retries. The limit lets their ids fit
 * into one query.
 */
const MOST_RETRIED = 100;

/**
 * Salesforce's refusals, by the vendor's id of the renewal notice whose row was refused. `orders`: the vendor's ids of the notices.
 * `answers`: Salesforce's answers, in the same sequence as `orders`; null for an accepted row. Throws if an error concerns all rows.
 */
export function refusalsOf(orders: readonly string[], answers: readonly (CrmError | null)[]): Refusals {
  const fault = answers.find((error) => error !== null && !isOfARow(error));
  if (fault) throw fault;
  return new Map(answers.flatMap((error, place) => (error === null ? [] : [[orders[place] ?? '', error] as const])));
}

/**
 * Stores which renewal notices of a page Salesforce refused, so that they are retried at growing intervals. Deletes the earlier refusals of
 * the page's other notices.
 */
export async function settleRefusals(
  { name, deps, runtime }: Reading,
  notices: readonly Pick<ShownNotice, 'order'>[],
  refusals: Refusals,
): Promise<void> {
  if (notices.length === 0) return;
  const refused = [...refusals].map(([id, error]) => ({
    ...{ id, row: { [KEY]: id }, reason: reasonOf(error) },
    ...(isForGood(error) ? {} : { isForNow: true as const }),
  }));
  for (const { reason } of refused) log.warn('the CRM refused a row of a renewal', { stream: name, reason });
  const taken = notices.flatMap(({ order }) => (refusals.has(order) ? [] : [order]));
  if (await deps.ledger.settleRows(runtime.tenant.tenant, name, { taken, refused }, deps.now())) return;
  throw new CrmError('schema-mismatch', 'TOO_MANY_REFUSED', 'Salesforce refuses too many rows of a stream.', {
    fields: ['Opportunity'],
  });
}

/** The renewal notices that Salesforce refused and whose retry is due, by the vendor's ids. */
export async function dueRefusals({ name, deps, runtime }: Reading): Promise<readonly string[]> {
  const rows = await deps.ledger.refusedRows(runtime.tenant.tenant, name, deps.now(), MOST_RETRIED);
  return rows.flatMap((row) => (typeof row[KEY] === 'string' ? [row[KEY]] : []));
}
