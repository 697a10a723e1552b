import type { FieldName } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { isUnset, listOf } from '../values/text.ts';
import { fromCrmText, normalForm } from './field-text.ts';
import { lensOf, unsetOf } from './lens-of.ts';

/**
 * Whether two values of a field mean the same. The order of sets, contacts and lines does not count, nor does letter case in e-mail
 * addresses. Dates are compared in the tenant's zone, amounts at their currency's precision. Null, `''` and `[]` all mean unset.
 * `undefined` means unknown and equals only itself.
 */
export function sameValue(field: FieldName, a: unknown, b: unknown, config: MappingConfig): boolean {
  // A fast path: most fields are unchanged.
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return keyOf(field, a, config) === keyOf(field, b, config);
}

/**
 * A value with the tenant's transforms applied, and the tenant's default if the value is empty. A CRM value and a vendor value can then be
 * compared.
 */
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
