import type { FieldName } from '../../record/canonical.ts';
import { FIELDS } from '../../record/fields.ts';

/**
 * The fields of a lead. Each is listed under the field of an opportunity, account, contact or line that has the same meaning. A lead has
 * company, address and contact in its own fields, while a deal with an opportunity has them in several records. `crm-package/leads` defines
 * the API names.
 */
export const LEAD_FIELDS = {
  opportunity: {
    Id: 'Id',
    OwnerId: 'OwnerId',
    IsDeleted: 'IsDeleted',
    CreatedDate: 'CreatedDate',
    CreatedById: 'CreatedById',
    SystemModstamp: 'SystemModstamp',
    LastModifiedDate: 'LastModifiedDate',
    LastModifiedById: 'LastModifiedById',
    CurrencyIsoCode: 'CurrencyIsoCode',
    Vendor_Share__c: 'Vendor_Share__c',
    Vendor_Id__c: 'Vendor_Id__c',
    Vendor_Id_Claim__c: 'Vendor_Id_Claim__c',
    Lockstep_Sync_Asked__c: 'Lockstep_Sync_Asked__c',
    Vendor_Status__c: 'Vendor_Status__c',
    Name: 'Vendor_Deal_Name__c',
    StageName: 'Status',
    CloseDate: 'Vendor_Close_Date__c',
    Description: 'Description',
    Vendor_Owner_Email__c: 'Vendor_Owner_Email__c',
    Vendor_Forecast_Category__c: 'Vendor_Forecast_Category__c',
    Vendor_Campaign_Code__c: 'Vendor_Campaign_Code__c',
    Vendor_Competitors__c: 'Vendor_Competitors__c',
    Vendor_Reasons_Lost__c: 'Vendor_Reasons_Lost__c',
    Vendor_Reason_Comment__c: 'Vendor_Reason_Comment__c',
    Vendor_GTM_Tactic__c: 'Vendor_GTM_Tactic__c',
    Vendor_Next_Milestone__c: 'Vendor_Next_Milestone__c',
    Vendor_Next_Milestone_Date__c: 'Vendor_Next_Milestone_Date__c',
  },
  account: {
    Name: 'Company',
    BillingStreet: 'Street',
    BillingCity: 'City',
    BillingState: 'State',
    BillingPostalCode: 'PostalCode',
    BillingCountry: 'Country',
    Website: 'Website',
    Vendor_Site_Id__c: 'Vendor_Site_Id__c',
    Vendor_DUNS__c: 'Vendor_DUNS__c',
    Vendor_VAT_Number__c: 'Vendor_VAT_Number__c',
    Vendor_Registration_Id__c: 'Vendor_Registration_Id__c',
  },
  contact: {
    FirstName: 'FirstName',
    LastName: 'LastName',
    Email: 'Email',
    Phone: 'Phone',
    Salutation: 'Salutation',
    Title: 'Title',
  },
  line: {
    Product2Id: 'Vendor_Offer__c',
    TotalPrice: 'Vendor_Offer_Amount__c',
    Vendor_Revenue_Type__c: 'Vendor_Revenue_Type__c',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The name of the relationship from a lead to its product. The product names the vendor's offer. */
export const LEAD_PRODUCT = 'Vendor_Offer__r';

/** The fields that say whether, and into what, a lead was converted or merged. */
export const LEAD_STATE = ['IsConverted', 'ConvertedOpportunityId', 'MasterRecordId'] as const;

/** Fields that Lockstep must be able to read for any decision about a lead. */
export const ESSENTIAL_LEAD_FIELDS = [
  'Id',
  'IsDeleted',
  'SystemModstamp',
  'LastModifiedDate',
  'Vendor_Share__c',
  'Vendor_Id__c',
  ...LEAD_STATE,
] as const;

/** The objects, other than the opportunity, that contain fields of a deal. A lead has the fields of these objects in its own record. */
const OTHER_OBJECTS: ReadonlySet<string> = new Set(['Account', 'Contact', 'OpportunityLineItem', 'User']);

/**
 * Whether leads have a field of a deal. Leads have the fields of account, contact, line and owner. They have a field of the opportunity
 * itself only if `LEAD_FIELDS` lists it. While a deal is a lead, Lockstep does not change the vendor's values of fields that leads lack.
 */
export function isOnLead(field: FieldName): boolean {
  const { crm } = FIELDS[field];
  return OTHER_OBJECTS.has(crm) || leadFieldOf(crm) !== undefined;
}

/** The lead's field that has the same meaning as a field of the opportunity; undefined if a lead has no such field. */
export function leadFieldOf(opportunityField: string): string | undefined {
  const fields: Readonly<Record<string, string>> = LEAD_FIELDS.opportunity;
  return Object.hasOwn(fields, opportunityField) ? fields[opportunityField] : undefined;
}
