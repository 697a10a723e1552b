import { row } from './field-spec.ts';

/**
 * All mapped fields of a lead-opportunity (sales spec 2.1 to 2.7), each with its kind, CRM field, direction, conflict rule and traits. The
 * key is the field's name at the vendor, if it has one. The canonical record, the CRM query and the mapping of both sides are derived from
 * this table.
 */
export const FIELDS = {
  name: row('text', 'Name', 'both', 'newest', 'crmRequired'), // required by both sides, so it can be empty on neither
  dsOwnerEmail: row('email', 'Vendor_Owner_Email__c', 'both', 'newest', 'vendorDefault', 'clearable'), // defaults to the primary sales manager
  status: row('code', 'StageName', 'both', 'newest', 'crmRequired'), // the vendor's code (2.2), required by both sides
  forecastCategory: row('code', 'Vendor_Forecast_Category__c', 'both', 'newest', 'vendorDefault'), // default by status; the vendor allows no empty value (2.3)
  closeDate: row('date', 'CloseDate', 'both', 'newest', 'crmRequired'), // no documented way to unset a date
  cometCampaignCode: row('text', 'Vendor_Campaign_Code__c', 'both', 'newest', 'clearable'),
  reasonWon: row('codes', 'Vendor_Reasons_Won__c', 'both', 'newest', 'vendorDefault', 'clearable'), // defaults to STRNG_VAL_PROP
  reasonLost: row('codes', 'Vendor_Reasons_Lost__c', 'both', 'newest', 'vendorDefault', 'clearable'), // defaults to the 'No Project' reason
  competitors: row('codes', 'Vendor_Competitors__c', 'both', 'newest', 'clearable'),
  reasonWonLostComment: row('text', 'Vendor_Reason_Comment__c', 'both', 'newest', 'clearable'),
  gtmTacticId: row('text', 'Vendor_GTM_Tactic__c', 'both', 'newest', 'clearable'),
  description: row('text', 'Description', 'both', 'newest', 'clearable'),
  nextMilestone: row('text', 'Vendor_Next_Milestone__c', 'both', 'newest', 'clearable'),
  nextMilestoneDate: row('date', 'Vendor_Next_Milestone_Date__c', 'both', 'newest'), // no documented way to unset a date
  currency: row('code', 'CurrencyIsoCode', 'to-vendor', 'crm'), // the CRM's price book fixes the currency of its lines
  offerLines: row('lines', 'OpportunityLineItem', 'both', 'newest', 'clearable'),
  customerSiteId: row('text', 'Account', 'both', 'newest', 'fillsCrm'), // the CRM gets it only if it has none; never emptied at the vendor
  customerLegalEntity: row('entity', 'Account', 'to-vendor', 'crm'), // an account has many deals, so no deal changes it; required object
  customerContacts: row('customer-contacts', 'Contact', 'to-vendor', 'crm', 'clearable'), // a contact may be in many deals
  partnerContacts: row('partner-contacts', 'User', 'to-vendor', 'crm', 'clearable'), // the owner is assigned in the CRM
};

/** The names of all fields, in the order of the sales spec. */
export const FIELD_NAMES = Object.keys(FIELDS) as readonly (keyof typeof FIELDS)[];

/**
 * Fields that a tenant may restrict to one direction. Two kinds of fields are left out: lines, because they are merged one by one, and
 * fields that Lockstep writes only into an empty CRM field.
 */
export const NARROWABLE = FIELD_NAMES.filter((field) => {
  const { direction, kind, fillsCrm } = FIELDS[field];
  return direction === 'both' && kind !== 'lines' && !fillsCrm;
});

/**
 * Fields that a tenant may map to another CRM field: those in `NARROWABLE` that the CRM does not require. Each is stored in a single field
 * of the opportunity.
 */
export const MAPPABLE = NARROWABLE.filter((field) => !FIELDS[field].crmRequired);
