import { STATUS_OF_STAGE } from './fields.ts';
import type { Raw } from './http.ts';

/** A lead's fields as the oracle and the simulated users know them, by those of an opportunity. Other fields have the same name or none. */
const LEAD_FIELDS: Readonly<Record<string, string>> = {
  Name: 'Vendor_Deal_Name__c',
  StageName: 'Status',
  CloseDate: 'Vendor_Close_Date__c',
};

const NOT_ON_LEADS: ReadonlySet<string> = new Set(['Vendor_Reasons_Won__c']);

/** The vendor statuses that a lead status stands for; the first is the one that it is sent as. */
export const STATUSES_OF_LEADS: Readonly<Record<string, readonly string[]>> = {
  'Open - Not Contacted': ['LEAD_OPEN'],
  'Working - Contacted': ['QUALIFIED', 'ACCEPTED'],
  'Closed - Not Converted': ['LOST'],
};

/** Beside leads, an opportunity in one of the first stages is an open opportunity for the vendor. */
export const STATUSES_BESIDE_LEADS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ['Prospecting', 'Qualification', 'Needs Analysis'].map((stage) => [
    stage,
    ['OPPY_OPEN', STATUS_OF_STAGE[stage] ?? ''],
  ]),
);

export function isLead(id: unknown): boolean {
  return String(id).startsWith('00Q');
}

/** A lead under the names of an opportunity's fields. */
export function leadAsOpportunity(lead: Raw): Raw {
  const named = Object.entries(LEAD_FIELDS).map(([name, field]) => [name, lead[field] ?? null] as const);
  return {
    ...lead,
    ...Object.fromEntries(named),
    Name: lead['Vendor_Deal_Name__c'] ?? lead['Company'],
    AccountId: null,
    statuses: STATUSES_OF_LEADS[String(lead['Status'])] ?? [''],
  };
}

/** Fields of an opportunity as fields of a lead; those that a lead lacks are left out. */
export function asLeadFields(set: Raw): Raw {
  const kept = Object.entries(set).filter(([name]) => !NOT_ON_LEADS.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [LEAD_FIELDS[name] ?? name, value]));
}

/** The customer of a lead, which is in the lead's own fields. */
export function customersOfLead(lead: Raw): { readonly account: Raw; readonly contacts: readonly Raw[] } {
  return {
    account: { Name: lead['Company'], BillingCity: lead['City'] },
    contacts: [{ Email: lead['Email'], LastName: lead['LastName'] }],
  };
}

/** The lead status that a user chooses in place of a stage. */
export function leadStatusLike(stage: string): string {
  const status = STATUS_OF_STAGE[stage] ?? '';
  const row = Object.entries(STATUSES_OF_LEADS).find(([, statuses]) => statuses.includes(status));
  return row?.[0] ?? 'Working - Contacted';
}
