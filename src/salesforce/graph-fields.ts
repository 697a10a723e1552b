/** The fields that the graph of an opportunity consists of, by object: the adapter reads these and no others. */
export const GRAPH_FIELDS = {
  Opportunity: [
    'Id',
    'Name',
    'StageName',
    'CloseDate',
    'Description',
    'AccountId',
    'OwnerId',
    'Amount',
    'CurrencyIsoCode',
    'Pricebook2Id',
    'IsDeleted',
    'SystemModstamp',
    'LastModifiedDate',
    'LastModifiedById',
    'CreatedById',
    'Vendor_Share__c',
    'Vendor_Id__c',
    'Vendor_Status__c',
    'Vendor_Forecast_Category__c',
    'Vendor_Reasons_Won__c',
    'Vendor_Reasons_Lost__c',
    'Vendor_Competitors__c',
    'Vendor_Reason_Comment__c',
    'Vendor_Campaign_Code__c',
    'Vendor_GTM_Tactic__c',
    'Vendor_Next_Milestone__c',
    'Vendor_Next_Milestone_Date__c',
    'Vendor_Owner_Email__c',
  ],
  Account: [
    'Id',
    'Name',
    'BillingStreet',
    'BillingCity',
    'BillingState',
    'BillingPostalCode',
    'BillingCountry',
    'Website',
    'SystemModstamp',
    'Vendor_Site_Id__c',
    'Vendor_DUNS__c',
    'Vendor_VAT_Number__c',
    'Vendor_Registration_Id__c',
  ],
  User: ['Id', 'Email', 'FirstName', 'LastName'],
  OpportunityLineItem: [
    'Id',
    'IsDeleted',
    'SystemModstamp',
    'SortOrder',
    'PricebookEntryId',
    'Product2Id',
    'Quantity',
    'TotalPrice',
    'Vendor_Revenue_Type__c',
  ],
  Product2: ['Vendor_Offer_Id__c'],
  OpportunityContactRole: ['Id', 'IsDeleted', 'IsPrimary', 'ContactId'],
  Contact: [
    'Id',
    'AccountId',
    'Email',
    'FirstName',
    'LastName',
    'Phone',
    'Salutation',
    'Title',
    'SystemModstamp',
  ],
  Lockstep_Sync__c: [
    'Id',
    'IsDeleted',
    'Opportunity_Key__c',
    'Sync_State__c',
    'Message__c',
    'Last_Synced__c',
    'Approval_Status__c',
    'Engagement_Type__c',
    'PO_Information__c',
    'PO_Status__c',
    'PO_Number__c',
    'SBO_Indicator__c',
    'SBO_Status__c',
    'SBO_Number__c',
    'Growth_Type__c',
    'Lead_Priority__c',
    'Level_Of_Interest__c',
    'Vendor_Comment__c',
    'Partner_Import_Mode__c',
    'Vendor_Created__c',
    'Vendor_Modified__c',
  ],
} as const;

export type GraphObject = keyof typeof GRAPH_FIELDS;

/** The fields to ask for, by object: all of them, or those that the integration user may see. */
export type GraphSelection = Readonly<Record<GraphObject, readonly string[]>>;

export const GRAPH_OBJECTS = Object.keys(GRAPH_FIELDS) as readonly GraphObject[];

/**
 * Without these nothing can be decided: scope, identity, version, the child's key. Where one is hidden, reading fails
 * instead of showing a record that looks unshared.
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

/** Every graph field; `CurrencyIsoCode` exists only in orgs with several currencies. */
export function fullSelection(multiCurrency: boolean): GraphSelection {
  const Opportunity = GRAPH_FIELDS.Opportunity.filter((name) => multiCurrency || name !== 'CurrencyIsoCode');
  return { ...GRAPH_FIELDS, Opportunity };
}
