import type { FieldName } from '../../record/canonical.ts';
import type { CrmFields, CrmGraph } from '../../record/crm-graph.ts';
import type { CrmNames } from '../../record/mapping-config.ts';
import { lensOf } from '../lens-of.ts';

/** Mapped opportunity fields that not every org has: the currency, which only orgs with several currencies have. */
export const OPTIONAL_CRM_FIELDS: ReadonlySet<string> = new Set(['CurrencyIsoCode']);

/**
 * The CRM fields of a canonical field that the integration user may not see: API names, with their object if it is not the opportunity. A
 * record that the user may not see at all hides no field. Pure.
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
 * Whether the field is hidden from the integration user. In a path across a lookup, a null relationship means a hidden record, not a hidden
 * field.
 */
function isHidden(opportunity: CrmFields, name: string): boolean {
  const [relationship = '', across] = name.split('.');
  return opportunity[name] === undefined && !(across !== undefined && opportunity[relationship] === null);
}

function of(object: string, names: readonly string[], rows: readonly CrmFields[]): readonly string[] {
  return names.filter((name) => rows.some((row) => row[name] === undefined)).map((name) => `${object}.${name}`);
}

/** Whether the integration user may see the contact. A hidden contact has only its id. */
function isReadable(contact: CrmFields): boolean {
  return Object.keys(contact).some((name) => name !== 'Id');
}
