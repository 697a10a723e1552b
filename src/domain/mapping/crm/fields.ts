import type { FieldName } from '../../record/canonical.ts';

/** Canonical scalar and set fields that one Opportunity field holds. `status` and `currency` have rules of their own. */
export const OPPORTUNITY_FIELDS = {
  name: 'Name',
  dsOwnerEmail: 'Vendor_Owner_Email__c',
  forecastCategory: 'Vendor_Forecast_Category__c',
  closeDate: 'CloseDate',
  cometCampaignCode: 'Vendor_Campaign_Code__c',
  reasonWon: 'Vendor_Reasons_Won__c',
  reasonLost: 'Vendor_Reasons_Lost__c',
  competitors: 'Vendor_Competitors__c',
  reasonWonLostComment: 'Vendor_Reason_Comment__c',
  gtmTacticId: 'Vendor_GTM_Tactic__c',
  description: 'Description',
  nextMilestone: 'Vendor_Next_Milestone__c',
  nextMilestoneDate: 'Vendor_Next_Milestone_Date__c',
} as const satisfies Partial<Record<FieldName, string>>;

export type OpportunityField = keyof typeof OPPORTUNITY_FIELDS;

export const OPPORTUNITY_FIELD_NAMES = Object.keys(OPPORTUNITY_FIELDS) as readonly OpportunityField[];

/** Where a vendor status lands raw. */
export const STATUS_FIELD = 'Vendor_Status__c';

/** Fields of a line; the product's field is flattened into the row. */
export const LINE_FIELDS = {
  offer: 'Product2.Vendor_Offer_Id__c',
  amount: 'TotalPrice',
  revenueType: 'Vendor_Revenue_Type__c',
} as const;

/** Required by the CRM, so a vendor's unset value is never written. */
export const CRM_REQUIRED: ReadonlySet<FieldName> = new Set(['name', 'closeDate', 'status']);
