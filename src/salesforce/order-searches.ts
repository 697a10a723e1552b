import type { CrmFields, CrmValue } from '../domain/record/crm-graph.ts';
import { idOf, objectOf } from './answers.ts';
import { composeQueries } from './compose-queries.ts';
import type { OrderSearches, RequestsPosition } from './crm.ts';
import type { RestRecord } from './options.ts';
import type { RestCall, Session } from './session.ts';

/** The maximum number of order searches that one call reads, and of found orders that sales persons ticked in order to link them. */
const [MOST_SEARCHES, MOST_TICKED] = [50, 200];

const WAITING = (criteria: readonly string[], after: string | null): string =>
  `SELECT Id, Opportunity__c, ${criteria.join(', ')} FROM Lockstep_Order_Search__c ` +
  `WHERE Searched__c = null${afterId(after)} ORDER BY Id LIMIT ${MOST_SEARCHES}`;
const TICKED = (after: string | null): string =>
  'SELECT Id, Vendor_Order_Id__c, Search__r.Opportunity__c FROM Lockstep_Found_Order__c ' +
  `WHERE Link__c = true AND State__c = 'Free'${afterId(after)} ORDER BY Id LIMIT ${MOST_TICKED}`;

/**
 * The SOQL condition for the rows after this id. Pages are read in the order of the ids, so the next page has higher ids. Empty for null
 * (the first page).
 */
function afterId(id: string | null): string {
  return id === null ? '' : ` AND Id > '${idOf(id)}'`;
}

/**
 * Two SOQL queries that show whether a request of a sales person waits. The first returns a row if an order search waits; the second does
 * if a found order is ticked to be linked. They exclude deleted rows explicitly, because they run together with queries that include
 * deleted rows.
 */
export const WAITING_REQUESTS: readonly string[] = [
  'SELECT Id FROM Lockstep_Order_Search__c WHERE Searched__c = null AND IsDeleted = false LIMIT 1',
  "SELECT Id FROM Lockstep_Found_Order__c WHERE Link__c = true AND State__c = 'Free' AND IsDeleted = false LIMIT 1",
];

/** A page of order searches that wait, and of found orders that a sales person wants to link, in the order of their ids. One request. */
export async function orderSearches(
  session: Session,
  criteria: readonly string[],
  after: RequestsPosition,
  call: RestCall,
): Promise<OrderSearches> {
  const queries = [WAITING(criteria, after.search), TICKED(after.found)];
  const answers = await composeQueries(session, queries, call);
  const [searches = [], found = []] = await Promise.all(answers.map(async (rows) => (await rows()).rows));
  return {
    next: {
      search: lastId(searches) ?? after.search,
      found: lastId(found) ?? after.found,
    },
    more: searches.length === MOST_SEARCHES || found.length === MOST_TICKED,
    waiting: searches.map((row) => ({
      id: idOf(row['Id']),
      opportunityId: idOf(row['Opportunity__c']),
      criteria: Object.fromEntries(criteria.map((name) => [name, (row[name] ?? null) as CrmValue])) as CrmFields,
    })),
    ticked: found.flatMap(tickedOf),
  };
}

/** The id of the last row; null if there is no row. */
function lastId(rows: readonly RestRecord[]): string | null {
  const last = rows.at(-1);
  return last === undefined ? null : idOf(last['Id']);
}

function tickedOf(row: RestRecord): OrderSearches['ticked'] {
  const order = row['Vendor_Order_Id__c'];
  if (typeof order !== 'string' || order === '') return [];
  const opportunityId = idOf(objectOf(row['Search__r'])['Opportunity__c']);
  return [{ id: idOf(row['Id']), order, opportunityId }];
}
