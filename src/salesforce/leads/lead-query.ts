import {
  ESSENTIAL_LEAD_FIELDS,
  LEAD_FIELDS,
  LEAD_PRODUCT,
  LEAD_STATE,
} from '../../domain/mapping/leads/lead-fields.ts';
import type { CrmFields, CrmValue } from '../../domain/record/crm-graph.ts';
import type { CrmPosition } from '../../domain/streams/crm-cursor.ts';
import { afterPosition, sharedScope } from '../changes.ts';
import { queryRows } from '../query.ts';
import type { RestCall, Session } from '../session.ts';
import { listLiteral } from '../soql.ts';

/** The object of the CRM package that shows a lead's sync state to users, the object's external id field, and its lookup to the lead. */
export const LEAD_SYNC = { object: 'Lockstep_Lead_Sync__c', key: 'Lead_Key__c', parent: 'Lead__c' } as const;

const SYNC_ROWS = 'Lockstep_Lead_Syncs__r';

const OWNER_FIELDS = ['Email', 'FirstName', 'LastName'];

/** Which fields of leads, their products and their sync rows (`Lockstep_Lead_Sync__c`) a query selects. */
export type LeadSelection = {
  readonly lead: readonly string[];
  readonly product: readonly string[];
  readonly sync: readonly string[];
};

/** All fields of a lead that Lockstep reads. `CurrencyIsoCode` exists only in an org with several currencies. */
export function leadFields(multiCurrency: boolean): readonly string[] {
  const { opportunity, account, contact, line } = LEAD_FIELDS;
  const mapped = [opportunity, account, contact, line].flatMap((fields) => Object.values(fields));
  const fields = new Set<string>([...ESSENTIAL_LEAD_FIELDS, ...LEAD_STATE, ...mapped]);
  return [...fields].filter((name) => multiCurrency || name !== 'CurrencyIsoCode');
}

/** The SOQL query that reads these leads with their product, owner and sync row (`Lockstep_Lead_Sync__c`). */
export function leadQuery(selection: LeadSelection, ids: readonly string[]): string {
  return `${selectLeads(selection)} WHERE Id IN ${listLiteral(ids)}`;
}

/**
 * The SOQL query that reads at most `limit` leads after a position, in the order (SystemModstamp, Id). It selects leads that are shared
 * with the vendor, or were.
 */
export function leadsQuery(selection: LeadSelection, position: CrmPosition, limit: number): string {
  const condition = `${sharedScope('')} AND ${afterPosition(position)}`;
  return `${selectLeads(selection)} WHERE ${condition} ORDER BY SystemModstamp, Id LIMIT ${limit}`;
}

/**
 * Reads `fields` of at most 2,000 leads that are shared, that have no vendor id yet, and in which at least one of these fields is empty.
 */
export async function sharedLeadsWithout(
  session: Session,
  fields: readonly string[],
  call: RestCall,
): Promise<readonly CrmFields[]> {
  if (fields.length === 0) return [];
  const empty = fields.map((field) => `${field} = null`).join(' OR ');
  const open = 'Vendor_Share__c = true AND IsConverted = false AND Vendor_Id__c = null';
  const soql = `SELECT ${fields.join(', ')} FROM Lead WHERE ${open} AND (${empty}) LIMIT 2000`;
  const { rows } = await queryRows(session, soql, call);
  return rows.map((row) => Object.fromEntries(fields.map((name) => [name, (row[name] ?? null) as CrmValue])));
}

function selectLeads({ lead, product, sync }: LeadSelection): string {
  const hasProduct = lead.includes(LEAD_FIELDS.line.Product2Id);
  const parts = [
    ...lead,
    ...(hasProduct ? product.map((field) => `${LEAD_PRODUCT}.${field}`) : []),
    ...OWNER_FIELDS.map((field) => `Owner.${field}`),
    'Owner.Type',
    `(SELECT ${sync.join(', ')} FROM ${SYNC_ROWS})`,
  ];
  return `SELECT ${parts.join(', ')} FROM Lead`;
}

export { OWNER_FIELDS, SYNC_ROWS };
