/** Why the two sides of a deal differ although nothing is known to be on its way and nothing open explains it. */
export const AUDIT_CAUSES = {
  'crm-change-unseen': 'changed in the CRM, and no message or sweep told of it',
  'vendor-change-unseen': 'changed at the vendor, and no poll told of it',
  'vendor-record-restored': 'the vendor shows an older state of the record than was read of it before',
  'vendor-record-gone': 'linked, and the vendor does not show the record any more',
  'opportunity-gone': 'linked, and the CRM does not show the opportunity any more',
} as const satisfies Readonly<Record<string, string>>;

export type AuditCause = keyof typeof AUDIT_CAUSES;

/** One difference; ids and names of fields alone. Empty `fields`: of the record as a whole. */
export type Difference = {
  readonly cause: AuditCause;
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly fields: readonly string[];
};
