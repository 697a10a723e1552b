import type { Base } from '../record/base.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import { FIELD_NAMES, FIELDS } from '../record/fields.ts';
import type { VendorObservation } from '../record/observation.ts';
import { isBefore } from '../record/versions.ts';

/**
 * A reading beside what the one `before` it showed of fields that the vendor fills in: while none was decided on, the value of the
 * first is the vendor's own, and another one is an edit of its users. Pure.
 */
export function withFilledIn(
  reading: VendorObservation,
  {
    base,
    vendorObservation: before,
  }: { readonly base: Base | null; readonly vendorObservation: VendorObservation | null },
): VendorObservation {
  // What a late reading shows is nearer to what was filled in.
  if (base === null || before === null || isBefore(reading.version, before.version)) return reading;
  if (before.vendorId !== reading.vendorId) return reading;
  const cells = FIELD_NAMES.filter((field) => awaitsDefault(base, field)).flatMap((field) => {
    const value = before.filledIn?.[field] ?? shownBy(before, field);
    return value === undefined || value === null ? [] : [[field, value] as const];
  });
  return cells.length === 0 ? reading : { ...reading, filledIn: Object.fromEntries(cells) as Observed };
}

/** Whether the vendor may fill in a field of a record of ours by itself, and nobody has decided yet on what it shows there. */
export function awaitsDefault({ awaitingEcho, vendor }: Base, field: FieldName): boolean {
  return FIELDS[field].vendorDefault && awaitingEcho.includes(field) && vendor[field] === undefined;
}

/** Not what we have sent since, nor a list without rows. */
function shownBy({ record, optimistic }: VendorObservation, field: FieldName): unknown {
  const value = record[field];
  const isEmpty = Array.isArray(value) && value.length === 0;
  return isEmpty || optimistic?.includes(field) ? undefined : value;
}
