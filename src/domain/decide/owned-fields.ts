import type { CrmFields } from '../record/crm-graph.ts';
import type { Reported } from '../record/reported.ts';
import { changedFields, showsOwned } from './reported.ts';

/** The values of the opportunity fields that only Lockstep may write (owned fields); null if unknown. */
export type OwnedValues = {
  readonly vendorId: string | null;
  /** The vendor's status code on which both sides last agreed, or which Lockstep read last. */
  readonly vendorStatus: string | null;
};

/**
 * The opportunity fields that only Lockstep may write, each with the value that it should have. A field whose value is unknown is left out.
 */
export function ownedFields({ vendorId, vendorStatus }: OwnedValues): CrmFields {
  return {
    ...(vendorId === null ? {} : { Vendor_Id__c: vendorId }),
    ...(vendorStatus === null ? {} : { Vendor_Status__c: vendorStatus }),
  };
}

/**
 * Names of the opportunity fields that only Lockstep may write, but that other users changed since Lockstep's last report (its last write
 * of these fields). A field that the integration user cannot see counts as unchanged.
 */
export function changedByOthers(
  values: OwnedValues & { readonly reported: Reported | null },
  opportunity: CrmFields,
): readonly string[] {
  const owned = ownedFields(values);
  if (!showsOwned(values.reported, owned)) return [];
  return Object.keys(owned).filter((name) => opportunity[name] !== undefined && opportunity[name] !== owned[name]);
}

/** Values that empty all opportunity fields that only Lockstep may write, for an opportunity without a vendor record. */
export const EMPTIED: CrmFields = { Vendor_Id__c: null, Vendor_Status__c: null };

/** The message to CRM users that Lockstep restored fields that only it may write; null if it restored none. */
export function restoredNote(reported: Reported | null): string | null {
  const fields = changedFields(reported);
  if (fields === null) return null;
  return `Lockstep owns ${fields.join(', ')} of the opportunity; it was changed, and was put back.`;
}
