import { PICK_FIELD } from '../domain/record/pick.ts';
import type { CrmPosition } from '../domain/streams/crm-cursor.ts';
import { idOf, instantOf } from './answers.ts';
import { crmError } from './classify.ts';
import { type ComposedAnswer, composeQueries, MOST_QUERIES } from './compose-queries.ts';
import {
  type ChangedIds,
  type ChangesAsk,
  type ChangesTogether,
  CRM_STREAMS,
  type CrmChange,
  type CrmChangePage,
  type CrmStream,
} from './crm.ts';
import { CrmError } from './errors.ts';
import type { RestRecord } from './options.ts';
import { WAITING_REQUESTS } from './order-searches.ts';
import { type QueryAnswer, queryRows } from './query.ts';
import { rowsOfKeys } from './rows-of-keys.ts';
import type { RestCall, Session } from './session.ts';
import { instantLiteral, textLiteral } from './soql.ts';

/** The largest number of rows that Salesforce returns in a page. A larger limit would only cost more requests. */
const MAX_LIMIT = 2_000;

/**
 * The SOQL condition for deals that are ticked as shared with the vendor, or that have a vendor id. `prefix` names the opportunity in a
 * query for a child object.
 */
export function sharedScope(prefix: '' | 'Opportunity.'): string {
  return `(${prefix}Vendor_Share__c = true OR ${prefix}Vendor_Id__c != null)`;
}

type Stream = {
  readonly select: string;
  readonly scope: string | null;
  /**
   * Returns, by the id of each changed row, the ids of the deals (opportunities or leads) that a change of the row can affect. A row of
   * Opportunity or Lead is a deal itself, shared or not. Any other row affects the shared opportunities that use it; if there are none, its
   * list is empty.
   */
  readonly resolve: (
    session: Session,
    rows: readonly RestRecord[],
    call: RestCall,
  ) => Promise<ReadonlyMap<string, readonly string[]>>;
};

const STREAMS: Readonly<Record<CrmStream, Stream>> = {
  Opportunity: {
    // The query has no condition for shared opportunities. Otherwise Lockstep would never notice that a user unshares an opportunity before
    // the vendor has it.
    select: 'Id, SystemModstamp, Vendor_Share__c, Vendor_Id__c',
    scope: null,
    resolve: async (_session, rows) => byColumn(rows, 'Id', 'Id'),
  },
  Lead: {
    select: 'Id, SystemModstamp, Vendor_Share__c, Vendor_Id__c, IsConverted',
    scope: null,
    resolve: async (_session, rows) => byColumn(rows, 'Id', 'Id'),
  },
  OpportunityLineItem: childStream(),
  OpportunityContactRole: childStream(),
  Account: {
    select: 'Id, SystemModstamp, MasterRecordId',
    scope: null,
    resolve: (session, rows, call) =>
      joined(session, rows, call, {
        from: 'Opportunity',
        key: 'AccountId',
        opportunity: 'Id',
        scope: sharedScope(''),
      }),
  },
  Contact: {
    select: 'Id, SystemModstamp, MasterRecordId',
    scope: null,
    resolve: (session, rows, call) =>
      joined(session, rows, call, {
        from: 'OpportunityContactRole',
        key: 'ContactId',
        opportunity: 'OpportunityId',
        scope: sharedScope('Opportunity.'),
      }),
  },
  // The row counts as changed only if a user has picked a side of a conflict. Lockstep itself writes all other fields of the row, and
  // clears the pick once it has acted on it.
  Lockstep_Sync__c: {
    select: 'Id, SystemModstamp, Opportunity__c',
    scope: `${PICK_FIELD} != null`,
    resolve: async (_session, rows) => byColumn(rows, 'Id', 'Opportunity__c'),
  },
  Lockstep_Lead_Sync__c: {
    select: 'Id, SystemModstamp, Lead_Key__c',
    scope: `${PICK_FIELD} != null`,
    resolve: async (_session, rows) => byColumn(rows, 'Id', 'Lead_Key__c'),
  },
};

type Changes = { readonly session: Session; readonly now: () => number };

/**
 * Reads one page of the changes of one object's rows. A row of another object than Opportunity and Lead is left out if no shared
 * opportunity uses it; the page's position lies after such rows all the same.
 */
export async function changesAfter(
  of: Changes,
  name: CrmStream,
  position: CrmPosition,
  limit: number,
  call: RestCall,
): Promise<CrmChangePage> {
  const asked = { stream: name, position, size: Math.min(limit, MAX_LIMIT) };
  const answer = queryRows(of.session, soqlOf(asked), { ...call, deleted: true });
  return pageOf(of, asked, await answer.catch(noPicks(name)), call);
}

export async function changesTogether(
  of: Changes,
  asks: readonly ChangesAsk[],
  limit: number,
  call: RestCall,
): Promise<ChangesTogether> {
  const asked = asks.map((ask) => ({ ...ask, size: Math.min(limit, MAX_LIMIT) }));
  const soqls = [...asked.map(soqlOf), ...WAITING_REQUESTS];
  const answers: ComposedAnswer[] = [];
  for (let start = 0; start < soqls.length; start += MOST_QUERIES) {
    const some = soqls.slice(start, start + MOST_QUERIES);
    answers.push(...(await composeQueries(of.session, some, { ...call, deleted: true })));
  }
  const waiting = answers.slice(asked.length);
  return {
    pages: asked.map((ask, place) => async () => {
      const rows = answers[place]?.() ?? Promise.reject(crmError('transient', 'MALFORMED_ANSWER'));
      return pageOf(of, ask, await rows.catch(noPicks(ask.stream)), call);
    }),
    hasRequests: async () => {
      for (const answer of waiting) if ((await answer().catch(noRequests)).rows.length > 0) return true;
      return false;
    },
  };
}

/**
 * Handles an error of a query for waiting requests of sales persons (`Lockstep_Order_Search__c`, `Lockstep_Found_Order__c`). Returns no
 * rows if the org lacks these objects, or if the integration user cannot see them; throws any other error.
 */
function noRequests(error: unknown): Pick<QueryAnswer, 'rows'> {
  if (!(error instanceof CrmError) || error.kind !== 'schema-mismatch') throw error;
  return { rows: [] };
}

/**
 * Finds the opportunities and leads that a sweep (the periodic query for the CRM's changes) would read because of these changed rows, by
 * row id. A row that no shared opportunity uses is left out or has an empty list. Rows of objects that the sweep does not query are left
 * out. Sends one or two queries for every 200 rows of an object, and more only if a query would return too many rows.
 */
export async function opportunitiesOf(
  session: Session,
  of: readonly ChangedIds[],
  call: RestCall,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const { object, ids } of of) {
    const stream = CRM_STREAMS.find((name) => name === object);
    if (stream === undefined || ids.length === 0) continue;
    const { select, scope } = STREAMS[stream];
    const rows = await rowsOfKeys(session, keyed(stream, select, scope), ids, call);
    for (const [id, opportunities] of await STREAMS[stream].resolve(session, rows, call)) found.set(id, opportunities);
  }
  return found;
}

/**
 * Describes the query that reads rows of an object by their ids (for `rowsOfKeys`). `select`: the fields to read, separated by commas.
 * `scope`: a further SOQL condition, or null for none.
 */
function keyed(from: CrmStream, select: string, scope: string | null) {
  return { from, fields: select.split(', '), key: 'Id', scope: scope ?? 'Id != null' };
}

/** The objects whose rows are deals themselves, and not parts of a deal. */
const DEALS: ReadonlySet<CrmStream> = new Set(['Opportunity', 'Lead']);

type Asked = ChangesAsk & { readonly size: number };

function soqlOf({ stream, position, size }: Asked): string {
  const { select, scope } = STREAMS[stream];
  return (
    `SELECT ${select} FROM ${stream} WHERE ${[scope, afterPosition(position)].filter(Boolean).join(' AND ')} ` +
    `ORDER BY SystemModstamp, Id LIMIT ${size}`
  );
}

async function pageOf(
  { session, now }: Changes,
  { stream, position, size }: Asked,
  { rows, date }: Pick<QueryAnswer, 'rows' | 'date'>,
  call: RestCall,
): Promise<CrmChangePage> {
  const clock = { now: date ?? new Date(now()).toISOString() };
  const last = rows.at(-1);
  if (last === undefined) return { changes: [], position, more: false, ...clock };
  const opportunities = await STREAMS[stream].resolve(session, rows, call);
  const changes = rows.flatMap((row): readonly CrmChange[] => {
    const rowId = idOf(row['Id']);
    const stamp = stampOf(row);
    const mayBeShared = !DEALS.has(stream) || isOrWasShared(row);
    return (opportunities.get(rowId) ?? []).map((opportunityId) => ({
      opportunityId,
      rowId,
      stamp,
      mayBeShared,
    }));
  });
  const reached = { systemModstamp: stampOf(last), id: idOf(last['Id']) };
  return { changes, position: reached, more: rows.length === size, ...clock };
}

/**
 * Whether a deal is ticked as shared with the vendor or has a vendor id. False for a converted lead, because its opportunity has taken over
 * the tick and the vendor id.
 */
function isOrWasShared(row: RestRecord): boolean {
  return row['IsConverted'] !== true && (row['Vendor_Share__c'] === true || row['Vendor_Id__c'] !== null);
}

/**
 * Makes a handler for an error of the query for sync rows (`Lockstep_Sync__c`, `Lockstep_Lead_Sync__c`) in which users decided a conflict.
 * The handler returns no rows if the org lacks the field with the users' decision, or if the integration user cannot see it; it throws any
 * other error.
 */
function noPicks(name: CrmStream): (error: unknown) => Pick<QueryAnswer, 'rows' | 'date'> {
  return (error) => {
    if (!name.endsWith('_Sync__c') || !(error instanceof CrmError) || error.code !== 'INVALID_FIELD') throw error;
    return { rows: [], date: null };
  };
}

/**
 * The SOQL condition for rows after a position (a SystemModstamp and an Id) in the order of both. If the position's id is empty, all rows
 * with the position's SystemModstamp are included.
 */
export function afterPosition({ systemModstamp, id }: CrmPosition): string {
  const stamp = instantLiteral(systemModstamp);
  if (id === '') return `SystemModstamp >= ${stamp}`;
  return `(SystemModstamp > ${stamp} OR (SystemModstamp = ${stamp} AND Id > ${textLiteral(id)}))`;
}

function childStream(): Stream {
  return {
    select: 'Id, SystemModstamp, OpportunityId',
    scope: sharedScope('Opportunity.'),
    resolve: async (_session, rows) => byColumn(rows, 'Id', 'OpportunityId'),
  };
}

type Join = {
  readonly from: string;
  readonly key: string;
  readonly opportunity: string;
  readonly scope: string;
};

/**
 * Finds the shared opportunities that refer to changed rows. An opportunity refers to a row by its own foreign key (such as `AccountId`),
 * or by that of a child row (such as `ContactId` of a contact role). Deleted child rows count too. If a changed row was merged into another
 * record, finds the opportunities of that record, because a merge does not change the opportunities' own timestamps.
 */
async function joined(
  session: Session,
  rows: readonly RestRecord[],
  call: RestCall,
  join: Join,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const keyOf = new Map(rows.map((row) => [String(row['Id']), String(row['MasterRecordId'] ?? row['Id'])]));
  const fields = ['Id', join.key, join.opportunity];
  const found = await rowsOfKeys(session, { ...join, fields }, [...new Set(keyOf.values())], call);
  const byKey = byColumn(found, join.key, join.opportunity);
  return new Map([...keyOf].map(([id, key]) => [id, byKey.get(key) ?? []]));
}

function byColumn(rows: readonly RestRecord[], key: string, value: string): ReadonlyMap<string, readonly string[]> {
  const grouped = new Map<string, string[]>();
  for (const row of rows) {
    const group = grouped.get(String(row[key])) ?? [];
    const id = idOf(row[value]);
    if (!group.includes(id)) group.push(id);
    grouped.set(String(row[key]), group);
  }
  return grouped;
}

function stampOf(row: RestRecord): string {
  return instantOf(row['SystemModstamp']);
}
