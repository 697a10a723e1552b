import type { CrmFields, CrmValue } from '../domain/record/crm-graph.ts';
import { queryRows } from './query.ts';
import type { RestCall, Session } from './session.ts';

/** The orders copied from the vendor that belong to no opportunity, newest first. One query. */
export async function ordersWithoutDeal(
  session: Session,
  fields: readonly string[],
  limit: number,
  call: RestCall,
): Promise<readonly CrmFields[]> {
  const soql = `SELECT ${fields.join(', ')} FROM Vendor_Order__c WHERE Opportunity__c = null ORDER BY CreatedDate DESC, Id DESC LIMIT ${limit}`;
  const { rows } = await queryRows(session, soql, call);
  return rows.map((row) => Object.fromEntries(fields.map((name) => [name, (row[name] ?? null) as CrmValue])));
}
