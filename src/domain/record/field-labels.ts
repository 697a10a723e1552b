import type { FieldName } from './canonical.ts';

/** Words for canonical fields whose names, split at capitals, would read badly. */
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

/** Labels of standard fields as Salesforce shows them. */
const STANDARD: Readonly<Record<string, string>> = {
  Name: 'Opportunity Name',
  StageName: 'Stage',
  CurrencyIsoCode: 'Opportunity Currency',
  AccountId: 'Account Name',
  OwnerId: 'Opportunity Owner',
  TotalPrice: 'Total Price',
};

/** Words that labels of the CRM package spell differently from the API name. */
const SPELLINGS: Readonly<Record<string, string>> = { Email: 'e-mail', GTM: 'go-to-market' };

/** A canonical field as people call it, such as `next milestone` for `nextMilestone`. */
export function fieldWords(field: FieldName): string {
  return WORDS[field] ?? field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The label of a CRM field by its API name. A custom field outside the CRM package keeps its API name. */
export function crmLabel(apiName: string): string {
  const standard = STANDARD[apiName];
  if (standard !== undefined) return standard;
  if (!apiName.endsWith('__c')) return apiName.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  const [first = '', ...rest] = apiName.slice(0, -'__c'.length).split('_');
  if (first !== 'Vendor') return apiName;
  return `Vendor: ${rest.map((word) => SPELLINGS[word] ?? word.toLowerCase()).join(' ')}`;
}
