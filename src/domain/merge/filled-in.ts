import type { Base } from '../record/base.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import { FIELD_NAMES, FIELDS } from '../record/fields.ts';
import { isOfPreviousOrg } from '../record/former-ids.ts';
import type { Link } from '../record/link.ts';
import type { VendorObservation } from '../record/observation.ts';
import { isBefore } from '../record/versions.ts';

/**
 * Adds `filledIn` to the vendor's record as read: the first values that the vendor showed in fields that it fills in after a create. Until
 * Lockstep decides about such a field, its first value counts as the vendor's default, and a different value as an edit. The result also
 * has no partner reference (null) if that is an old id of the deal: an operator moved the deal to this org, and the id is from the previous
 * org. Lockstep then sends the new id. Pure.
 */
export function withFilledIn(
  shown: VendorObservation,
  link: Pick<Link, 'base' | 'vendorObservation' | 'formerIds'>,
): VendorObservation {
  const { base, vendorObservation: before } = link;
  const reading = isOfPreviousOrg(shown.reference, link) ? { ...shown, reference: null } : shown;
  // If the record was read twice, the older values are closer to the vendor's default.
  if (base === null || before === null || isBefore(reading.version, before.version)) return reading;
  if (before.vendorId !== reading.vendorId) return reading;
  const cells = FIELD_NAMES.filter((field) => awaitsDefault(base, field)).flatMap((field) => {
    const value = before.filledIn?.[field] ?? shownBy(before, field);
    return value === undefined || value === null ? [] : [[field, value] as const];
  });
  return cells.length === 0 ? reading : { ...reading, filledIn: Object.fromEntries(cells) as Observed };
}

/**
 * Whether a field may have a value that the vendor filled in after Lockstep created the record, and Lockstep has not decided about it yet.
 */
export function awaitsDefault({ awaitingEcho, vendor }: Base, field: FieldName): boolean {
  return FIELDS[field].vendorDefault && awaitingEcho.includes(field) && vendor[field] === undefined;
}

/**
 * A field's value in the vendor's record as read. Undefined if Lockstep has sent the field after the read, because the value is then not
 * the vendor's own. Also undefined for an empty list.
 */
function shownBy({ record, optimistic }: VendorObservation, field: FieldName): unknown {
  const value = record[field];
  const isEmpty = Array.isArray(value) && value.length === 0;
  return isEmpty || optimistic?.includes(field) ? undefined : value;
}
