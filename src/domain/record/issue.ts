/** A reason why a field or a record cannot travel, as data: stable code, the field, and what repairs it. */

export type IssueCode =
  | 'no-code-for-value' // the value has no code in the vendor's tables or the tenant file
  | 'cannot-be-cleared' // the vendor documents no way to unset this field
  | 'required-on-create' // the vendor requires the field on create and the CRM has none
  | 'unknown-offer' // no active product with this offer id in the CRM's price book
  | 'line-not-shared' // a line of the partner's own product, which the vendor has no part in
  | 'contact-incomplete' // a contact lacks e-mail, first or last name and is left out
  | 'vendor-refused' // the vendor answered with a permanent error
  | 'crm-refused' // the CRM answered with a permanent error (validation rule, required field, ...)
  | 'adoption-failed' // the reference exists at the vendor, but no record of ours can be found for it
  | 'several-candidates' // more than one record of the other side may be this deal
  | 'reference-not-in-crm' // the vendor record names a CRM record that does not exist
  | 'vendor-missing' // a linked vendor record is gone or out of our scope (ERROR_048, echo)
  | 'conflict'; // changed on both sides; the field waits for a person

export type Issue = {
  readonly code: IssueCode;
  /** Canonical field, or null when the whole record is concerned. */
  readonly field: string | null;
  /** One sentence that names the CRM field and the repair. Holds field names and codes, no personal data. */
  readonly message: string;
};
