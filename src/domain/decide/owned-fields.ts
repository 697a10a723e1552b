import type { CrmFields } from '../record/crm-graph.ts';
import { fingerprint } from '../values/fingerprint.ts';

/** What Lockstep alone writes of an opportunity. */
export type OwnedValues = {
  readonly vendorId: string | null;
  /** The vendor's status as last agreed or seen, raw. */
  readonly vendorStatus: string | null;
};

/** The opportunity's fields that Lockstep owns, as they have to be; what is not known yet is left out. */
export function ownedFields({ vendorId, vendorStatus }: OwnedValues): CrmFields {
  return {
    ...(vendorId === null ? {} : { Vendor_Id__c: vendorId }),
    ...(vendorStatus === null ? {} : { Vendor_Status__c: vendorStatus }),
  };
}

/** Whether the CRM was told these owned fields, by the mark of what was reported last. */
export function isReported(owned: CrmFields, reported: string | null): boolean {
  return reported?.startsWith(`${fingerprint(owned)}.`) === true;
}

/**
 * Owned fields that were reported and that the opportunity shows otherwise: somebody changed them. A field that the
 * integration user may not see is unknown, not changed.
 */
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
 * Mark of one try to write the vendor id into an opportunity of this version, where another has it: it is not tried again
 * before somebody saves the opportunity, or says so.
 */
export function triedDigest(vendorId: string | null, crmVersion: string | null): string {
  return fingerprint(['Vendor_Id__c', vendorId, crmVersion]);
}

const PUT_BACK = 'put back ';

/** Takes the place of the mark of what was reported: these fields are to be written again, and their users told. */
export function putBackDigest(fields: readonly string[]): string {
  return `${PUT_BACK}${fields.join(', ')}.`;
}

/** Takes the place of the mark of what was reported: the opportunity has no vendor record any more, and is to say so. */
export const TO_EMPTY = 'to-empty.';

/** What an opportunity without a vendor record shows of one. */
export const EMPTIED: CrmFields = { Vendor_Id__c: null, Vendor_Status__c: null };

export function isToEmpty(reported: string | null): boolean {
  return reported?.startsWith(TO_EMPTY) === true;
}

export function isPutBack(reported: string | null): reported is string {
  return reported?.startsWith(PUT_BACK) === true;
}

/** What the CRM's users are told of fields that are written again; null where there are none. */
export function putBackNote(reported: string | null): string | null {
  if (!isPutBack(reported)) return null;
  const fields = reported.slice(PUT_BACK.length, reported.indexOf('.'));
  return `Lockstep owns ${fields} of the opportunity; it was changed, and was put back.`;
}
