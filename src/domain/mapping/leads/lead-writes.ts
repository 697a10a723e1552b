import type { CrmCreate, CrmFields, CrmWrite } from '../../record/crm-graph.ts';
import { LEAD_FIELDS, leadFieldOf } from './lead-fields.ts';

/**
 * Converts a write of an opportunity and its account to the fields of the lead that Lockstep must write instead. Lines are left out,
 * because a lead has none. Pure.
 */
export function leadWrite({ opportunity, account }: Pick<CrmWrite, 'opportunity' | 'account'>): CrmFields {
  return { ...leadFieldsOf(opportunity), ...under(LEAD_FIELDS.account, account?.fields ?? {}) };
}

/** Converts fields of the opportunity to the lead's fields with the same meaning. Fields that a lead lacks are left out. Pure. */
export function leadFieldsOf(opportunity: CrmFields): CrmFields {
  const cells = Object.entries(opportunity).flatMap(([name, value]) => {
    const leadField = leadFieldOf(name);
    return leadField === undefined || leadField === 'Id' ? [] : [[leadField, value] as const];
  });
  return Object.fromEntries(cells);
}

/** The last name of a new lead if the vendor's record has no contact, because Salesforce requires a last name. */
const NO_NAME = 'unknown';

/**
 * The fields of the lead that Lockstep creates for a vendor-created record. Salesforce requires a company: it is the deal's name if the
 * vendor's record has no company. Pure.
 */
export function newLead({ vendorId, opportunity, account, contacts }: Omit<CrmCreate, 'lines'>): CrmFields {
  const [contact = {}] = contacts;
  return {
    ...leadFieldsOf(opportunity),
    ...under(LEAD_FIELDS.account, account ?? {}),
    ...under(LEAD_FIELDS.contact, contact),
    Company: account?.['Name'] || opportunity['Name'] || vendorId,
    LastName: contact['LastName'] || NO_NAME,
    Vendor_Id__c: vendorId,
  };
}

function under(names: Readonly<Record<string, string>>, fields: CrmFields): CrmFields {
  const cells = Object.entries(names).flatMap(([name, leadField]) => {
    const value = fields[name];
    return value === undefined ? [] : [[leadField, value] as const];
  });
  return Object.fromEntries(cells);
}
