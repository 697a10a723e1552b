/**
 * Every reason why a field or a record waits, by its stable code. `severity`: `waits` needs a person, `passes` ends when a retry succeeds,
 * `informs` blocks nothing. `shown`: where people see the issue; `CRM` is `Lockstep_Sync__c.Message__c`, `status` is `lockstep status`.
 */
export const ISSUE_CATALOG = {
  'no-code-for-value': {
    severity: 'waits',
    meaning: 'the value has no code at the vendor, or cannot be stored as it is',
    repair:
      'choose another value, or add the code to `vendor.values` of the tenant file, or a row to `stages` of the mapping file, which `lockstep mapping show` prints',
    shown: 'CRM, status',
  },
  'forecast-of-vendor': {
    severity: 'informs',
    meaning:
      'the forecast was changed in the CRM, and the vendor ignores or sets that of a lead or a closed deal',
    repair: 'nothing; it goes once the deal is an open opportunity',
    shown: 'CRM',
  },
  'cannot-be-cleared': {
    severity: 'waits',
    meaning: 'the field was emptied on one side, and the other cannot be without it',
    repair: 'fill it again, or clear it on the other side',
    shown: 'CRM, status',
  },
  'required-on-create': {
    severity: 'waits',
    meaning: 'the vendor requires the field on create and the CRM has none',
    repair: 'fill the CRM field that the message names',
    shown: 'CRM, status',
  },
  'unknown-offer': {
    severity: 'waits',
    meaning: 'no product of the price book has the offer of a vendor line, or a line names no offer',
    repair:
      'add the product with `Vendor_Offer_Id__c` and a price book entry; the other lines and fields flow',
    shown: 'CRM, status',
  },
  'line-not-shared': {
    severity: 'informs',
    meaning: "the line's product is the partner's own",
    repair: 'nothing; or fill `Product2.Vendor_Offer_Id__c`',
    shown: 'CRM',
  },
  'contact-incomplete': {
    severity: 'informs',
    meaning: 'a contact or the owner lacks e-mail, first or last name and was left out',
    repair: 'nothing; or complete it',
    shown: 'CRM',
  },
  'contact-repeated': {
    severity: 'waits',
    meaning:
      'several contacts of the deal have one e-mail address, by which contacts are told apart, so only the primary one travels, or else the one longest on the deal',
    repair: 'give each its own address, or remove the others from the deal; all else flows',
    shown: 'CRM, status',
  },
  'not-readable': {
    severity: 'informs',
    meaning:
      'the integration user cannot read a contact, the account or a product of the deal, so that field does not travel',
    repair: 'share the record with the integration user, or assign the permission set',
    shown: 'CRM',
  },
  'vendor-refused': {
    severity: 'waits',
    meaning: 'the vendor refused the content, or did not take a change',
    repair: 'correct the field that the message names and save',
    shown: 'CRM, status',
  },
  'crm-refused': {
    severity: 'waits',
    meaning: 'a validation rule, a required field or a missing permission in the CRM',
    repair: 'correct the record or the rule, or assign the permission set',
    shown: 'CRM, status',
  },
  'tried-again': {
    severity: 'passes',
    meaning:
      'a side refused a write for now, as in maintenance or for a lock, or gave an answer that nobody documents',
    repair:
      'nothing; it is tried again at the time that the message names, and a person is asked only where that goes on for hours',
    shown: 'CRM, status',
  },
  'refused-alone': {
    severity: 'waits',
    meaning: 'the vendor refuses our key for this record alone, and takes it for others, which go on',
    repair:
      'ask the vendor what its gateway has against this record; it is tried again at the time that the message names, and at once by `lockstep sync`',
    shown: 'CRM, status',
  },
  'does-not-fit': {
    severity: 'waits',
    meaning:
      "a value of the vendor's is too long for its field in the CRM, no value of its restricted picklist, or the integration user may not write the field; the rest was written",
    repair:
      'correct it at the vendor, or change the field, its picklist or the permission set, then save the opportunity or run `lockstep sync`',
    shown: 'CRM, status',
  },
  'no-answer': {
    severity: 'waits',
    meaning: 'a side has answered with nothing but failures for more than an hour',
    repair:
      'see the cause that the message names; it is tried again a few times a day, and at once when anything changes',
    shown: 'CRM, status',
  },
  shortened: {
    severity: 'informs',
    meaning:
      'a text of a vendor-created record is longer than its field in the CRM, and was cut or left out where it was made',
    repair: 'nothing; or shorten it at the vendor',
    shown: 'CRM',
  },
  'adoption-failed': {
    severity: 'waits',
    meaning: 'our reference exists at the vendor, but no record of ours carries it',
    repair: 'ask the vendor to release or correct the reference',
    shown: 'CRM, status',
  },
  'several-candidates': {
    severity: 'waits',
    meaning: 'several records of the other side may be this deal',
    repair:
      'vendor records with our reference: ask the vendor to keep one, that of `Vendor_Id__c` if there is one, else `lockstep unlink` and then `lockstep link` with the one that is left; opportunities that match a vendor record: enter its id in `Vendor_Id__c` of the right one, or run `lockstep link`',
    shown: 'CRM, status',
  },
  'reference-repeated': {
    severity: 'informs',
    meaning:
      'several vendor records carry the id of an opportunity that is not shared; where it is shared again and they still do, it waits as one with several candidates',
    repair: 'nothing; or ask the vendor to keep one',
    shown: 'CRM',
  },
  'possible-duplicate': {
    severity: 'waits',
    meaning:
      'a vendor-created record may be an opportunity that is not shared, or that another vendor record may be as well; or an opportunity may be a vendor record that another may be as well; so nothing is made a second time',
    repair:
      'where it is the same deal, tick `Vendor_Share__c` of the opportunity, enter the vendor id in its `Vendor_Id__c`, or run `lockstep link`; where it is another, give one of the two another name',
    shown: 'CRM, status',
  },
  unlinked: {
    severity: 'waits',
    meaning:
      'a person has separated it from a record of the other side by `lockstep unlink`, so it is neither linked by itself nor made there a second time',
    repair:
      '`lockstep link` with the record that it is (the same one too), or untick `Vendor_Share__c`; a deal that is new to both sides is a new opportunity',
    shown: 'CRM, status',
  },
  'vendor-id-taken': {
    severity: 'waits',
    meaning: "the vendor id of a deal stands in another opportunity's `Vendor_Id__c`",
    repair: 'clear it where it does not belong, then save this opportunity or run `lockstep sync`',
    shown: 'CRM, status',
  },
  'reference-not-in-crm': {
    severity: 'waits',
    meaning: "the vendor's record names an opportunity that this org does not have",
    repair: 'restore it, or have the reference cleared',
    shown: 'status',
  },
  'vendor-missing': {
    severity: 'waits',
    meaning: 'the linked vendor record is gone or out of our scope',
    repair: 'ask the vendor, or untick `Vendor_Share__c`',
    shown: 'CRM, status',
  },
  'currency-differs': {
    severity: 'waits',
    meaning: 'the two sides have the deal in different currencies, so no amount travels',
    repair: 'set the same currency on both sides; all other fields flow',
    shown: 'CRM, status',
  },
  conflict: {
    severity: 'waits',
    meaning:
      'changed on both sides, and the rule of the field is `manual`; or closed at the vendor, and open or closed in another way in the CRM',
    repair:
      'choose under _Resolve_ of the sync row, run `lockstep conflicts resolve`, or change it again on the side that is right; close the opportunity, or have the vendor reopen it',
    shown: 'CRM, status',
  },
} as const satisfies Readonly<Record<string, IssueKind>>;

export type IssueKind = {
  readonly severity: 'waits' | 'passes' | 'informs';
  readonly meaning: string;
  readonly repair: string;
  readonly shown: 'CRM, status' | 'CRM' | 'status';
};

export type IssueCode = keyof typeof ISSUE_CATALOG;
