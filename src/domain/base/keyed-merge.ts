import { sameValue } from '../mapping/index.ts';
import type { FieldName, OfferLine } from '../record/canonical.ts';
import type { FieldKind } from '../record/field-spec.ts';
import { FIELDS } from '../record/fields.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { listOf } from '../values/text.ts';
import { multisetDifference } from './retained-rows.ts';

type Change = { readonly before: unknown; readonly sent: unknown };

/**
 * Whether a list or company on one side looks as if that side had merged the sent value into its old value by key: every sent row is there,
 * and all other rows are rows of the old value. The documents do not say whether the vendor merges or replaces lists and companies (sales
 * spec 4.2). False if the side still shows the unchanged old value, because this does not prove a merge.
 */
export function isKeyedMerge(field: FieldName, change: Change, observed: unknown, config: MappingConfig): boolean {
  const { before, sent } = change;
  if (FIELDS[field].kind === 'entity')
    return sameValue(field, keyedMerge(field, change), observed, config) && !sameValue(field, before, observed, config);
  if (!isList(field) || listOf(sent).length === 0 || sameValue(field, before, observed, config)) return false;
  const beside = multisetDifference(field, listOf(observed), listOf(sent), config);
  return beside.missing === 0 && multisetDifference(field, listOf(before), beside.rest, config).missing === 0;
}

/**
 * The result of merging a sent list or company into the old value by key. In a list, a sent row replaces the old row with the same key, and
 * other old rows stay. In a company, each sent value that is set replaces the old value.
 */
export function keyedMerge(field: FieldName, { before, sent }: Change): unknown {
  if (FIELDS[field].kind === 'entity') return { ...(before as object | null), ...withoutUnset(sent) };
  const keyOf = KEYS[FIELDS[field].kind];
  if (keyOf === undefined) return sent;
  const keys = new Set(listOf(sent).map(keyOf));
  const beside = listOf(before).filter((row) => {
    const key = keyOf(row);
    return key === undefined || !keys.has(key);
  });
  return [...listOf(sent), ...beside];
}

function isList(field: FieldName): boolean {
  return KEYS[FIELDS[field].kind] !== undefined;
}

/**
 * For each kind of list field, the function that returns the key of a row, such as an e-mail address. A row keeps its key when its other
 * values change. The key of a line is the id of its CRM line. If an old line has no such id, no sent line has its key. So a merge by key
 * keeps this old line.
 */
const KEYS: { readonly [K in FieldKind]?: (row: unknown) => string | undefined } = {
  codes: String,
  lines: (line) => (line as OfferLine).crmLineId,
  'customer-contacts': (contact) => (contact as { readonly email: string }).email.toLowerCase(),
  'partner-contacts': (contact) => (contact as { readonly salesRepEmail: string }).salesRepEmail.toLowerCase(),
};

function withoutUnset(entity: unknown): object {
  return Object.fromEntries(Object.entries(entity ?? {}).filter(([, value]) => value !== null));
}
