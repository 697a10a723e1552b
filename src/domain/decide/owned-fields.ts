import type { CrmFields } from '../record/crm-graph.ts';
import { fingerprint } from '../values/fingerprint.ts';

/** Values of the opportunity that only Lockstep may write. */
export type OwnedValues = {
  readonly vendorId: string | null;
  /** The vendor's status code as last agreed or read. */
  readonly vendorStatus: string | null;
};

/** The owned fields with the values that the opportunity should have; unknown values are left out. */
export function ownedFields({ vendorId, vendorStatus }: OwnedValues): CrmFields {
  return {
    ...(vendorId === null ? {} : { Vendor_Id__c: vendorId }),
    ...(vendorStatus === null ? {} : { Vendor_Status__c: vendorStatus }),
  };
}

/** Whether the last report wrote these owned fields to the CRM. `reported`: the digest of that report. */
export function isReported(owned: CrmFields, reported: string | null): boolean {
  return reported?.startsWith(`${fingerprint(owned)}.`) === true;
}

/** Owned fields that others changed after Lockstep's write. A field that the integration user cannot see counts as unknown. */
export function changedByOthers(
  values: OwnedValues & { readonly reported: string | null },
  opportunity: CrmFields,
): readonly string[] {
  const owned = ownedFields(values);
  if (!isReported(owned, values.reported)) return [];
  return Object.keys(owned).filter(
    (name) => opportunity[name] !== undefined && opportunity[name] !== owned[name],
  );
}

/**
 * Fingerprint of a failed attempt to write the vendor id, because another opportunity has it. Lockstep tries again only after a user saves
 * the opportunity or requests a retry.
 */
export function triedDigest(vendorId: string | null, crmVersion: string | null): string {
  return fingerprint(['Vendor_Id__c', vendorId, crmVersion]);
}

const PUT_BACK = 'put back ';

/** A value of `reported` that makes the next report restore these owned fields and say so to the CRM's users. */
export function putBackDigest(fields: readonly string[]): string {
  return `${PUT_BACK}${fields.join(', ')}.`;
}

/** A value of `reported` that makes the next report remove the vendor's values, because the opportunity no longer has a vendor record. */
export const TO_EMPTY = 'to-empty.';

/** The owned fields of an opportunity without a vendor record. */
export const EMPTIED: CrmFields = { Vendor_Id__c: null, Vendor_Status__c: null };

export function isToEmpty(reported: string | null): boolean {
  return reported?.startsWith(TO_EMPTY) === true;
}

export function isPutBack(reported: string | null): reported is string {
  return reported?.startsWith(PUT_BACK) === true;
}

/** The message to the CRM's users about restored owned fields; null if there are none. */
export function putBackNote(reported: string | null): string | null {
  if (!isPutBack(reported)) return null;
  const fields = reported.slice(PUT_BACK.length, reported.indexOf('.'));
  return `Lockstep owns ${fields} of the opportunity; it was changed, and was put back.`;
}
