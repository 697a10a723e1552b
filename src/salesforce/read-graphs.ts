import type { CrmGraph } from '../domain/record/crm-graph.ts';
import { flagOf, instantOf, rowsById } from './answers.ts';
import { CrmError } from './errors.ts';
import { flattenGraph, type GraphRecord } from './flatten.ts';
import type { GraphSelection } from './graph-fields.ts';
import { graphQuery } from './graph-query.ts';
import type { RestRecord } from './options.ts';
import { allPages, queryRows } from './query.ts';
import type { RestCall, Session } from './session.ts';
import { isRecordId } from './soql.ts';
import type { VisibleFields } from './visible-fields.ts';

type Tools = { readonly session: Session; readonly fields: VisibleFields };

/**
 * The graphs of these opportunities, in order; null for one that does not exist. One request, unless a child list
 * needs a second page or a field turns out to be hidden.
 */
export async function readGraphs(
  tools: Tools,
  ids: readonly string[],
  call: RestCall,
): Promise<readonly (CrmGraph | null)[]> {
  const asked = [...new Set(ids.filter(isRecordId))];
  if (asked.length === 0) return ids.map(() => null);
  try {
    const found = await readOnce(tools, asked, tools.fields.selection(), call);
    return ids.map((id) => found.get(id) ?? null);
  } catch (error) {
    if (!(error instanceof CrmError)) throw error;
    if (isUnreadableId(error)) return await readApart(tools, ids, call);
    if (error.code !== 'INVALID_FIELD') throw error;
    const found = await readOnce(tools, asked, await tools.fields.narrow(call), call);
    return ids.map((id) => found.get(id) ?? null);
  }
}

/** A text in the form of an id that no record can have makes the whole query fail. */
function isUnreadableId(error: CrmError): boolean {
  return error.code === 'INVALID_QUERY_FILTER_OPERATOR';
}

async function readApart(
  tools: Tools,
  ids: readonly string[],
  call: RestCall,
): Promise<readonly (CrmGraph | null)[]> {
  if (ids.length === 1) return [null];
  const graphs = [];
  for (const id of ids) graphs.push(...(await readGraphs(tools, [id], call)));
  return graphs;
}

async function readOnce(
  { session }: Tools,
  ids: readonly string[],
  selection: GraphSelection,
  call: RestCall,
): Promise<ReadonlyMap<string, CrmGraph>> {
  const answer = await queryRows(session, graphQuery(selection, ids), { ...call, deleted: true });
  const graphs = new Map<string, CrmGraph>();
  for (const [id, opportunity] of rowsById(answer.rows, ids)) {
    // A deal that seems deleted, or not shared, leaves: that is concluded from what was said alone.
    for (const flag of ['IsDeleted', 'Vendor_Share__c']) flagOf(opportunity[flag]);
    const record: GraphRecord = {
      opportunity,
      lines: await children(session, opportunity['OpportunityLineItems'], call),
      roles: await children(session, opportunity['OpportunityContactRoles'], call),
      syncs: await children(session, opportunity['Lockstep_Syncs__r'], call),
    };
    const graph = flattenGraph(record, selection, readAt(answer.date, opportunity));
    graphs.set(id, { ...graph, readBy: answer.userId });
  }
  return graphs;
}

/**
 * The clock of the header has whole seconds; a row is never read before its own last change. Without a header nothing is
 * known beyond that change: our own clock may be ahead of the CRM's.
 */
function readAt(date: string | null, opportunity: RestRecord): string {
  const changedAt = instantOf(opportunity['SystemModstamp']);
  return date === null || changedAt > date ? changedAt : date;
}

async function children(
  session: Session,
  page: RestRecord[string],
  call: RestCall,
): Promise<readonly RestRecord[]> {
  if (typeof page !== 'object' || page === null) return [];
  return allPages(session, page, call);
}
