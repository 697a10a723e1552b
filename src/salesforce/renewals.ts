import type { CrmFields, CrmValue } from '../domain/record/crm-graph.ts';
import { idOf } from './answers.ts';
import type { RenewalPage } from './crm.ts';
import type { RestRecord } from './options.ts';
import { queryRows } from './query.ts';
import type { RestCall, Session } from './session.ts';
import { dateLiteral, instantLiteral, listLiteral, textLiteral } from './soql.ts';

/** Reads the renewal notices of the vendor that `RenewalPage` selects, in the order of their ids. One query. */
export async function renewalNotices(
  session: Session,
  fields: readonly string[],
  { fromDay, since, after, limit, orders }: RenewalPage,
  call: RestCall,
): Promise<readonly CrmFields[]> {
  const changed = since === null ? '' : ` AND SystemModstamp >= ${instantLiteral(since)}`;
  const rest = after === null ? '' : ` AND Id > ${textLiteral(after)}`;
  const only = orders === undefined ? '' : ` AND Vendor_Order_Id__c IN ${listLiteral(orders)}`;
  const soql =
    `SELECT ${['Id', ...fields].join(', ')} FROM Vendor_Order__c ` +
    `WHERE Type__c = 'RN' AND Start_Date__c >= ${dateLiteral(fromDay)}${changed}${rest}${only} ORDER BY Id LIMIT ${limit}`;
  const { rows } = await queryRows(session, soql, call);
  return rows.map((row) => flat(row, ['Id', ...fields]));
}

/** Reads the price books of price list versions that take effect after a day. One query. */
export async function futurePriceLists(session: Session, day: string, call: RestCall): Promise<readonly CrmFields[]> {
  const fields = ['Vendor_Price_List_Key__c', 'Vendor_Currency__c', 'Vendor_Effective_Date__c'];
  const soql =
    `SELECT ${fields.join(', ')} FROM Pricebook2 ` +
    `WHERE Vendor_Price_List_Key__c LIKE '%-future' AND Vendor_Effective_Date__c > ${dateLiteral(day)}`;
  const { rows } = await queryRows(session, soql, call);
  return rows.map((row) => flat(row, fields));
}

/** The ids of the given users who are active. One query. */
export async function activeUsers(
  session: Session,
  ids: readonly string[],
  call: RestCall,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const soql = `SELECT Id FROM User WHERE IsActive = true AND Id IN ${listLiteral(ids)}`;
  return new Set((await queryRows(session, soql, call)).rows.map((row) => idOf(row['Id'])));
}

function flat(row: RestRecord, fields: readonly string[]): CrmFields {
  return Object.fromEntries(fields.map((name) => [name, (row[name] ?? null) as CrmValue]));
}
