/** Texts of all issues, one function for each situation. A text names the CRM field and the repair, and contains no record value. */
import type { FieldName } from './canonical.ts';
import type { Misfit } from './crm-limits.ts';
import { IMPORT_REPAIRS } from './import-repairs.ts';
import type { Issue, IssueCode } from './issue.ts';
import { WAIT_ISSUES } from './wait-issues.ts';

export const ISSUES = {
  statusWithoutCode: () =>
    issue(
      'no-code-for-value',
      'status',
      'The value of Opportunity.StageName has no vendor status: add a row for it to stages of the mapping file, or the code to vendor.values.status of the tenant file.',
    ),
  forecastWithoutCode: (crmField: string) =>
    issue(
      'no-code-for-value',
      'forecastCategory',
      `The value of Opportunity.${crmField} has no vendor code: choose another, or add it to vendor.values.forecastCategory.`,
    ),
  forecastOfSystem: (crmField: string) =>
    issue(
      'no-code-for-value',
      'forecastCategory',
      `The vendor's system alone sets the forecasts Won and Lost: choose another Opportunity.${crmField} while the deal is open.`,
    ),
  forecastOfVendor: (crmField: string) =>
    issue(
      'forecast-of-vendor',
      'forecastCategory',
      `Opportunity.${crmField} is not sent while the deal is a lead, for which the vendor ignores it, or closed, where the vendor sets it itself.`,
    ),
  reasonWithoutCode: (field: 'reasonWon' | 'reasonLost', names: readonly string[]) =>
    issue(
      'no-code-for-value',
      field,
      `${names.join(', ')} has no vendor code: add it to vendor.values.${field}.`,
    ),
  badCurrency: () =>
    issue(
      'no-code-for-value',
      'currency',
      'Opportunity.CurrencyIsoCode is not three uppercase letters, as the vendor requires: correct it.',
    ),
  inexactAmount: () =>
    issue(
      'no-code-for-value',
      'offerLines',
      'A line amount (OpportunityLineItem.TotalPrice) has more digits than a JSON number holds: shorten it.',
    ),
  revenueTypeWithoutCode: () =>
    issue(
      'no-code-for-value',
      'offerLines',
      'The vendor shows another revenue type of a line than OpportunityLineItem.Vendor_Revenue_Type__c, which has no vendor code: choose another, or add it to vendor.values.revenueType.',
    ),
  codeWithSemicolon: (field: FieldName) =>
    issue(
      'no-code-for-value',
      field,
      `A vendor code of ${field} contains a semicolon, which a multi-select picklist cannot hold.`,
    ),

  vendorCannotClear: (field: FieldName) =>
    issue(
      'cannot-be-cleared',
      field,
      `The vendor documents no way to clear ${field}: fill it in the CRM, or clear it at the vendor.`,
    ),
  crmCannotClear: (field: FieldName, crmField: string) =>
    issue(
      'cannot-be-cleared',
      field,
      `The vendor has no ${field}, and the CRM requires Opportunity.${crmField}: the CRM's value stays.`,
    ),

  requiredOnCreate: (field: FieldName, repair: string) =>
    issue('required-on-create', field, `The vendor requires ${field} on create: ${repair}.`),
  partnerIdMissing: () =>
    issue(
      'required-on-create',
      null,
      'The vendor requires partnerId on create: fill vendor.partnerId in the tenant file.',
    ),
  entityMissing: () =>
    issue(
      'required-on-create',
      'customerSiteId',
      'The vendor takes the site id only together with the whole legal entity: fill Opportunity.AccountId.',
    ),

  /** A vendor line that the CRM cannot store: it has no offer, or no product of the price book has its offer. */
  vendorLineWithoutProduct: (offer: string | null) =>
    issue(
      'unknown-offer',
      'offerLines',
      offer === null
        ? 'A line at the vendor has no offerNameId and was not added to the opportunity.'
        : `No product of the price book has Product2.Vendor_Offer_Id__c ${offer}, so its line was not added: add the product.`,
    ),
  lineWithoutOffer: () =>
    issue(
      'unknown-offer',
      'offerLines',
      'A line has no offerNameId, which the vendor requires: fill Product2.Vendor_Offer_Id__c or remove the line.',
    ),
  lineNotShared: () =>
    issue(
      'line-not-shared',
      'offerLines',
      'A line of the deal is not shared, because its product has no Product2.Vendor_Offer_Id__c: fill it where the product is one of the vendor.',
    ),

  contactIncomplete: () =>
    issue(
      'contact-incomplete',
      'customerContacts',
      'A contact of the deal has no Email, FirstName or LastName and was left out: complete the contact.',
    ),
  contactRepeated: () =>
    issue(
      'contact-repeated',
      'customerContacts',
      'Several contacts of the deal have the same Contact.Email, so only the first of them goes to the vendor: give each its own address, or remove the others from the deal.',
    ),
  vendorContactRepeated: () =>
    issue(
      'contact-repeated',
      'customerContacts',
      'Several contacts of the vendor record have the same e-mail address, so only the first of them was made: give each its own address there, or add the others to the opportunity.',
    ),
  ownerIncomplete: () =>
    issue(
      'contact-incomplete',
      'partnerContacts',
      'The owner of the deal has no Email, FirstName or LastName, so the partner contact was not sent: complete the user.',
    ),

  /** `what`: the record that the deal refers to and the integration user cannot read. */
  notReadable: (field: FieldName, what: string) =>
    issue(
      'not-readable',
      field,
      `The integration user cannot read ${what}, so ${field} is not sent: share it with that user, or assign the permission set Lockstep_Integration.`,
    ),

  /** `code`: the vendor's error code or `HTTP <status>`; `fields`: the field paths in the vendor's error, if any. */
  vendorRefused: (code: string, fields: readonly string[]) =>
    issue(
      'vendor-refused',
      fields[0] ?? null,
      `The vendor refused this record (${code}${fields.length === 0 ? '' : ` at ${fields.join(', ')}`}). Correct the opportunity and save it again.`,
    ),
  valueRefusedByVendor: (field: FieldName, code: string) =>
    issue(
      'vendor-refused',
      field,
      `The vendor refused the value of ${field} (${code}), so the rest went without it. Change it and save.`,
    ),
  lineRefusedByVendor: (offer: string, code: string) =>
    issue(
      'vendor-refused',
      'offerLines',
      `The vendor refused the line of ${offer} (${code}), so the rest went without it. Change it and save.`,
    ),
  ignoredByVendor: (field: FieldName) =>
    issue(
      'vendor-refused',
      field,
      `The vendor accepted the change of ${field} and still shows what stood there before. Change it again in the CRM, or at the vendor.`,
    ),

  /** `code`: Salesforce's error code; `fields`: the API names in Salesforce's error, if any. */
  crmRefused: (code: string, fields: readonly string[]) =>
    issue(
      'crm-refused',
      null,
      `The CRM refused the vendor's change (${code}${fields.length === 0 ? '' : ` at ${fields.join(', ')}`}). Correct the record or the rule, then save it again.`,
    ),
  valueRefusedByCrm: (field: FieldName, crmField: string, code: string) =>
    issue(
      'crm-refused',
      field,
      `The CRM refused the vendor's ${field} (${code} at ${crmField}), so the rest was written without it. Correct it at the vendor, or the field's definition or rule in the CRM.`,
    ),
  /** `misfit`: why the CRM field cannot store the value. */
  doesNotFit: (field: FieldName, crmField: string, misfit: Misfit) =>
    issue(
      'does-not-fit',
      field,
      `The vendor's ${field} was not written to Opportunity.${crmField}, ${MISFITS[misfit]}; or correct it at the vendor. Then save the opportunity, or run lockstep sync.`,
    ),
  lineDoesNotFit: (offer: string, crmField: string, misfit: Misfit) =>
    issue(
      'does-not-fit',
      'offerLines',
      `The vendor's line of ${offer} was not added, because of OpportunityLineItem.${crmField}, ${MISFITS[misfit]}; or correct it at the vendor. Then save the opportunity, or run lockstep sync.`,
    ),
  lineRefusedByCrm: (offer: string, code: string, fields: readonly string[]) =>
    issue(
      'crm-refused',
      'offerLines',
      `The CRM refused the vendor's line of ${offer} (${code}${fields.length === 0 ? '' : ` at ${fields.join(', ')}`}), so the rest was written without it. Correct it at the vendor, or the rule in the CRM, then save the opportunity or run lockstep sync.`,
    ),
  linesRefusedByCrm: (code: string, fields: readonly string[]) =>
    issue(
      'crm-refused',
      'offerLines',
      `The CRM refused a change of the vendor's in the lines (${code}${fields.length === 0 ? '' : ` at ${fields.join(', ')}`}), so the rest was written without them. Correct it at the vendor, or the rule in the CRM, then save the opportunity or run lockstep sync.`,
    ),
  contactRefusedByCrm: (code: string, fields: readonly string[]) =>
    issue(
      'crm-refused',
      'customerContacts',
      `The CRM refused a contact of the vendor record (${code}${fields.length === 0 ? '' : ` at ${fields.join(', ')}`}), so the deal was made without it. Make the contact in the CRM and add it to the opportunity, or have the vendor remove it.`,
    ),
  /** `crmField`: the account's field, in an org with State and Country/Territory Picklists. */
  placeDoesNotFit: (crmField: 'BillingCountry' | 'BillingState') => ({
    ...issue(
      'does-not-fit',
      'customerLegalEntity',
      `The vendor's ${crmField === 'BillingCountry' ? 'country' : 'state'} is none of the picklist of Account.${crmField}, so the account was made without it: choose it there, and add it to State and Country/Territory Picklists where it is missing.`,
    ),
    fingerprint: crmField,
  }),
  leftOut: (field: FieldName, what: string) =>
    issue(
      'shortened',
      field,
      `A value of the vendor's does not fit ${what}, and was left out where it was made.`,
    ),
  shortened: (field: FieldName, crmField: string) =>
    issue(
      'shortened',
      field,
      `The vendor's text is longer than ${crmField}, which holds the beginning of it.`,
    ),
  /** The issue of a refused import. A vendor-created record has no opportunity that a sales person could save. */
  importRefused: (vendorId: string, code: string, fields: readonly string[]) =>
    issue(
      'crm-refused',
      null,
      `The CRM refused to make an opportunity of this vendor record (${code}${fields.length === 0 ? '' : ` at ${fields.join(', ')}`}). ${IMPORT_REPAIRS.get(code) ?? 'Correct the rule in the CRM, or the record at the vendor'}, then run lockstep sync ${vendorId}.`,
    ),
  hiddenFromUser: (field: FieldName, crmField: string) =>
    issue(
      'crm-refused',
      field,
      `The integration user may not see Opportunity.${crmField}: assign it the permission set Lockstep_Integration.`,
    ),
  linesHiddenFromUser: () =>
    issue(
      'crm-refused',
      'offerLines',
      'The integration user may not see the fields of the lines: assign it the permission set Lockstep_Integration.',
    ),

  /** `reason`: the last failure, in codes and names. */
  ...WAIT_ISSUES,
  referenceWithoutRecord: () =>
    issue(
      'adoption-failed',
      null,
      'The vendor says our reference exists (ERR801), but shows no record for it. Ask the vendor to release the reference.',
    ),
  referenceOfAnotherDeal: () =>
    issue(
      'adoption-failed',
      null,
      'The vendor record carries the reference of another opportunity. Correct the reference at the vendor.',
    ),
  vendorIdOfAnotherDeal: () =>
    issue(
      'adoption-failed',
      null,
      'The opportunity with this vendor id belongs to another vendor record. Clear Opportunity.Vendor_Id__c there.',
    ),
  unusableVendorId: () =>
    issue(
      'adoption-failed',
      null,
      'The vendor names its record for this deal by a text that is no id. Ask the vendor what its id is.',
    ),
  severalVendorRecords: (vendorIds: readonly string[]) =>
    issue(
      'several-candidates',
      null,
      `Several vendor records carry our reference: ${listed(vendorIds)}. Ask the vendor to keep one.`,
    ),
  referenceRepeated: () =>
    issue(
      'reference-repeated',
      null,
      'Several vendor records carry our reference: ask the vendor to keep one before this opportunity is shared again.',
    ),
  severalOpportunities: (vendorId: string, crmIds: readonly string[]) => ({
    ...issue(
      'several-candidates',
      null,
      `Several shared opportunities may be the vendor record ${vendorId}: ${listed(crmIds)}. Enter its id in Vendor_Id__c of the right one, or run lockstep link.`,
    ),
    candidates: crmIds,
  }),
  vendorIdTaken: () =>
    issue(
      'vendor-id-taken',
      null,
      'The vendor id of this deal stands in Vendor_Id__c of another opportunity: clear it there, then save this opportunity or run lockstep sync.',
    ),
  vendorIdNotOurs: () =>
    issue(
      'vendor-id-taken',
      null,
      'Opportunity.Vendor_Id__c names a vendor record that is linked to another opportunity: clear it, or enter the right id.',
    ),
  mayBeOpportunity: (vendorId: string, crmIds: readonly string[]) => ({
    ...issue(
      'possible-duplicate',
      null,
      `The vendor record ${vendorId} may be an opportunity that is there already: ${listed(crmIds)}. If it is, tick Vendor_Share__c there, enter the id in its Vendor_Id__c, or run lockstep link; if not, give one of the two another name.`,
    ),
    candidates: crmIds,
  }),
  mayBeVendorRecords: (vendorIds: readonly string[]) =>
    issue(
      'possible-duplicate',
      null,
      `This opportunity may be one of several vendor records: ${listed(vendorIds)}. Enter the id of the right one in Opportunity.Vendor_Id__c, or run lockstep link.`,
    ),
  oneOfSeveral: (vendorId: string, crmIds: readonly string[]) =>
    issue(
      'possible-duplicate',
      null,
      `One of these opportunities is the vendor record ${vendorId}, as it seems: ${listed(crmIds)}. Enter its id in Opportunity.Vendor_Id__c of the right one, or run lockstep link; where none is, give them other names.`,
    ),
  separated: (record: string, from: readonly string[], otherwise = '') =>
    issue(
      'unlinked',
      null,
      `A person has separated ${record} from ${listed(from)}, so it is neither linked by itself nor made on the other side a second time. Run lockstep link with the one that it is${otherwise}.`,
    ),
  referenceNotInCrm: () =>
    issue(
      'reference-not-in-crm',
      null,
      'The vendor record names an opportunity that this org does not have. Restore it, or clear the reference at the vendor.',
    ),
  vendorMissing: () =>
    issue(
      'vendor-missing',
      null,
      'The vendor no longer shows this record to us (ERROR_048). Ask the vendor, or untick Vendor_Share__c.',
    ),
  currenciesDiffer: () =>
    issue(
      'currency-differs',
      'offerLines',
      'The opportunity and the vendor record have different currencies, so no line amount travels. Set the same currency on both.',
    ),
  closedAtVendor: () => issue('conflict', 'status', CLOSED_THERE.andOpenHere),
  closedOtherwise: () => issue('conflict', 'status', CLOSED_THERE.andOtherwiseHere),
  conflict: (field: FieldName) =>
    issue(
      'conflict',
      field,
      `${field} was changed on both sides. Choose under Resolve of this record, or change it again on the side that is right.`,
    ),
} as const satisfies Readonly<Record<string, (...values: never[]) => Issue>>;

const CLOSED_THERE = {
  andOpenHere:
    'The vendor closed this deal, and Opportunity.StageName is open. Close the opportunity, have the vendor reopen the deal, or choose under Resolve of this record.',
  andOtherwiseHere:
    'The vendor closed this deal in another way than Opportunity.StageName says. Change the side that is wrong, or choose under Resolve of this record.',
};

const MISFITS = {
  'too-long': 'which holds fewer characters: lengthen the field',
  'no-such-value': 'whose picklist does not have it: add the value to the picklist',
  'no-text': 'for which the mapping has no text there: correct the field in the mapping file',
  'not-writable': 'which the integration user may not write: assign the permission set Lockstep_Integration',
} as const satisfies Readonly<Record<Misfit, string>>;

const MOST_LISTED = 5;

function listed(ids: readonly string[]): string {
  return ids.slice(0, MOST_LISTED).join(', ');
}

function issue(code: IssueCode, field: string | null, message: string): Issue {
  return { code, field, message };
}
