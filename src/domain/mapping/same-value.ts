import type { FieldName } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { lensOf } from './lens-of.ts';

/**
 * Whether two values of a field say the same, by its kind: sets and contacts are unordered, e-mail addresses case
 * folded, dates compared by calendar date in the tenant's zone, lines as a multiset (amounts come at their currency's
 * precision from the observers). Null, `''` and `[]` are one unset. `undefined` is unknown and equals only itself.
 *
 * It compares one key of each value, so it is an equivalence by construction.
 */
export function sameValue(field: FieldName, a: unknown, b: unknown, config: MappingConfig): boolean {
  if (a === undefined || b === undefined) return a === b;
  return keyOf(field, a, config) === keyOf(field, b, config);
}

function keyOf(field: FieldName, value: unknown, config: MappingConfig): string {
  const key = lensOf(field).key(value, config);
  return key === '[]' || key === '""' ? 'null' : key;
}
