import type { GraphSelection } from './graph-fields.ts';
import { listLiteral } from './soql.ts';

/** The SOQL query that reads these opportunities with their lines, contacts, accounts and sync rows (`Lockstep_Sync__c`). */
export function graphQuery(selection: GraphSelection, opportunityIds: readonly string[]): string {
  return `${selectGraphs(selection)} WHERE Id IN ${listLiteral(opportunityIds)}`;
}

/**
 * The SOQL query that reads opportunities with their related rows, without its `WHERE` condition. Fields of parent records have a dot in
 * their names (`Account.Name`), and child records are read by sub-queries. `flattenGraph` converts the result.
 */
export function selectGraphs(selection: GraphSelection): string {
  const lines = [...selection.OpportunityLineItem, ...dotted('Product2', selection.Product2)];
  const roles = [...selection.OpportunityContactRole, ...dotted('Contact', selection.Contact)];
  const parts = [
    ...selection.Opportunity,
    ...dotted('Account', selection.Account),
    ...dotted('Owner', selection.User),
    `(SELECT ${lines.join(', ')} FROM OpportunityLineItems)`,
    `(SELECT ${roles.join(', ')} FROM OpportunityContactRoles)`,
    `(SELECT ${selection.Lockstep_Sync__c.join(', ')} FROM Lockstep_Syncs__r)`,
  ];
  // A mapped field across a lookup may be selected already, and Salesforce refuses a field that is named twice.
  return `SELECT ${[...new Set(parts)].join(', ')} FROM Opportunity`;
}

function dotted(parent: string, fields: readonly string[]): readonly string[] {
  return fields.map((field) => `${parent}.${field}`);
}
