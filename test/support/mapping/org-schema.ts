import { mappedCrmFields } from '../../../src/domain/mapping/index.ts';
import type { CrmSchema, SchemaField, SchemaObject } from '../../../src/domain/record/crm-schema.ts';
import { mappingConfig } from './fixtures.ts';

/** A writable text field. */
export const TEXT: SchemaField = {
  type: 'string',
  length: 255,
  values: [],
  isRestricted: false,
  createable: true,
  updateable: true,
  isCalculated: false,
  isRequired: false,
  lookup: null,
};
/** A writable text field with changes. */
export const field = (change: Partial<SchemaField>): SchemaField => ({ ...TEXT, ...change });

const MULTI = field({ type: 'multipicklist' });
export const DATE = field({ type: 'date' });
const TYPES: Readonly<Record<string, SchemaField>> = {
  StageName: field({
    type: 'picklist',
    values: mappingConfig().stages.map(({ stage }) => stage),
    isRequired: true,
  }),
  Name: field({ isRequired: true }),
  CloseDate: field({ type: 'date', isRequired: true }),
  Vendor_Next_Milestone_Date__c: DATE,
  Vendor_Reasons_Won__c: MULTI,
  Vendor_Reasons_Lost__c: MULTI,
  Vendor_Competitors__c: MULTI,
  Vendor_Forecast_Category__c: field({ type: 'picklist', values: ['SAFE', 'COMMIT', 'UPSIDE', 'WON'] }),
};

/** An object with these fields and no record types, with changes. */
export const objectOf = (fields: SchemaObject['fields'], more: Partial<SchemaObject> = {}): SchemaObject => ({
  fields,
  recordTypes: [],
  defaultRecordType: null,
  offered: {},
  ...more,
});

/** The schema of an org with the package; `more` adds fields to the opportunity or, as null, removes them. */
export function org(more: Readonly<Record<string, SchemaField | null>> = {}, others: CrmSchema = {}): CrmSchema {
  const usual = mappedCrmFields('Opportunity').map((name) => [name, TYPES[name] ?? TEXT] as const);
  const fields = Object.entries({ ...Object.fromEntries(usual), ...more }).filter(([, each]) => each !== null);
  const beside = ['Account', 'Contact', 'OpportunityLineItem', 'Product2', 'User'].map((object) => [
    object,
    objectOf(Object.fromEntries(mappedCrmFields(object).map((name) => [name, TEXT]))),
  ]);
  return {
    Opportunity: objectOf(Object.fromEntries(fields) as Record<string, SchemaField>),
    ...Object.fromEntries(beside),
    ...others,
  };
}

/** The reads of a mapping's check, of an org without products and leads. */
export const NO_ROWS = {
  productsWithoutOffer: async () => [],
  knownOffers: async () => new Set<string>(),
  sharedLeadsWithout: async () => [],
} as const;
