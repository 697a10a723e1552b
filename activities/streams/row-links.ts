import { cancellationSignal } from '@temporalio/activity';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import { type Found, type LinkRule, linksOf, linkValue } from '../../src/mirror/link-rules.ts';
import { OPPORTUNITY, orderLinkRules } from '../../src/mirror/orders/order-links.ts';
import type { TenantRuntime } from '../support/deps.ts';

/** The tenant's rules that find the records to which the lookup fields of a CRM object refer. */
export function linkRulesOf({ tenant }: TenantRuntime, object: string): readonly LinkRule[] {
  return orderLinkRules(tenant.orders.accounts, tenant.orders.poReference)[object] ?? [];
}

/** Adds lookups to rows, by the tenant's rules, where the referenced record exists. A row that already names its opportunity keeps it. */
export async function withLinks(
  runtime: TenantRuntime,
  object: string,
  rows: readonly CrmFields[],
): Promise<readonly CrmFields[]> {
  const rules = linkRulesOf(runtime, object);
  const found = await foundOf(runtime, rules, rows);
  return rows.map((row) => {
    const links = linksOf(rules, row, found);
    const known = row[OPPORTUNITY];
    return { ...row, ...links, ...(typeof known === 'string' ? { [OPPORTUNITY]: known } : {}) };
  });
}

/** Finds the records to which rows may be linked, with one query for each searched field. */
export async function foundOf(
  { crm }: TenantRuntime,
  rules: readonly LinkRule[],
  rows: readonly CrmFields[],
  context: { readonly isFresh?: boolean } = {},
): Promise<Found> {
  const ids = new Map<string, ReadonlyMap<string, string>>();
  for (const [place, some] of Map.groupBy(rules, ({ object, by }) => `${object}.${by}`)) {
    const values = some.flatMap((rule) => rows.flatMap((row) => linkValue(rule, row) ?? []));
    const [rule] = some;
    if (rule === undefined || values.length === 0) continue;
    ids.set(place, await crm.findUnique(rule, values, { signal: cancellationSignal(), ...context }));
  }
  return (object, by, value) => ids.get(`${object}.${by}`)?.get(value) ?? null;
}
