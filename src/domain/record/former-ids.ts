import { isLeadId } from './salesforce-id.ts';

/**
 * The CRM ids that a deal had before its present one, oldest first: of its leads, which were converted or merged, and of its opportunities
 * in previous orgs, from which an operator moved the deal.
 */
export type WithFormerIds = { readonly formerIds?: readonly string[] };

/**
 * The ids of the leads that the deal was in the present org. The vendor keeps the id of the lead that it got first as the deal's partner
 * reference.
 */
export function formerLeads({ formerIds = [] }: WithFormerIds): readonly string[] {
  return formerIds.slice(lastMove(formerIds) + 1);
}

/** The deal's opportunity in the org from which an operator moved it last; null if it was not moved. */
export function formerOpportunity({ formerIds = [] }: WithFormerIds): string | null {
  return formerIds[lastMove(formerIds)] ?? null;
}

/** Whether the deal had this id in a previous org. */
export function isOfPreviousOrg(id: string | null, { formerIds = [] }: WithFormerIds): boolean {
  return id !== null && formerIds.slice(0, lastMove(formerIds) + 1).includes(id);
}

/**
 * The references by which the vendor may know the deal of a CRM record: the record's id, and the ids of its former leads, each with 18 and
 * with 15 characters.
 */
export function referencesOf(crmId: string, link: WithFormerIds): readonly string[] {
  return [crmId, ...formerLeads(link)].flatMap((id) => [id, id.slice(0, 15)]);
}

/** The index of the last opportunity's id; -1 if there is none. Only a move to another org changes the id of an opportunity. */
function lastMove(formerIds: readonly string[]): number {
  return formerIds.findLastIndex((id) => !isLeadId(id));
}
