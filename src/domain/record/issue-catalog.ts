/**
 * Every reason why a field or a record waits, by its stable code. `severity`: `waits` if a user or operator must act, `passes` if Lockstep
 * retries and no user needs to act, `informs` if nothing is blocked. `shown`: where the issue is shown; `CRM` means
 * `Lockstep_Sync__c.Message__c`, and `status` means `lockstep status`. `repair`: what to do. `issues.ts` has a message for each situation
 * of a code.
 */
export const ISSUE_CATALOG = {
  'no-code-for-value': {
    severity: 'waits',
    meaning: 'the vendor has no code for a value, or cannot store it',
    repair:
      'choose another value, or add its code to the tenant file (vendor.values) or its stage to the mapping file (stages)',
    shown: 'CRM, status',
  },
  'forecast-of-vendor': {
    severity: 'informs',
    meaning: 'the vendor does not take a forecast from the CRM while the deal is a lead or closed',
    repair: 'nothing; Lockstep sends the forecast once the deal is an open opportunity',
    shown: 'CRM',
  },
  'cannot-be-cleared': {
    severity: 'waits',
    meaning: 'a field was emptied on one side, and the other side cannot be without it',
    repair: 'fill it in again, or empty it on the other side',
    shown: 'CRM, status',
  },
  'required-on-create': {
    severity: 'waits',
    meaning: 'the vendor needs a field to accept a new deal, and the CRM has no value',
    repair: 'fill in the field that the message names',
    shown: 'CRM, status',
  },
  'unknown-offer': {
    severity: 'waits',
    meaning: 'a product line of the vendor has no product in the price book, or a line names no product',
    repair: 'add a product with that "Vendor: offer id" and a price book entry; everything else of the deal is synced',
    shown: 'CRM, status',
  },
  'line-not-shared': {
    severity: 'informs',
    meaning: "a product of the deal is not the vendor's, so its line stays in the CRM",
    repair: 'nothing, or fill in "Vendor: offer id" of the product, or write a rule of offers',
    shown: 'CRM',
  },
  'contact-incomplete': {
    severity: 'informs',
    meaning: 'a contact or the owner lacks an e-mail, first name or last name, so the vendor does not get it',
    repair: 'nothing, or complete the contact or the user',
    shown: 'CRM',
  },
  'contact-repeated': {
    severity: 'waits',
    meaning:
      'several contacts of the deal share one e-mail address, so the vendor gets only the primary one, or else the one that has been on the deal longest',
    repair: 'give each its own address, or remove the others from the deal; everything else of the deal is synced',
    shown: 'CRM, status',
  },
  'not-readable': {
    severity: 'informs',
    meaning: 'Lockstep cannot read a contact, the account or a product of the deal, so the vendor does not get it',
    repair: 'share the record with the integration user, or assign it the permission set Lockstep_Integration',
    shown: 'CRM',
  },
  'field-hidden': {
    severity: 'waits',
    meaning: 'Lockstep may not see a mapped field, so its values do not travel; everything else does',
    repair:
      'let the integration user see and edit the field, by the permission set that the message names; its values then travel without another step',
    shown: 'CRM, status',
  },
  'vendor-refused': {
    severity: 'waits',
    meaning: 'the vendor refused a value, or did not apply a change',
    repair: 'correct the field that the message names, and save the opportunity',
    shown: 'CRM, status',
  },
  'crm-refused': {
    severity: 'waits',
    meaning: 'a validation rule, a required field or a missing permission in Salesforce stopped a write',
    repair: 'correct the record or the rule, or assign the permission set Lockstep_Integration',
    shown: 'CRM, status',
  },
  'tried-again': {
    severity: 'passes',
    meaning: 'a side refused a write for now, as in maintenance or for a lock, or gave an unknown answer',
    repair: 'nothing; Lockstep tries again at the time that the message names, and asks for a repair only after hours',
    shown: 'CRM, status',
  },
  'refused-alone': {
    severity: 'waits',
    meaning: 'the vendor refuses our key for this deal alone and accepts it for others',
    repair:
      'ask the vendor why its gateway refuses this deal; Lockstep tries again at the time that the message names, or now: lockstep sync',
    shown: 'CRM, status',
  },
  'does-not-fit': {
    severity: 'waits',
    meaning:
      'a value of the vendor is too long for its field, is not in its picklist, or Lockstep may not write the field; the rest was written',
    repair:
      'have the vendor correct it, or change the field, its picklist or the permission set, then save the opportunity or run lockstep sync',
    shown: 'CRM, status',
  },
  'no-answer': {
    severity: 'waits',
    meaning: 'a side has answered with nothing but failures for more than an hour',
    repair: 'remove the cause that the message names; Lockstep tries again a few times a day',
    shown: 'CRM, status',
  },
  shortened: {
    severity: 'informs',
    meaning: 'a text of the vendor was too long for its field, so the new record holds a part of it or none',
    repair: 'nothing, or have the vendor shorten it',
    shown: 'CRM',
  },
  'adoption-failed': {
    severity: 'waits',
    meaning: 'our reference exists at the vendor, but no deal of ours carries it',
    repair: 'ask the vendor to release or correct the reference',
    shown: 'CRM, status',
  },
  'became-another-deal': {
    severity: 'waits',
    meaning:
      'a lead was converted or merged into a record that has a vendor deal of its own, so one deal is at the vendor twice',
    repair: 'ask the vendor to keep one of the two, then run lockstep unlink on the lead',
    shown: 'CRM, status',
  },
  'lead-not-converted': {
    severity: 'waits',
    meaning: 'the vendor has made an opportunity of the lead, and Salesforce refuses its conversion',
    repair: 'repair what the message says about the lead, or convert the lead yourself',
    shown: 'CRM, status',
  },
  'left-on-lead': {
    severity: 'waits',
    meaning: 'Salesforce refuses to write values of a converted lead to its opportunity',
    repair: 'fill in what the rules of the org ask for and save the opportunity, or enter the values yourself',
    shown: 'CRM, status',
  },
  'several-candidates': {
    severity: 'waits',
    meaning: 'several records of the other side may be this deal',
    repair:
      'if the vendor has several deals for one opportunity, ask the vendor to keep one, then run lockstep link if another one was linked; if several opportunities fit one deal, enter its id in "Vendor: id" of the right one, or run lockstep link',
    shown: 'CRM, status',
  },
  'reference-repeated': {
    severity: 'informs',
    meaning: 'the vendor has several deals for an opportunity that is not shared',
    repair: 'nothing, or ask the vendor to keep one before the opportunity is shared again',
    shown: 'CRM',
  },
  'possible-duplicate': {
    severity: 'waits',
    meaning: 'an opportunity and a deal of the vendor may be the same, so Lockstep creates neither a second time',
    repair:
      'if they are the same, tick "Vendor: share" and enter the vendor id in "Vendor: id", or run lockstep link; if not, rename one of the two',
    shown: 'CRM, status',
  },
  unlinked: {
    severity: 'waits',
    meaning: 'an operator separated it from the other side, so Lockstep neither links nor creates it',
    repair: 'run lockstep link with the right record, or untick "Vendor: share"',
    shown: 'CRM, status',
  },
  'vendor-id-taken': {
    severity: 'waits',
    meaning: 'another opportunity has the vendor id of this deal',
    repair:
      'untick "Vendor: share" of the wrong opportunity, empty its "Vendor: id", then save this one or run lockstep sync',
    shown: 'CRM, status',
  },
  'unproven-claim': {
    severity: 'waits',
    meaning: 'a user entered a vendor id, and nothing shows that the two are one deal',
    repair:
      'correct the id or the account, or empty "Vendor: id"; else a user with the permission set Lockstep_Claim enters it again, or run lockstep link',
    shown: 'CRM, status',
  },
  'reference-not-in-crm': {
    severity: 'waits',
    meaning: 'the deal at the vendor names an opportunity that this org does not have',
    repair:
      'restore the opportunity; or if another org of yours has it, set vendor.sharedKey in the tenant file, then run lockstep inbox retry',
    shown: 'status',
  },
  'vendor-missing': {
    severity: 'waits',
    meaning: 'the vendor no longer shows the linked deal to us',
    repair: 'ask the vendor, or untick "Vendor: share"',
    shown: 'CRM, status',
  },
  'currency-differs': {
    severity: 'waits',
    meaning: 'the two sides have the deal in different currencies, so no amount is synced',
    repair: 'set the same currency on both sides; everything else of the deal is synced',
    shown: 'CRM, status',
  },
  conflict: {
    severity: 'waits',
    meaning: 'a field was changed on both sides, and its rule leaves the choice to a person',
    repair:
      'choose a side under Resolve of the sync row, run lockstep conflicts resolve, or change the field again on the right side',
    shown: 'CRM, status',
  },
  'closed-at-vendor': {
    severity: 'waits',
    meaning: 'the vendor won or lost the deal, and the opportunity is open',
    repair: 'close the opportunity, have the vendor reopen the deal, or choose a side under Resolve of the sync row',
    shown: 'CRM, status',
  },
  'closed-otherwise': {
    severity: 'waits',
    meaning: 'the vendor closed the deal, and the opportunity is closed with another outcome',
    repair:
      'correct the stage of the opportunity, have the vendor correct the deal, or choose a side under Resolve of the sync row',
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
