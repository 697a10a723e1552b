import type { FieldName } from './canonical.ts';
import type { ObjectLimits } from './crm-limits.ts';
import { FIELDS } from './fields.ts';
import { type Issue, isOpen } from './issue.ts';
import { type CrmNames, crmFieldOf } from './mapping-config.ts';

/**
 * Words for fields in messages to users, by the field's name in `FIELDS`. The name of a field that is not listed is split at its capitals
 * (`closeDate` becomes `close date`).
 */
const WORDS: Readonly<Partial<Record<FieldName, string>>> = {
  dsOwnerEmail: "e-mail of the vendor's owner",
  cometCampaignCode: 'campaign code',
  reasonWon: 'reasons won',
  reasonLost: 'reasons lost',
  reasonWonLostComment: 'comment on the reasons',
  gtmTacticId: 'go-to-market tactic',
  nextMilestoneDate: 'date of the next milestone',
  offerLines: 'product lines',
  customerLegalEntity: 'customer',
  partnerContacts: 'partner contact',
};

/**
 * Labels of CRM fields as Salesforce shows them, for two cases: standard fields whose label differs from the API name, and fields of the
 * CRM package whose label cannot be derived from the API name.
 */
const STANDARD: Readonly<Record<string, string>> = {
  Name: 'Opportunity Name',
  StageName: 'Stage',
  CurrencyIsoCode: 'Opportunity Currency',
  AccountId: 'Account Name',
  OwnerId: 'Opportunity Owner',
  TotalPrice: 'Total Price',
  Vendor_DUNS__c: 'Vendor: DUNS number',
  Vendor_VAT_Number__c: 'Vendor: VAT number',
  Vendor_Registration_Id__c: 'Vendor: registration number',
};

/** Words in API names for which the labels of the CRM package use another form. */
const SPELLINGS: Readonly<Record<string, string>> = { Email: 'e-mail', GTM: 'go-to-market' };

/** A field of `FIELDS` in plain words, such as `next milestone` for `nextMilestone`. */
export function fieldWords(field: FieldName): string {
  return WORDS[field] ?? field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/**
 * The label of a CRM field: the org's own label, if known. Otherwise the label of a standard field or package field is derived from its API
 * name. A custom field outside the CRM package is shown by its API name.
 */
export function crmLabel(apiName: string, org: ObjectLimits = {}): string {
  const own = org[apiName]?.label;
  if (own !== undefined) return own;
  const standard = STANDARD[apiName];
  if (standard !== undefined) return standard;
  if (!apiName.endsWith('__c')) return apiName.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  const [first = '', ...rest] = apiName.slice(0, -'__c'.length).split('_');
  if (first !== 'Vendor') return apiName;
  return `Vendor: ${rest.map((word) => SPELLINGS[word] ?? word.toLowerCase()).join(' ')}`;
}

/**
 * The CRM field whose value waits because of an issue. If the value is not in a single opportunity field, the CRM object that contains it
 * (as in `FieldSpec.crm`). Null if the issue concerns no field of `FIELDS`, or blocks nothing.
 */
export function fieldThatWaits(issue: Issue, names: CrmNames): string | null {
  const { field } = issue;
  return field !== null && Object.hasOwn(FIELDS, field) && isOpen(issue) ? crmFieldOf(field as FieldName, names) : null;
}

/**
 * Changes the messages of issues so that they name each field by the org's own label. `org`: the org's descriptions of the opportunity's
 * fields.
 */
export function inOrgWords(issues: readonly Issue[], names: CrmNames, org: ObjectLimits): readonly Issue[] {
  return issues.map((issue) => {
    const name = fieldThatWaits(issue, names);
    const label = name === null ? undefined : org[name]?.label;
    if (name === null || label === undefined) return issue;
    const message = issue.message.replaceAll(`"${crmLabel(name)}"`, () => `"${label}"`);
    const isNamed = message.toLowerCase().includes(label.toLowerCase());
    return { ...issue, message: isNamed ? message : `"${label}": ${message}` };
  });
}
