import type { FieldName } from '../../record/canonical.ts';
import type { CrmFields, CrmGraph } from '../../record/crm-graph.ts';
import type { CrmNames } from '../../record/mapping-config.ts';
import { lensOf } from '../lens-of.ts';

/**
 * Opportunity fields that Lockstep reads but that not every org has: the currency, which exists only in orgs with several currencies. If
 * such a field is missing in a read, it does not count as hidden from the integration user.
 */
export const OPTIONAL_CRM_FIELDS: ReadonlySet<string> = new Set(['CurrencyIsoCode']);

/**
 * The CRM fields that contain a field of the canonical record (one form for both sides) and are hidden from the integration user. A name
 * begins with its object, such as `Account.Website`, unless the object is the opportunity. If the integration user cannot see an account,
 * owner or contact at all, the fields of that record are not in the result. Pure.
 */
export function hiddenNames(field: FieldName, graph: CrmGraph, names: CrmNames): readonly string[] {
  const { Opportunity = [], Account = [], User = [], Contact = [], ...ofLines } = lensOf(field).crmFields(field, names);
  const { OpportunityLineItem = [], Product2 = [] } = ofLines;
  const { opportunity, account, owner, contacts, lines } = graph;
  return [
    ...Opportunity.filter((name) => !OPTIONAL_CRM_FIELDS.has(name) && isHidden(opportunity, name)),
    ...of('Account', Account, account === null ? [] : [account]),
    ...of('User', User, owner === null ? [] : [owner]),
    ...of('Contact', Contact, contacts.filter(isReadable)),
    ...of('OpportunityLineItem', OpportunityLineItem, lines),
    ...Product2.map((name) => `Product2.${name}`).filter(
      (name) => lines.length > 0 && lines.every((row) => row[name] === undefined),
    ),
  ];
}

/**
 * Whether an opportunity field is hidden from the integration user. `name` may be a path across a lookup, such as `Campaign.Code__c`. Such
 * a field does not count as hidden if the lookup is null, because then the other record is absent, or hidden as a whole.
 */
function isHidden(opportunity: CrmFields, name: string): boolean {
  const [relationship = '', across] = name.split('.');
  return opportunity[name] === undefined && !(across !== undefined && opportunity[relationship] === null);
}

function of(object: string, names: readonly string[], rows: readonly CrmFields[]): readonly string[] {
  return names.filter((name) => rows.some((row) => row[name] === undefined)).map((name) => `${object}.${name}`);
}

/** Whether the integration user may see a contact. If the contact is hidden, the row contains only its id. */
function isReadable(contact: CrmFields): boolean {
  return Object.keys(contact).some((name) => name !== 'Id');
}
