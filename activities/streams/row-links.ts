import { cancellationSignal } from '@temporalio/activity';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import { type Found, type FoundRecord, type LinkRule, linksOf, linkValue } from '../../src/mirror/link-rules.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import { OPPORTUNITY, orderLinkRules } from '../../src/mirror/orders/order-links.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { TenantRuntime } from '../support/deps.ts';

/** The tenant's rules that find the records to which the lookup fields of a CRM object refer. */
export function linkRulesOf({ tenant }: TenantRuntime, object: string): readonly LinkRule[] {
  return orderLinkRules(tenant.orders.accounts, tenant.orders.poReference)[object] ?? [];
}

/**
 * Adds lookups to rows by the tenant's rules, if the referenced record exists. A row that already names its opportunity keeps that lookup.
 */
export async function withLinks(
  runtime: TenantRuntime,
  { object, externalId }: Mirror,
  rows: readonly CrmFields[],
): Promise<readonly CrmFields[]> {
  const rules = linkRulesOf(runtime, object);
  const found = await foundOf(runtime, rules, rows);
  const problems = rules.flatMap(({ customer }) => customer?.problem ?? []);
  const without = Object.fromEntries(problems.map((field) => [field, null]));
  const linked = (row: CrmFields, current: CrmFields = {}): CrmFields => {
    const known = row[OPPORTUNITY];
    const links = linksOf(rules, { ...row, ...current }, found);
    return { ...row, ...links, ...(typeof known === 'string' ? { [OPPORTUNITY]: known, ...without } : {}) };
  };
  const first = rows.map((row) => linked(row));
  const refused = first.filter((row) => problems.some((field) => typeof row[field] === 'string'));
  if (refused.length === 0) return first;
  const keys = refused.map((row) => String(row[externalId]));
  const current = await currentLinks(runtime, { object, externalId }, keys);
  return rows.map((row, place) => {
    const shown = current.get(String(row[externalId]));
    return shown === undefined ? (first[place] ?? row) : linked(row, shown);
  });
}

/** The opportunities that the CRM currently shows on rows, by the rows' external ids. */
async function currentLinks(
  { crm }: TenantRuntime,
  { object, externalId }: Pick<Mirror, 'object' | 'externalId'>,
  values: readonly string[],
): Promise<ReadonlyMap<string, CrmFields>> {
  const of = { object, key: externalId, values, fields: [externalId, OPPORTUNITY] };
  const rows = await crm.rowsWith(of, { signal: cancellationSignal() });
  return new Map(rows.map((row) => [String(row[externalId]), { [OPPORTUNITY]: row[OPPORTUNITY] } as CrmFields]));
}

/** Finds the CRM records to which the lookups of rows may refer, with one query for each searched field. */
export async function foundOf(
  runtime: TenantRuntime,
  rules: readonly LinkRule[],
  rows: readonly CrmFields[],
  context: { readonly isFresh?: boolean } = {},
): Promise<Found> {
  const found = new Map<string, readonly FoundRecord[]>();
  for (const [place, some] of Map.groupBy(rules, ({ object, by }) => `${object}.${by}`)) {
    const values = some.flatMap((rule) => rows.flatMap((row) => linkValue(rule, row) ?? []));
    const [rule] = some;
    if (rule === undefined || values.length === 0) continue;
    const records =
      rule.customer === undefined ? await unique(runtime, rule, values, context) : await all(runtime, rule, values);
    for (const [value, those] of records) found.set(`${place}=${value}`, those);
  }
  return (rule, value) => found.get(`${rule.object}.${rule.by}=${rule.customer ? folded(value) : value}`) ?? [];
}

type Records = Iterable<readonly [string, readonly FoundRecord[]]>;

async function unique(
  { crm }: TenantRuntime,
  rule: LinkRule,
  values: readonly string[],
  context: { readonly isFresh?: boolean },
): Promise<Records> {
  const ids = await crm.findUnique(rule, values, { signal: cancellationSignal(), ...context });
  return [...ids].map(([value, id]) => [value, [{ id, customer: null }]] as const);
}

/**
 * All records whose field `rule.by` has one of the values, grouped by the value in lower case. None if the org lacks or hides the field.
 */
async function all({ crm }: TenantRuntime, rule: LinkRule, values: readonly string[]): Promise<Records> {
  const { object, by, customer: { of } = { of: 'Id' } } = rule;
  const call = { signal: cancellationSignal() };
  const rows = await crm.rowsWith({ object, key: by, values: [...new Set(values)], fields: [of] }, call).catch(absent);
  const records = rows.map((row) => ({ value: folded(row[by]), id: String(row['Id']), customer: textOf(row[of]) }));
  return Map.groupBy(records, ({ value }) => value);
}

function absent(error: unknown): readonly never[] {
  if (error instanceof CrmError && error.kind === 'schema-mismatch') return [];
  throw error;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A text in lower case, because Salesforce ignores letter case when it compares most texts. */
function folded(value: unknown): string {
  return String(value).toLowerCase();
}
