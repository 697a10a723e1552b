import { lensOf, sameValue } from '../mapping/index.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';

/**
 * Whether a side shows a sent value as it stores such values: trimmed, shortened or rounded. These forms are undocumented, so only forms
 * that users are unlikely to enter themselves count.
 */
export function isNormalised(field: FieldName, given: unknown, observed: unknown): boolean {
  return lensOf(field).normalised?.(given, observed) ?? false;
}

/** Whether a side shows the sent value, exact or normalised. False if either value is unknown. */
export function isEchoOf(field: FieldName, sent: Observed, observed: Observed, config: MappingConfig): boolean {
  if (sent[field] === undefined || observed[field] === undefined) return false;
  return sameValue(field, observed[field], sent[field], config) || isNormalised(field, sent[field], observed[field]);
}
