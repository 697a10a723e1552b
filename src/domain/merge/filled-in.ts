import type { Base } from '../record/base.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import { FIELD_NAMES, FIELDS } from '../record/fields.ts';
import { isOfPreviousOrg } from '../record/former-ids.ts';
import type { Link } from '../record/link.ts';
import type { VendorObservation } from '../record/observation.ts';
import { isBefore } from '../record/versions.ts';

/**
 * Adds `filledIn` to a vendor reading: for each field that the vendor fills in after a create, the first value that it showed. Until
 * Lockstep decides about the field, this value counts as the vendor's default, and a different one as an edit. If the record still names
 * the deal's id in a previous org, that reference is dropped, so that Lockstep sends the new id. Pure.
 */
export function withFilledIn(
  shown: VendorObservation,
  link: Pick<Link, 'base' | 'vendorObservation' | 'formerIds'>,
): VendorObservation {
  const { base, vendorObservation: before } = link;
  const reading = isOfPreviousOrg(shown.reference, link) ? { ...shown, reference: null } : shown;
  // The older of two readings is closer to the vendor's default.
  if (base === null || before === null || isBefore(reading.version, before.version)) return reading;
  if (before.vendorId !== reading.vendorId) return reading;
  const cells = FIELD_NAMES.filter((field) => awaitsDefault(base, field)).flatMap((field) => {
    const value = before.filledIn?.[field] ?? shownBy(before, field);
    return value === undefined || value === null ? [] : [[field, value] as const];
  });
  return cells.length === 0 ? reading : { ...reading, filledIn: Object.fromEntries(cells) as Observed };
}

/** Whether the vendor may have filled in a field of a record that Lockstep created, and Lockstep has not decided about the value yet. */
export function awaitsDefault({ awaitingEcho, vendor }: Base, field: FieldName): boolean {
  return FIELDS[field].vendorDefault && awaitingEcho.includes(field) && vendor[field] === undefined;
}

/** The field's value that the vendor itself showed. Undefined if Lockstep has sent the field since the reading, or if the list is empty. */
function shownBy({ record, optimistic }: VendorObservation, field: FieldName): unknown {
  const value = record[field];
  const isEmpty = Array.isArray(value) && value.length === 0;
  return isEmpty || optimistic?.includes(field) ? undefined : value;
}
