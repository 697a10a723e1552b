/**
 * The messages of all issues, one function for each situation. A message is one sentence for a sales person: the field by its label, the
 * consequence and the repair. It contains no value of the record.
 */
import type { FieldName } from './canonical.ts';
import type { Misfit } from './crm-limits.ts';
import { crmLabel, fieldWords } from './field-labels.ts';
import { ACCOUNT_REPAIR, IMPORT_REPAIRS } from './import-repairs.ts';
import { type Hold, type Issue, issue } from './issue.ts';
import { LEAD_ISSUES } from './lead-issues.ts';
import { MATCH_ISSUES } from './match-issues.ts';
import { grantOf } from './permission-sets.ts';
import { WAIT_ISSUES } from './wait-issues.ts';

/**
 * The labels of the first three fields in `names`, which are hidden from the integration user, as one text; further fields are only
 * counted. If a field belongs to another object than the opportunity, the text names the object.
 */
function hiddenLabels(names: readonly string[]): string {
  const labels = names.slice(0, 3).map((name) => {
    const [object = '', field] = name.split('.');
    const of = OBJECT_LABELS[object];
    return field === undefined || of === undefined ? `"${crmLabel(name)}"` : `"${crmLabel(field)}" of the ${of}`;
  });
  return [...labels, ...(names.length > 3 ? [`${names.length - 3} more fields`] : [])].join(', ');
}

const OBJECT_LABELS: Readonly<Record<string, string>> = {
  Account: 'account',
  Contact: 'contact',
  User: 'owner',
  OpportunityLineItem: 'product line',
  Product2: 'product',
};

export const ISSUES = {
  statusWithoutCode: () =>
    issue(
      'no-code-for-value',
      'status',
      'The Stage of this opportunity has no status at the vendor: choose another stage, or ask the administrator to add this one to the mapping.',
    ),
  forecastWithoutCode: (crmField: string) =>
    issue(
      'no-code-for-value',
      'forecastCategory',
      `The value of "${crmLabel(crmField)}" is unknown to the vendor: choose another, or ask the administrator to add its code to the tenant file.`,
    ),
  forecastOfSystem: (crmField: string) =>
    issue(
      'no-code-for-value',
      'forecastCategory',
      `Only the vendor sets the forecasts Won and Lost: choose another "${crmLabel(crmField)}" while the deal is open.`,
    ),
  forecastOfVendor: (crmField: string) =>
    issue(
      'forecast-of-vendor',
      'forecastCategory',
      `The vendor does not take "${crmLabel(crmField)}" while the deal is a lead or closed, so your change waits until the deal is open.`,
    ),
  reasonWithoutCode: (field: 'reasonWon' | 'reasonLost') =>
    issue(
      'no-code-for-value',
      field,
      `The vendor has no code for a value of the ${fieldWords(field)}: choose another, or ask the administrator to add its code to the tenant file.`,
    ),
  notListed: (field: FieldName, crmField: string) =>
    issue(
      'no-code-for-value',
      field,
      `A value of "${crmLabel(crmField)}" is not in the vendor's list: correct it or choose another, or ask the administrator to add it to vendor.lists in the tenant file.`,
    ),
  badCurrency: () =>
    issue(
      'no-code-for-value',
      'currency',
      'The Opportunity Currency has to be three capital letters for the vendor, such as EUR: correct it.',
    ),
  inexactAmount: () =>
    issue(
      'no-code-for-value',
      'offerLines',
      'The Total Price of a product line has more digits than the vendor can take: round it.',
    ),
  revenueTypeWithoutCode: () =>
    issue(
      'no-code-for-value',
      'offerLines',
      'The "Vendor: revenue type" of a product line is unknown to the vendor, which shows another: choose another, or ask the administrator to add its code to the tenant file.',
    ),
  codeWithSemicolon: (field: FieldName) =>
    issue(
      'no-code-for-value',
      field,
      `A code of the vendor in ${fieldWords(field)} contains a semicolon, which a multi-select picklist cannot hold: ask the vendor to change it.`,
    ),

  vendorCannotClear: (field: FieldName) =>
    issue(
      'cannot-be-cleared',
      field,
      `The vendor has no way to empty the ${fieldWords(field)} from here: fill it in again, or have the vendor empty it.`,
    ),
  crmCannotClear: (field: FieldName, crmField: string) =>
    issue(
      'cannot-be-cleared',
      field,
      `The vendor emptied the ${fieldWords(field)}, but the opportunity needs "${crmLabel(crmField)}", so its value stays: have the vendor fill it in again.`,
    ),

  requiredOnCreate: (field: FieldName, repair: string) =>
    issue('required-on-create', field, `The vendor needs the ${fieldWords(field)} to accept a new deal: ${repair}.`),
  partnerIdMissing: () =>
    issue(
      'required-on-create',
      null,
      'The vendor needs our partner id to accept a new deal: ask the administrator to fill vendor.partnerId in the tenant file.',
    ),
  partnerIdHidden: (field: string) =>
    issue(
      'required-on-create',
      null,
      `The tenant file chooses our partner id by ${field}, which Lockstep may not see: have the administrator show it to the integration user, or correct vendor.partnerIds.`,
    ),
  entityMissing: () =>
    issue(
      'required-on-create',
      'customerSiteId',
      'The vendor takes the customer site id only together with the customer: choose the Account of the opportunity.',
    ),

  /** The vendor's record has a line that the CRM cannot store: the line has no offer, or no product of the price book has this offer. */
  vendorLineWithoutProduct: (offer: string | null) =>
    issue(
      'unknown-offer',
      'offerLines',
      offer === null
        ? 'A line at the vendor names no product, so it was not added to the opportunity: ask the vendor to correct the line.'
        : `No product in the price book has "Vendor: offer id" ${offer}, so the line of the vendor was not added: ask the administrator to add the product.`,
    ),
  lineWithoutOffer: () =>
    issue(
      'unknown-offer',
      'offerLines',
      'The product of a line has no "Vendor: offer id", which the vendor needs: fill it in on the product, or remove the line.',
    ),
  lineNotShared: () =>
    issue(
      'line-not-shared',
      'offerLines',
      'A product line stays here, because its product belongs to no offer of the vendor: if it should, fill in "Vendor: offer id" of the product, or ask the administrator for a rule.',
    ),

  contactIncomplete: () =>
    issue(
      'contact-incomplete',
      'customerContacts',
      'A contact of the deal lacks its e-mail, first name or last name, so the vendor does not get it: complete the contact.',
    ),
  contactRepeated: () =>
    issue(
      'contact-repeated',
      'customerContacts',
      'Several contacts of the deal share one e-mail address, so only the first goes to the vendor: give each its own address, or remove the others from the deal.',
    ),
  vendorContactRepeated: () =>
    issue(
      'contact-repeated',
      'customerContacts',
      'Several contacts at the vendor share one e-mail address, so only the first was created here: have the vendor give each its own address, or add the others to the opportunity.',
    ),
  ownerIncomplete: () =>
    issue(
      'contact-incomplete',
      'partnerContacts',
      'The owner of the opportunity lacks an e-mail, first name or last name, so the vendor has no partner contact: ask the administrator to complete the user.',
    ),

  /** The deal refers to a record (`what`) that the integration user cannot read. */
  notReadable: (field: FieldName, what: string) =>
    issue(
      'not-readable',
      field,
      `Lockstep cannot read ${what}, so the vendor does not get the ${fieldWords(field)}: share it with the integration user, or ask the administrator to assign the permission set Lockstep_Integration.`,
    ),

  /**
   * The vendor refused a write. `code`: the vendor's error code or `HTTP <status>`; `fields`: the paths of fields that the vendor's error
   * names.
   */
  vendorRefused: (code: string, fields: readonly string[]) =>
    issue(
      'vendor-refused',
      fields[0] ?? null,
      `The vendor refused this deal (${code}${at(fields)}): correct the opportunity and save it again.`,
    ),
  valueRefusedByVendor: (field: FieldName, code: string) =>
    issue(
      'vendor-refused',
      field,
      `The vendor refused the ${fieldWords(field)} (${code}) and took everything else: change it and save the opportunity.`,
    ),
  lineRefusedByVendor: (offer: string, code: string) =>
    issue(
      'vendor-refused',
      'offerLines',
      `The vendor refused the product line ${offer} (${code}) and took everything else: change the line and save the opportunity.`,
    ),
  ignoredByVendor: (field: FieldName) =>
    issue(
      'vendor-refused',
      field,
      `The vendor accepted your change of the ${fieldWords(field)} but still shows the old value: change it again here, or have the vendor change it.`,
    ),

  /** Salesforce refused a write. `code`: Salesforce's error code; `fields`: the API names of fields that Salesforce's error names. */
  crmRefused: (code: string, fields: readonly string[]) =>
    issue(
      'crm-refused',
      null,
      `Salesforce refused a change of the vendor (${code}${at(fields)}): correct the opportunity or the rule, then save the opportunity again.`,
    ),
  valueRefusedByCrm: (field: FieldName, crmField: string, code: string) =>
    issue(
      'crm-refused',
      field,
      `Salesforce refused the vendor's ${fieldWords(field)} (${code} at "${crmLabel(crmField)}") and took everything else: have the vendor correct it, or ask the administrator to change the field or its rule.`,
    ),
  /** A value of the vendor cannot be stored in its CRM field. `misfit`: the reason, such as a text that is too long. */
  doesNotFit: (field: FieldName, crmField: string, misfit: Misfit) =>
    issue(
      'does-not-fit',
      field,
      `The vendor's ${fieldWords(field)} does not go into "${crmLabel(crmField)}", ${MISFITS[misfit]}, or have the vendor correct it; then save the opportunity.`,
    ),
  lineDoesNotFit: (offer: string, crmField: string, misfit: Misfit) =>
    issue(
      'does-not-fit',
      'offerLines',
      `The vendor's product line ${offer} does not go into "${crmLabel(crmField)}" of the line, ${MISFITS[misfit]}, or have the vendor correct it; then save the opportunity.`,
    ),
  lineRefusedByCrm: (offer: string, code: string, fields: readonly string[]) =>
    issue(
      'crm-refused',
      'offerLines',
      `Salesforce refused the vendor's product line ${offer} (${code}${at(fields)}) and took everything else: have the vendor correct it, or ask the administrator to change the rule, then save the opportunity.`,
    ),
  linesRefusedByCrm: (code: string, fields: readonly string[]) =>
    issue(
      'crm-refused',
      'offerLines',
      `Salesforce refused a change of the vendor in the product lines (${code}${at(fields)}) and took everything else: have the vendor correct it, or ask the administrator to change the rule, then save the opportunity.`,
    ),
  contactRefusedByCrm: (code: string, fields: readonly string[]) =>
    issue(
      'crm-refused',
      'customerContacts',
      `Salesforce refused a contact of the vendor (${code}${at(fields)}), so the opportunity was created without it: create the contact and add it to the opportunity, or have the vendor remove it.`,
    ),
  /** The vendor's country or state is not in the org's State and Country/Territory Picklists. `crmField`: the account's field for it. */
  placeDoesNotFit: (crmField: 'BillingCountry' | 'BillingState') => ({
    ...issue(
      'does-not-fit',
      'customerLegalEntity',
      `The vendor's ${crmField === 'BillingCountry' ? 'country' : 'state'} is not in the picklist of the account, so the account was created without it: choose it on the account, or ask the administrator to add it to State and Country/Territory Picklists.`,
    ),
    hold: { side: 'crm', part: 'place', valueFingerprint: crmField } satisfies Hold,
  }),
  leftOut: (field: FieldName, what: string) =>
    issue(
      'shortened',
      field,
      `A value of the vendor is too long for ${what}, so the new record was created without it.`,
    ),
  shortened: (field: FieldName, crmField: string) =>
    issue(
      'shortened',
      field,
      `The vendor's text is too long for ${crmField}, so the new record holds only its beginning.`,
    ),
  /**
   * Salesforce refused an import (the creation of a deal that comes from the vendor). `of`: the object whose record was refused. The
   * message asks for an operator's command, because a sales person cannot save an opportunity that does not exist.
   */
  importRefused: (
    vendorId: string,
    code: string,
    fields: readonly string[],
    of: 'account' | 'opportunity' = 'opportunity',
  ) =>
    issue(
      'crm-refused',
      null,
      `Salesforce refused to create an ${of} for this deal of the vendor (${code}${at(fields)}): ${IMPORT_REPAIRS.get(code) ?? (of === 'account' ? ACCOUNT_REPAIR : 'change the rule in Salesforce, or have the vendor correct the deal')}, then run lockstep sync ${vendorId}.`,
    ),
  /**
   * The integration user may not see mapped CRM fields. `names`: their API names, after the name of the object if it is not the
   * opportunity.
   */
  hiddenFromUser: (field: FieldName, names: readonly string[]) =>
    issue(
      'field-hidden',
      field,
      `Lockstep may not see ${hiddenLabels(names)}, so changes of the ${fieldWords(field)} wait: ask the administrator to ${grantOf(names)}.`,
    ),
  linesHiddenFromUser: () =>
    issue(
      'crm-refused',
      'offerLines',
      'Lockstep may not see the fields of the product lines: ask the administrator to assign the permission set Lockstep_Integration to the integration user.',
    ),

  /** Messages from three other files: about records that are retried later, about leads, and about uncertain matches. */
  ...WAIT_ISSUES,
  ...LEAD_ISSUES,
  ...MATCH_ISSUES,
  vendorMissing: () =>
    issue(
      'vendor-missing',
      null,
      'The vendor no longer shows this deal to us (ERROR_048): ask the vendor, or untick "Vendor: share".',
    ),
  currenciesDiffer: () =>
    issue(
      'currency-differs',
      'offerLines',
      'The opportunity and the deal at the vendor have different currencies, so no amount of a product line is synced: set the same currency on both sides.',
    ),
  closedAtVendor: () =>
    issue(
      'closed-at-vendor',
      'status',
      'The vendor closed this deal, and the opportunity is open: close the opportunity, have the vendor reopen the deal, or choose a side under Resolve of this record.',
    ),
  closedOtherwise: () =>
    issue(
      'closed-otherwise',
      'status',
      'The vendor closed this deal with another outcome than the Stage of the opportunity: correct the wrong side, or choose a side under Resolve of this record.',
    ),
  conflict: (field: FieldName) =>
    issue(
      'conflict',
      field,
      `The ${fieldWords(field)} was changed on both sides: choose a side under Resolve of this record, or change it again on the side that is right.`,
    ),
} as const satisfies Readonly<Record<string, (...values: never[]) => Issue>>;

const MISFITS = {
  'too-long': 'which holds fewer characters: ask the administrator to lengthen the field',
  'no-such-value': 'whose picklist lacks the value: ask the administrator to add it',
  'no-text': 'because the mapping has no text for it: ask the administrator to add one',
  'not-writable':
    'which Lockstep may not write: ask the administrator to assign the permission set Lockstep_Integration',
} as const satisfies Readonly<Record<Misfit, string>>;

/** The part of a message that names the fields in a refusal's error; empty if the error names none. */
function at(fields: readonly string[]): string {
  return fields.length === 0 ? '' : ` at ${fields.join(', ')}`;
}
