import type { CrmFields, CrmValue } from '../domain/record/crm-graph.ts';
import { idOf, objectOf } from './answers.ts';
import { composeQueries } from './compose-queries.ts';
import type { OrderSearches } from './crm.ts';
import type { RestRecord } from './options.ts';
import type { RestCall, Session } from './session.ts';

/** The most search requests of sales persons, and the most orders that they ticked, that one call reads. */
const [MOST_SEARCHES, MOST_TICKED] = [50, 200];

const WAITING = (criteria: readonly string[]): string =>
  `SELECT Id, Opportunity__c, ${criteria.join(', ')} FROM Lockstep_Order_Search__c ` +
  `WHERE Searched__c = null ORDER BY CreatedDate, Id LIMIT ${MOST_SEARCHES}`;
const TICKED =
  'SELECT Id, Vendor_Order_Id__c, Search__r.Opportunity__c FROM Lockstep_Found_Order__c ' +
  `WHERE Link__c = true AND State__c = 'Free' ORDER BY LastModifiedDate, Id LIMIT ${MOST_TICKED}`;

/**
 * Queries that return a row if an order search, or a found order that was ticked, waits. They exclude deleted rows explicitly, because they
 * run together with queries that include them.
 */
export const WAITING_REQUESTS: readonly string[] = [
  'SELECT Id FROM Lockstep_Order_Search__c WHERE Searched__c = null AND IsDeleted = false LIMIT 1',
  "SELECT Id FROM Lockstep_Found_Order__c WHERE Link__c = true AND State__c = 'Free' AND IsDeleted = false LIMIT 1",
];

/** Order searches that wait for an answer, and found orders that a sales person ticked to be linked, oldest first. One request. */
export async function orderSearches(
  session: Session,
  criteria: readonly string[],
  call: RestCall,
): Promise<OrderSearches> {
  const [waiting, ticked] = await composeQueries(session, [WAITING(criteria), TICKED], call);
  return {
    waiting: ((await waiting?.())?.rows ?? []).map((row) => ({
      id: idOf(row['Id']),
      opportunityId: idOf(row['Opportunity__c']),
      criteria: Object.fromEntries(criteria.map((name) => [name, (row[name] ?? null) as CrmValue])) as CrmFields,
    })),
    ticked: ((await ticked?.())?.rows ?? []).flatMap(tickedOf),
  };
}

function tickedOf(row: RestRecord): OrderSearches['ticked'] {
  const order = row['Vendor_Order_Id__c'];
  if (typeof order !== 'string' || order === '') return [];
  const opportunityId = idOf(objectOf(row['Search__r'])['Opportunity__c']);
  return [{ id: idOf(row['Id']), order, opportunityId }];
}
