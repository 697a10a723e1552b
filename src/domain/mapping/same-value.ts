import type { FieldName } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { isUnset, listOf } from '../values/text.ts';
import { fromCrmText, normalForm } from './field-text.ts';
import { lensOf, unsetOf } from './lens-of.ts';

/**
 * Whether two values of a field say the same, by its kind: sets and contacts are unordered, e-mail addresses case
 * folded, dates compared by calendar date in the tenant's zone, lines as a multiset (amounts come at their currency's
 * precision from the observers). Null, `''` and `[]` are one unset. `undefined` is unknown and equals only itself.
 *
 * It compares one key of each value, so it is an equivalence by construction.
 */
export function sameValue(field: FieldName, a: unknown, b: unknown, config: MappingConfig): boolean {
  // Most fields stay as they were agreed: one and the same value, which has one key.
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return keyOf(field, a, config) === keyOf(field, b, config);
}

/** What a tenant's default and transforms leave of a value: on the CRM's side there is never more. */
function inNormalForm(field: FieldName, value: unknown, config: MappingConfig): unknown {
  const settings = config.fields?.[field];
  if (settings === undefined) return value;
  const isList = Array.isArray(unsetOf(field));
  const given = isList ? listOf(value) : isUnset(value) ? [] : [value];
  const formOf = (each: unknown): string => normalForm(String(each), field, config);
  const left = given.map(formOf).filter((each) => each !== '');
  const { default: usual } = settings;
  const usuals = usual === undefined ? [] : isList ? usual.split(';') : [usual];
  const members = left.length > 0 ? left : usuals.map((each) => formOf(fromCrmText(each, field, config)));
  return isList ? members : (members[0] ?? null);
}

function keyOf(field: FieldName, value: unknown, config: MappingConfig): string {
  const key = lensOf(field).key(inNormalForm(field, value, config), config);
  return key === '[]' || key === '""' ? 'null' : key;
}
