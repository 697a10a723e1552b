/**
 * The possible causes of a difference between a CRM record and its vendor record, each in words. An audit reports only a difference that no
 * change in progress and no open issue explains.
 */
export const AUDIT_CAUSES = {
  'crm-change-unseen': 'changed in the CRM, and no message or sweep reported it',
  'vendor-change-unseen': 'changed at the vendor, and no poll reported it',
  'vendor-record-restored': 'the vendor shows an older state of the record than Lockstep read before',
  'vendor-record-gone': 'linked, and the vendor does not show the record any more',
  'opportunity-gone': 'linked, and the CRM does not show the opportunity any more',
} as const satisfies Readonly<Record<string, string>>;

export type AuditCause = keyof typeof AUDIT_CAUSES;

/** One difference that an audit found, with ids and field names only. Empty `fields` means that the record as a whole differs. */
export type Difference = {
  readonly cause: AuditCause;
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly fields: readonly string[];
};
