import { DEFAULT_STAGES, mappedCrmFields } from '../../../src/domain/mapping/index.ts';
import type { CrmFields, CrmGraph } from '../../../src/domain/record/crm-graph.ts';
import type { MappingConfig } from '../../../src/domain/record/mapping-config.ts';

/** A tenant's mapping with every code that the documents leave open, except the forecast of lost deals. */
export function mappingConfig(change: Partial<MappingConfig> = {}): MappingConfig {
  return {
    partnerId: 'P000123',
    currency: 'EUR',
    zone: 'UTC',
    stages: DEFAULT_STAGES,
    values: {
      status: { VALIDATED: 'OPPY_VALID', ESTABLISHED: 'OPPY_ESTAB', LOST: 'OPPY_LOST' },
      forecastCategory: { LONGSHOT: 'LONG' },
      reasonWon: {},
      reasonLost: { NO_PROJECT: 'NO_PROJ' },
      revenueType: { 'Rental, yearly': 'RENTAL_Y', Upfront: 'UPFRONT' },
    },
    closeFromVendor: false,
    prefer: 'crm',
    ...change,
  };
}

/** A tenant's mapping without any of the open codes. */
export function bareConfig(change: Partial<MappingConfig> = {}): MappingConfig {
  const values = { status: {}, forecastCategory: {}, reasonWon: {}, reasonLost: {}, revenueType: {} };
  return mappingConfig({ values, ...change });
}

export const OPPORTUNITY: CrmFields = {
  ...Object.fromEntries(mappedCrmFields('Opportunity').map((name) => [name, null])),
  Id: '006000000000001AAA',
  SystemModstamp: '2026-03-01T10:00:00.123Z',
  LastModifiedDate: '2026-03-01T10:00:00.000Z',
  IsDeleted: false,
  AccountId: '001000000000001AAA',
  OwnerId: '005000000000001AAA',
  Name: 'Core switches',
  StageName: 'Perception Analysis',
  CloseDate: '2026-06-30',
  Description: 'Replace the core',
  CurrencyIsoCode: 'EUR',
  Vendor_Share__c: true,
  Vendor_Id__c: null,
  Vendor_Status__c: null,
  Vendor_Forecast_Category__c: 'COMMIT',
  Vendor_Reasons_Won__c: 'SOLUTION_FUNCT;LWR_IMPL_COST',
  Vendor_Reasons_Lost__c: null,
  Vendor_Competitors__c: 'ACME;GLOBEX',
  Vendor_Reason_Comment__c: null,
  Vendor_Campaign_Code__c: 'CAMP-1',
  Vendor_GTM_Tactic__c: null,
  Vendor_Next_Milestone__c: 'Demo',
  Vendor_Next_Milestone_Date__c: '2026-04-15',
  Vendor_Owner_Email__c: 'psm@vendor.test',
};

export const ACCOUNT: CrmFields = {
  Id: '001000000000001AAA',
  Name: 'Initech',
  BillingStreet: 'Main Street 1\nBuilding B\nDoor 3',
  BillingCity: 'Lyon',
  BillingState: 'Rhône',
  BillingPostalCode: '69001',
  BillingCountry: 'FR',
  Website: 'https://initech.test',
  Vendor_Site_Id__c: null,
  Vendor_DUNS__c: '123456789',
  Vendor_VAT_Number__c: null,
  Vendor_Registration_Id__c: null,
};

export const LINES: readonly CrmFields[] = [
  lineRow('00k000000000001AAA', 'OFFER-A', 100.1, 'Upfront'),
  lineRow('00k000000000002AAA', 'OFFER-B', 250, null),
];

export const CONTACT: CrmFields = {
  Id: '003000000000001AAA',
  Email: 'peter@initech.test',
  FirstName: 'Peter',
  LastName: 'Gibbons',
  Phone: '+33 1',
  Salutation: null,
  Title: 'Engineer',
};

export const OWNER: CrmFields = { Email: 'rep@partner.test', FirstName: 'Sam', LastName: 'Seller' };

/** A row of OpportunityLineItem as the adapter reads it. */
export function lineRow(
  id: string,
  offer: string | null,
  totalPrice: number | null,
  revenueType: string | null,
): CrmFields {
  return {
    Id: id,
    'Product2.Vendor_Offer_Id__c': offer,
    TotalPrice: totalPrice,
    Quantity: 1,
    Vendor_Revenue_Type__c: revenueType,
  };
}

/** A whole graph; `opportunity` fields replace the default ones. */
export function crmGraph(opportunity: CrmFields = {}, parts: Partial<CrmGraph> = {}): CrmGraph {
  return {
    opportunity: { ...OPPORTUNITY, ...opportunity },
    account: ACCOUNT,
    lines: LINES,
    contacts: [CONTACT],
    owner: OWNER,
    sync: null,
    readAt: '2026-03-01T10:00:01.000Z',
    ...parts,
  };
}

/** The row without these fields, as it reads for a user who cannot see them. */
export function without(row: CrmFields, ...fields: readonly string[]): CrmFields {
  return Object.fromEntries(Object.entries(row).filter(([field]) => !fields.includes(field)));
}
