import { cancellationSignal, log } from '@temporalio/activity';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import type { DueTotals } from '../../src/ledger/mirror/mirror-ledger.ts';
import { OPPORTUNITY } from '../../src/mirror/orders/order-links.ts';
import { ORDER_MIRROR } from '../../src/mirror/orders/order-mirror.ts';
import { orderTotals, TOTAL_FIELDS, TOTALLED_FIELDS } from '../../src/mirror/orders/order-totals.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { TenantRuntime } from '../support/deps.ts';
import { isOfARow } from './crm-rows.ts';
import type { Reading, TakenPages } from './stream.ts';

/** How many opportunities one step handles, with two queries and one update request. */
const BATCH = 200;

/**
 * Updates the order totals on opportunities whose orders have changed. Null if no order has changed. If the CRM refuses an opportunity, its
 * totals are written again later.
 */
export async function writeTotals({ deps, runtime }: Reading): Promise<TakenPages | null> {
  const { tenant } = runtime.tenant;
  const due = await deps.ledger.dueTotals(tenant, deps.now(), BATCH);
  if (due.length === 0) return null;
  const refused = await tell(runtime, due);
  const outcome = {
    written: due.filter(({ opportunityId }) => !refused.has(opportunityId)),
    refused: due.filter(({ opportunityId }) => refused.has(opportunityId)),
  };
  await deps.ledger.settleTotals(tenant, outcome, deps.now());
  return { found: 0, refused: refused.size, more: true };
}

/** Writes order totals to opportunities. Returns the ids of the opportunities that the CRM refused. */
async function tell(runtime: TenantRuntime, due: readonly DueTotals[]): Promise<ReadonlySet<string>> {
  try {
    const rows = await differing(runtime, due);
    if (rows.length === 0) return new Set();
    const answers = await runtime.crm.updateRows('Opportunity', rows, { signal: cancellationSignal() });
    const fault = answers.find((error) => error !== null && !isOfARow(error));
    if (fault) throw fault;
    // A deleted opportunity needs no totals.
    const kept = rows.filter((_, place) => answers[place] && answers[place]?.kind !== 'gone');
    if (kept.length > 0) log.warn('opportunities refused what their orders come to', { count: kept.length });
    return new Set(kept.map((row) => String(row['Id'])));
  } catch (error) {
    // An org without the totals fields, or without access to them, still gets the orders.
    if (!(error instanceof CrmError) || error.kind !== 'schema-mismatch') throw error;
    log.warn('totals of orders cannot be written to opportunities', {
      code: error.code,
      fields: error.fields,
    });
    return new Set(due.map(({ opportunityId }) => opportunityId));
  }
}

async function differing({ crm }: TenantRuntime, due: readonly DueTotals[]): Promise<readonly CrmFields[]> {
  const values = due.map(({ opportunityId }) => opportunityId);
  const call = { signal: cancellationSignal() };
  const orders = await crm.rowsWith(
    { object: ORDER_MIRROR.object, key: OPPORTUNITY, values, fields: TOTALLED_FIELDS },
    call,
  );
  const shown = await crm.rowsWith({ object: 'Opportunity', key: 'Id', values, fields: TOTAL_FIELDS }, call);
  const byOpportunity = Map.groupBy(orders as readonly CrmFields[], (order) => order[OPPORTUNITY]);
  return shown.flatMap((row) => {
    const totals = orderTotals(byOpportunity.get(row['Id'] as string) ?? []);
    const isSame = TOTAL_FIELDS.every((field) => (row[field] ?? null) === (totals[field] ?? null));
    return isSame ? [] : [{ Id: row['Id'] as string, ...totals }];
  });
}
