import type { CrmGraph } from '../domain/record/crm-graph.ts';
import type { CrmPosition } from '../domain/streams/crm-cursor.ts';
import { flagOf, idOf, instantOf, rowsById } from './answers.ts';
import { afterPosition, sharedScope } from './changes.ts';
import type { Load } from './composite.ts';
import type { CrmGraphPage } from './crm.ts';
import { CrmError } from './errors.ts';
import { flattenGraph, type GraphRecord } from './flatten.ts';
import type { GraphSelection } from './graph-fields.ts';
import { graphQuery, selectGraphs } from './graph-query.ts';
import type { RestRecord } from './options.ts';
import { allPages, type QueryAnswer, queryPath, queryRows } from './query.ts';
import { QueryPages } from './query-pages.ts';
import type { RestCall, Session } from './session.ts';
import { isRecordId } from './soql.ts';
import type { VisibleFields } from './visible-fields.ts';

export type GraphTools = { readonly session: Session; readonly fields: VisibleFields };
type Tools = GraphTools;

/**
 * Reads each opportunity with its lines, contacts and account. The results are in the order of the ids; null for an opportunity that does
 * not exist. Sends one request, and more only for further pages, or to find out which fields are hidden.
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

/**
 * Whether Salesforce refused the whole query because one of the ids has the form of an id but cannot be the id of any record. The
 * opportunities must then be read one by one, so that only the opportunity with that id is missing.
 */
function isUnreadableId(error: CrmError): boolean {
  return error.code === 'INVALID_QUERY_FILTER_OPERATOR';
}

async function readApart(tools: Tools, ids: readonly string[], call: RestCall): Promise<readonly (CrmGraph | null)[]> {
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
  return graphsById(session, ids, { answer, selection, call });
}

async function graphsById(
  session: Session,
  ids: readonly string[],
  { answer, selection, call }: Asked & { readonly answer: QueryAnswer },
): Promise<ReadonlyMap<string, CrmGraph>> {
  const graphs = new Map<string, CrmGraph>();
  for (const [id, row] of rowsById(answer.rows, ids))
    graphs.set(id, await graphOf(session, row, { answer, selection, call }));
  return graphs;
}

/**
 * Makes the sub-request that reads whole opportunities within a composite request. If Salesforce refuses this sub-request, `readGraphs`
 * reads the opportunities in a separate request.
 */
export function graphLoad(
  tools: Tools,
  ids: readonly string[],
  call: RestCall,
): Load<Promise<readonly (CrmGraph | null)[]>> {
  const asked = [...new Set(ids.filter(isRecordId))];
  const selection = tools.fields.selection();
  const path = (): string => queryPath(graphQuery(selection, asked), { deleted: true });
  return {
    requests: asked.length === 0 ? [] : [{ method: 'GET', path: path(), referenceId: 'graphs' }],
    read: async ({ parts: [part], date, userId }) => {
      if (part === undefined || part.status >= 400) return readGraphs(tools, ids, call);
      const pages = new QueryPages();
      const answer = { date, userId, pages, rows: await allPages(tools.session, part.body, call, pages) };
      const found = await graphsById(tools.session, asked, { answer, selection, call });
      return ids.map((id) => found.get(id) ?? null);
    },
  };
}

type Asked = {
  readonly answer: Pick<QueryAnswer, 'date' | 'userId' | 'pages'>;
  readonly selection: GraphSelection;
  readonly call: RestCall;
};

async function graphOf(
  session: Session,
  opportunity: RestRecord,
  { answer, selection, call }: Asked,
): Promise<CrmGraph> {
  // Both flags must be booleans. If a missing flag counted as false, Lockstep might stop syncing the deal, or sync a deleted one.
  for (const flag of ['IsDeleted', 'Vendor_Share__c']) flagOf(opportunity[flag]);
  const record: GraphRecord = {
    opportunity,
    lines: await children(session, opportunity['OpportunityLineItems'], call, answer.pages),
    roles: await children(session, opportunity['OpportunityContactRoles'], call, answer.pages),
    syncs: await children(session, opportunity['Lockstep_Syncs__r'], call, answer.pages),
  };
  const graph = flattenGraph(record, selection, readAt(answer.date, opportunity));
  return { ...graph, readBy: answer.userId };
}

/** The largest number of rows that Salesforce returns in a page. */
const MOST_GRAPHS = 2_000;

/**
 * Reads a page of opportunities with their related rows, after a position (SystemModstamp and Id). Sends one request, and more only if a
 * list of related rows has a second page, or if a field is hidden.
 */
export async function graphsAfter(
  tools: Tools,
  position: CrmPosition,
  limit: number,
  call: RestCall,
): Promise<CrmGraphPage> {
  try {
    return await pageAfter(tools, position, Math.min(limit, MOST_GRAPHS), tools.fields.selection(), call);
  } catch (error) {
    if (!(error instanceof CrmError) || error.code !== 'INVALID_FIELD') throw error;
    return pageAfter(tools, position, Math.min(limit, MOST_GRAPHS), await tools.fields.narrow(call), call);
  }
}

async function pageAfter(
  { session }: Tools,
  position: CrmPosition,
  size: number,
  selection: GraphSelection,
  call: RestCall,
): Promise<CrmGraphPage> {
  const soql =
    `${selectGraphs(selection)} WHERE ${sharedScope('')} AND ${afterPosition(position)} ` +
    `ORDER BY SystemModstamp, Id LIMIT ${size}`;
  const answer = await queryRows(session, soql, { ...call, deleted: true });
  const graphs: CrmGraph[] = [];
  for (const row of answer.rows) graphs.push(await graphOf(session, row, { answer, selection, call }));
  const last = answer.rows.at(-1);
  if (last === undefined) return { graphs, position, more: false };
  const reached = { systemModstamp: instantOf(last['SystemModstamp']), id: idOf(last['Id']) };
  return { graphs, position: reached, more: answer.rows.length === size };
}

/**
 * When an opportunity was read, by the CRM's clock: the `Date` header, or the opportunity's last change if that is later, because the
 * header has only whole seconds. Without the header, the time of the last change, because this machine's clock may be ahead of the CRM's.
 */
function readAt(date: string | null, opportunity: RestRecord): string {
  const changedAt = instantOf(opportunity['SystemModstamp']);
  return date === null || changedAt > date ? changedAt : date;
}

async function children(
  session: Session,
  page: RestRecord[string],
  call: RestCall,
  pages: QueryPages,
): Promise<readonly RestRecord[]> {
  if (typeof page !== 'object' || page === null) return [];
  return allPages(session, page, call, pages);
}
