import { lensOf, sameValue } from '../mapping/index.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';

/**
 * Whether what a side shows is a normalised form of what it was given: blanks folded, a long text cut off, an amount
 * rounded to fewer digits, a revenue type that it does not keep. Such a difference is nobody's edit. What the vendor
 * does to values is not shown by its documents, so only forms that no user is likely to make by hand count.
 */
export function isNormalised(field: FieldName, given: unknown, observed: unknown): boolean {
  return lensOf(field).normalised?.(given, observed) ?? false;
}

/** Whether a side shows a field as it was sent, or in a normalised form of it; what is not known on either is not. */
export function isEchoOf(
  field: FieldName,
  sent: Observed,
  observed: Observed,
  config: MappingConfig,
): boolean {
  if (sent[field] === undefined || observed[field] === undefined) return false;
  return (
    sameValue(field, observed[field], sent[field], config) ||
    isNormalised(field, sent[field], observed[field])
  );
}
