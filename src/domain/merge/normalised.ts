import { lensOf, sameValue } from '../mapping/index.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';

/**
 * Whether `observed` is the sent value `given` in the form in which a side stores it: trimmed, shortened or rounded. The documents do not
 * describe these forms. The test accepts only a form that a user is unlikely to enter, because a user's edit that passed the test would
 * count as Lockstep's own write and would not be synced.
 */
export function isNormalised(field: FieldName, given: unknown, observed: unknown): boolean {
  return lensOf(field).normalised?.(given, observed) ?? false;
}

/**
 * Whether a side shows the sent value, exactly or as the side stores it (trimmed, shortened or rounded). False if either value is unknown.
 */
export function isEchoOf(field: FieldName, sent: Observed, observed: Observed, config: MappingConfig): boolean {
  if (sent[field] === undefined || observed[field] === undefined) return false;
  return sameValue(field, observed[field], sent[field], config) || isNormalised(field, sent[field], observed[field]);
}
