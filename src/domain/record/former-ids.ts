import { isLeadId } from './salesforce-id.ts';

/**
 * The CRM ids that a deal had before its present one, oldest first. They are ids of leads that were converted or merged and, if an operator
 * moved the deal to another org, the ids that the deal had in previous orgs.
 */
export type WithFormerIds = { readonly formerIds?: readonly string[] };

/**
 * The ids that the deal had in the present org while it was a lead, oldest first. The vendor keeps the id of the first lead as the deal's
 * partner reference (the CRM id stored at the vendor).
 */
export function formerLeads({ formerIds = [] }: WithFormerIds): readonly string[] {
  return formerIds.slice(lastMove(formerIds) + 1);
}

/** The id of the deal's opportunity in the previous org, if an operator moved the deal to another org; otherwise null. */
export function formerOpportunity({ formerIds = [] }: WithFormerIds): string | null {
  return formerIds[lastMove(formerIds)] ?? null;
}

/** Whether the deal had this id in a previous org. */
export function isOfPreviousOrg(id: string | null, { formerIds = [] }: WithFormerIds): boolean {
  return id !== null && formerIds.slice(0, lastMove(formerIds) + 1).includes(id);
}

/**
 * All partner references (CRM ids stored at the vendor) that the vendor's record of the deal may have. These are the id of the deal's CRM
 * record and the ids of its former leads, each with 18 and with 15 characters.
 */
export function referencesOf(crmId: string, link: WithFormerIds): readonly string[] {
  return [crmId, ...formerLeads(link)].flatMap((id) => [id, id.slice(0, 15)]);
}

/**
 * The index of the newest opportunity id in a deal's list of former ids; -1 if there is none. The list contains opportunity ids only if an
 * operator moved the deal to another org, so ids after this index belong to the present org.
 */
function lastMove(formerIds: readonly string[]): number {
  return formerIds.findLastIndex((id) => !isLeadId(id));
}
