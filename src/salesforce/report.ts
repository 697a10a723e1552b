import type { CrmReport } from '../domain/record/crm-graph.ts';
import { writtenRow } from './answers.ts';
import { classifyAnswer, crmError } from './classify.ts';
import { isFailedRow, type Load, type SubAnswer, type SubRequest } from './composite.ts';
import type { CrmError } from './errors.ts';
import { refusedReferences, withoutReferences } from './references.ts';
import { upsertRequest } from './upsert-rows.ts';

/** Rows that one collection may hold. */
export const MAX_ROWS = 200;
/** Collections that one request may hold; a query counts as one. */
const MAX_COLLECTIONS = 5;

const CHILD = 'Lockstep_Sync__c';
const CHILD_KEY = 'Opportunity_Key__c';

export type SyncRow = Pick<CrmReport, 'opportunityId' | 'sync'>;

/** Whether a report has fields of the opportunity, and so a row of either object. */
export function isNamed({ opportunity }: CrmReport): boolean {
  return Object.keys(opportunity).length > 0;
}

/** How many of these reports, from the first on, one request takes that holds nothing else. */
export function reportsThatFit(reports: readonly CrmReport[]): number {
  const last = reports.findIndex((_, index) => collections(reports.slice(0, index + 1)) > MAX_COLLECTIONS);
  return last < 0 ? reports.length : last;
}

function collections(reports: readonly CrmReport[]): number {
  return Math.ceil(reports.length / MAX_ROWS) + Math.ceil(reports.filter(isNamed).length / MAX_ROWS);
}

/**
 * The sync state of these records, and the opportunity fields that were given, as parts of one request. Each report is answered
 * by its own rows: null, or the error of the row that failed. Two reports about one record: the later one counts.
 * At most one part for 200 rows of each object. `along`: child records of other records, or newer fields of one of these, for which
 * nobody is answered. Reading throws where a part was not answered row by row.
 */
export function reportLoad(
  reports: readonly CrmReport[],
  along: readonly SyncRow[] = [],
): Load<readonly (null | CrmError)[]> {
  const newest = [...new Map(reports.map((report) => [report.opportunityId, report])).values()];
  const refusals = new Map(
    newest.map((report) => [report.opportunityId, refusedReferences([report.opportunity])]),
  );
  const latest = newest.filter(({ opportunityId }) => refusals.get(opportunityId) === null);
  const groups = [
    ...inRows(merged([...latest, ...along])).map((rows, place) => ({
      rows,
      request: numbered(syncRequest(rows), place),
    })),
    ...inRows(latest.filter(isNamed)).map((rows, place) => ({
      rows,
      request: numbered(opportunityRequest(rows), place),
    })),
  ];
  return {
    requests: groups.map(({ request }) => request),
    read: ({ parts }) => {
      const errors = new Map(groups.flatMap(({ rows }, index) => failedRows(rows, parts[index])));
      return reports.map(({ opportunityId: id }) => errors.get(id) ?? refusals.get(id) ?? null);
    },
  };
}

/** One row for each record, as Salesforce takes no two of one key in a request; the later fields count. */
function merged(rows: readonly SyncRow[]): readonly SyncRow[] {
  const byId = new Map<string, SyncRow>();
  for (const { opportunityId, sync } of rows)
    byId.set(opportunityId, { opportunityId, sync: { ...byId.get(opportunityId)?.sync, ...sync } });
  return [...byId.values()];
}

function inRows<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const count = Math.ceil(rows.length / MAX_ROWS);
  return Array.from({ length: count }, (_, n) => rows.slice(n * MAX_ROWS, (n + 1) * MAX_ROWS));
}

function numbered(request: SubRequest, place: number): SubRequest {
  return place === 0 ? request : { ...request, referenceId: `${request.referenceId}_${place}` };
}

function failedRows(
  rows: readonly Pick<CrmReport, 'opportunityId'>[],
  answer: SubAnswer | undefined,
): readonly (readonly [string, CrmError])[] {
  if (answer === undefined || !Array.isArray(answer.body) || answer.body.length !== rows.length) {
    throw answer?.error ?? crmError('transient', 'MALFORMED_ANSWER');
  }
  const { body } = answer;
  return rows.flatMap(({ opportunityId }, place) => {
    const row = writtenRow(body[place]);
    return isFailedRow(row) ? [[opportunityId, classifyAnswer(400, row)] as const] : [];
  });
}

/** One upsert of these child records. */
export function syncRequest(reports: readonly SyncRow[]): SubRequest {
  const rows = reports.map((row) => ({ ...childFields(row), [CHILD_KEY]: row.opportunityId }));
  return { ...upsertRequest(CHILD, CHILD_KEY, rows), referenceId: 'sync' };
}

/** The upsert of one child record, whose key stands in the address alone. */
export function oneSyncRequest(row: SyncRow, referenceId: string): SubRequest {
  const path = `/sobjects/${CHILD}/${CHILD_KEY}/${encodeURIComponent(row.opportunityId)}`;
  return { method: 'PATCH', path, referenceId, body: childFields(row) };
}

function childFields({ opportunityId, sync }: SyncRow): object {
  const cells = Object.entries(sync).map(([name, value]) => [name, withoutReferences(value)]);
  return { ...Object.fromEntries(cells), Opportunity__c: opportunityId };
}

function opportunityRequest(reports: readonly CrmReport[]): SubRequest {
  const records = reports.map((report) => ({
    attributes: { type: 'Opportunity' },
    ...report.opportunity,
    id: report.opportunityId,
  }));
  const path = '/composite/sobjects';
  return { method: 'PATCH', path, referenceId: 'opportunity', body: { allOrNone: false, records } };
}
