import { ENGINE_FIELDS, mappedCrmFields } from '../domain/mapping/index.ts';
import type { CrmNames } from '../domain/record/mapping-config.ts';

/**
 * Fields of an opportunity and its related rows that Lockstep needs under its default mapping, by object. A mapping says which CRM fields
 * contain the values that Lockstep syncs with the vendor. Fields that only a tenant's own mapping names are not in the list.
 */
export const GRAPH_FIELDS = {
  Opportunity: withMapped('Opportunity', ENGINE_FIELDS),
  Account: withMapped('Account', ['Id', 'SystemModstamp']),
  User: withMapped('User', ['Id']),
  OpportunityLineItem: withMapped('OpportunityLineItem', [
    'Id',
    'IsDeleted',
    'SystemModstamp',
    'SortOrder',
    'PricebookEntryId',
    'Product2Id',
    'Quantity',
  ]),
  Product2: withMapped('Product2', []),
  OpportunityContactRole: withMapped('OpportunityContactRole', [
    'Id',
    'IsDeleted',
    'IsPrimary',
    'CreatedDate',
    'ContactId',
  ]),
  Contact: withMapped('Contact', ['Id', 'AccountId', 'SystemModstamp']),
  Lockstep_Sync__c: withMapped('Lockstep_Sync__c', [
    'Id',
    'IsDeleted',
    'Opportunity_Key__c',
    'Sync_State__c',
    'Message__c',
    'Last_Synced__c',
    'Resolve__c',
  ]),
};

export type GraphObject = keyof typeof GRAPH_FIELDS;

/** The fields that a query selects, by object: all fields, or only those that the integration user may see. */
export type GraphSelection = Readonly<Record<GraphObject, readonly string[]>>;

export const GRAPH_OBJECTS = Object.keys(GRAPH_FIELDS) as readonly GraphObject[];

/**
 * Fields that Lockstep needs in order to decide about a record, for example whether it is shared with the vendor. If the org hides one of
 * them, the read fails. Without `Vendor_Share__c`, for example, a shared record would otherwise seem not to be shared.
 */
export const ESSENTIAL_FIELDS: GraphSelection = {
  Opportunity: ['Id', 'IsDeleted', 'SystemModstamp', 'LastModifiedDate', 'Vendor_Share__c', 'Vendor_Id__c'],
  Account: ['Id'],
  User: ['Id'],
  OpportunityLineItem: ['Id', 'IsDeleted', 'TotalPrice'],
  Product2: ['Vendor_Offer_Id__c'],
  OpportunityContactRole: ['Id', 'IsDeleted', 'IsPrimary', 'ContactId'],
  Contact: ['Id'],
  Lockstep_Sync__c: ['Id', 'IsDeleted', 'Opportunity_Key__c', 'Sync_State__c'],
};

/**
 * All fields of an opportunity and its related rows that Lockstep must read for these mappings. A mapping says which CRM fields contain the
 * values that Lockstep syncs with the vendor. A field across a lookup is a path, such as `Account.Name`. `CurrencyIsoCode` exists only in
 * an org with several currencies.
 */
export function fullSelection(multiCurrency: boolean, mappings: readonly CrmNames[] = [{}]): GraphSelection {
  const Opportunity = withMapped('Opportunity', ENGINE_FIELDS, mappings).filter(
    (name) => multiCurrency || name !== 'CurrencyIsoCode',
  );
  return { ...GRAPH_FIELDS, Opportunity, Product2: withMapped('Product2', [], mappings) };
}

function withMapped(
  object: string,
  fields: readonly string[],
  mappings: readonly CrmNames[] = [{}],
): readonly string[] {
  return [...new Set([...fields, ...mappings.flatMap((mapping) => mappedCrmFields(object, mapping))])];
}
