import { sameValue, unsetOf } from '../mapping/index.ts';
import { isNormalised } from '../merge/normalised.ts';
import { type Base, EMPTY_BASE } from '../record/base.ts';
import type { FieldName } from '../record/canonical.ts';
import { FIELD_NAMES, FIELDS } from '../record/fields.ts';
import type { Link } from '../record/link.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { type CrmObservation, crmVersionOf, type VendorObservation } from '../record/observation.ts';
import { baseAfterRestore } from './after-restore.ts';

/** Whether the ledger (Lockstep's database) was restored from a backup since both sides of this link were last compared. */
export function isLedgerRestored({ restoredAt, base }: Pick<Link, 'restoredAt' | 'base'>): boolean {
  return restoredAt !== undefined && base?.restoredAt !== restoredAt;
}

/**
 * The base (last agreed values) of a link (pair of CRM record and vendor record), after the ledger (Lockstep's database) was restored from
 * a backup and lost newer agreements. A side that still has the base's version has not changed. If both sides have another version, or the
 * ledger has no base, `ancestorUnknown` lists the fields in which the sides differ. Null if the ledger has no base and neither record names
 * the other, because the two are then paired for the first time. Pure.
 */
export function baseAfterLedgerRestore(
  link: Pick<Link, 'restoredAt' | 'base' | 'vendorId' | 'crmId'>,
  crm: CrmObservation,
  vendor: VendorObservation,
  config: MappingConfig,
): Base | null {
  const { base, restoredAt } = link;
  if (restoredAt === undefined) return base;
  if (base === null && !knewEachOther(link, crm, vendor)) return null;
  const before = base === null ? EMPTY_BASE : settledOnly(base);
  const isAncestorUnknown = base === null || haveBothMoved(base, crm, vendor);
  const ancestorUnknown = isAncestorUnknown
    ? FIELD_NAMES.filter((field) => differs(field, before, crm, vendor, config))
    : [];
  const { ancestorUnknown: _, ...rest } = before;
  return { ...rest, restoredAt, ...(ancestorUnknown.length === 0 ? {} : { ancestorUnknown }) };
}

/**
 * The base (last agreed values) after Lockstep has created one of the two records from the other. Both sides agreed at that moment, which
 * was after the last restore of the ledger (Lockstep's database). So the base needs no comparison because of that restore.
 */
export function comparedAfterRestore(base: Base, { restoredAt }: Pick<Link, 'restoredAt'>): Base {
  return restoredAt === undefined ? base : { ...base, restoredAt };
}

/**
 * The base (last agreed values) without its notes about fields to read back and about writes without an answer. These notes are not needed,
 * because the present values of both sides show whether the writes were applied.
 */
function settledOnly(base: Base): Base {
  const { inDoubtCrmWrites: _, ...rest } = baseAfterRestore(base);
  return { ...rest, vendorVersion: base.vendorVersion };
}

/**
 * Whether the CRM record contains the vendor record's id, or the vendor record contains the CRM record's id. If so, the two were linked
 * before, and the restored ledger (Lockstep's database) has lost the values on which they agreed.
 */
function knewEachOther(
  { vendorId, crmId }: Pick<Link, 'vendorId' | 'crmId'>,
  { graph: { opportunity } }: CrmObservation,
  { reference }: VendorObservation,
): boolean {
  return opportunity['Vendor_Id__c'] === vendorId || (crmId !== null && reference === crmId);
}

function haveBothMoved(base: Base, crm: CrmObservation, { version }: VendorObservation): boolean {
  const hasCrmMoved = base.crmVersion === null || base.crmVersion !== crmVersionOf(crm);
  const known = [base.vendorVersion, base.highestSeenVersion ?? null];
  return hasCrmMoved && (version === null || !known.includes(version));
}

function differs(
  field: FieldName,
  base: Base,
  crm: CrmObservation,
  vendor: VendorObservation,
  config: MappingConfig,
): boolean {
  const [mine, theirs] = [crm.record[field], vendor.record[field]];
  if (mine === undefined || theirs === undefined) return false;
  if (sameValue(field, mine, theirs, config) || isNormalised(field, mine, theirs)) return false;
  // The vendor's default does not conflict with an unset value, because no person entered the default.
  if (FIELDS[field].vendorDefault && sameValue(field, mine, unsetOf(field), config)) return false;
  const isAgreed =
    sameValue(field, mine, base.crm[field] ?? unsetOf(field), config) &&
    sameValue(field, theirs, base.vendor[field] ?? unsetOf(field), config);
  return !isAgreed;
}
