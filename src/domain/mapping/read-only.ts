import type { CrmFields } from '../record/crm-graph.ts';
import { EMPTY_CODE } from '../values/reasons.ts';
import { readText } from '../values/text.ts';
import type { VendorRaw } from './types.ts';

/** The vendor's read-only fields (sales spec 2.8), each with the field of `Lockstep_Sync__c` that shows it. */
export const READ_ONLY_FIELDS = {
  approvalStatus: 'Approval_Status__c',
  engagementType: 'Engagement_Type__c',
  poInformation: 'PO_Information__c',
  poStatus: 'PO_Status__c',
  poNumber: 'PO_Number__c',
  sboIndicator: 'SBO_Indicator__c',
  sboStatus: 'SBO_Status__c',
  sboNumber: 'SBO_Number__c',
  growthType: 'Growth_Type__c',
  leadPriority: 'Lead_Priority__c',
  levelOfInterest: 'Level_Of_Interest__c',
  dsComment: 'Vendor_Comment__c',
  partnerImportMode: 'Partner_Import_Mode__c',
  createdDate: 'Vendor_Created__c',
  modifiedDate: 'Vendor_Modified__c',
} as const;

/**
 * The maximum lengths, in characters, of texts in the child record `Lockstep_Sync__c`. Longer texts are cut, because Salesforce would
 * refuse the whole row.
 */
const USUAL_LENGTH = 255;
const LENGTHS: Readonly<Record<string, number>> = { dsComment: 32_768 };

const DATE_TIMES: ReadonlySet<string> = new Set(['createdDate', 'modifiedDate']);

/**
 * The values of the vendor's read-only fields in a read of the record; null for a field that is unset (`''`, null or `EMPTY`; sales spec
 * 2.8).
 */
export function readOnlyOf(raw: VendorRaw): Readonly<Record<string, string | null>> {
  const observed: Record<string, string | null> = {};
  for (const field of Object.keys(READ_ONLY_FIELDS)) {
    const text = readText(raw[field]);
    if (text !== undefined) observed[field] = text === EMPTY_CODE ? null : text;
  }
  return observed;
}

/**
 * Converts the vendor's read-only fields to fields of the child record `Lockstep_Sync__c`. Texts are cut to the length of their field.
 * Malformed date-times are left out.
 */
export function syncFields(readOnly: Readonly<Record<string, string | null>>): CrmFields {
  const fields: Record<string, string | null> = {};
  for (const [field, target] of Object.entries(READ_ONLY_FIELDS)) {
    const value = readOnly[field];
    if (value === undefined) continue;
    if (value !== null && DATE_TIMES.has(field) && Number.isNaN(Date.parse(value))) continue;
    fields[target] = value?.slice(0, LENGTHS[field] ?? USUAL_LENGTH) ?? null;
  }
  return fields;
}

/**
 * All fields of `Lockstep_Sync__c` that show a read-only value of the vendor, each as null. Lockstep writes them when an operator separates
 * the opportunity from its vendor record.
 */
export function emptySyncFields(): CrmFields {
  return Object.fromEntries(Object.values(READ_ONLY_FIELDS).map((target) => [target, null]));
}
