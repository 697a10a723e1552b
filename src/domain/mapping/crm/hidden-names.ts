import type { FieldName } from '../../record/canonical.ts';
import type { CrmFields, CrmGraph } from '../../record/crm-graph.ts';
import type { CrmNames } from '../../record/mapping-config.ts';
import { lensOf } from '../lens-of.ts';

/** Mapped opportunity fields that not every org has: the currency, which only orgs with several currencies have. */
export const OPTIONAL_CRM_FIELDS: ReadonlySet<string> = new Set(['CurrencyIsoCode']);

/**
 * The CRM fields of a canonical field that are hidden from the integration user: API names, with their object unless it is the opportunity.
 * A record that the user cannot see at all does not count as a hidden field. Pure.
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
 * Whether the field is hidden from the integration user. A field of a record that a lookup names does not count as hidden if the lookup is
 * null, because then the whole record is hidden or absent.
 */
function isHidden(opportunity: CrmFields, name: string): boolean {
  const [relationship = '', across] = name.split('.');
  return opportunity[name] === undefined && !(across !== undefined && opportunity[relationship] === null);
}

function of(object: string, names: readonly string[], rows: readonly CrmFields[]): readonly string[] {
  return names.filter((name) => rows.some((row) => row[name] === undefined)).map((name) => `${object}.${name}`);
}

/** Whether the integration user may see a contact. Of a hidden contact only the id is known. */
function isReadable(contact: CrmFields): boolean {
  return Object.keys(contact).some((name) => name !== 'Id');
}
