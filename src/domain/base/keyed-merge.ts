import { sameValue } from '../mapping/index.ts';
import type { FieldName, OfferLine } from '../record/canonical.ts';
import type { FieldKind } from '../record/field-spec.ts';
import { FIELDS } from '../record/fields.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { listOf } from '../values/text.ts';
import { multisetDifference } from './retained-rows.ts';

type Change = { readonly before: unknown; readonly sent: unknown };

/**
 * Whether a side shows a list or an entity as if it had merged by key what it was sent with what it had: all that was sent, and beside it
 * what stood there before. What the vendor does with them on update is not shown (sales spec 4.2). A merge with an equal value says nothing.
 */
export function isKeyedMerge(
  field: FieldName,
  change: Change,
  observed: unknown,
  config: MappingConfig,
): boolean {
  const { before, sent } = change;
  if (FIELDS[field].kind === 'entity')
    return (
      sameValue(field, keyedMerge(field, change), observed, config) &&
      !sameValue(field, before, observed, config)
    );
  if (!isList(field) || listOf(sent).length === 0 || sameValue(field, before, observed, config)) return false;
  const beside = multisetDifference(field, listOf(observed), listOf(sent), config);
  return beside.missing === 0 && multisetDifference(field, listOf(before), beside.rest, config).missing === 0;
}

/** A list or an entity merged by key with what was sent: what both have is as it was sent. */
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

/** By what a row of the CRM's is the same one with other values. */
const KEYS: { readonly [K in FieldKind]?: (row: unknown) => string | undefined } = {
  codes: String,
  lines: (line) => (line as OfferLine).crmLineId,
  'customer-contacts': (contact) => (contact as { readonly email: string }).email.toLowerCase(),
  'partner-contacts': (contact) =>
    (contact as { readonly salesRepEmail: string }).salesRepEmail.toLowerCase(),
};

function withoutUnset(entity: unknown): object {
  return Object.fromEntries(Object.entries(entity ?? {}).filter(([, value]) => value !== null));
}
