import type { CrmReport } from '../domain/record/crm-graph.ts';
import { writtenRow } from './answers.ts';
import { classifyAnswer, crmError } from './classify.ts';
import { isFailedRow, type Load, type SubAnswer, type SubRequest } from './composite.ts';
import type { CrmError } from './errors.ts';
import { refusedReferences, withoutReferences } from './references.ts';
import { upsertRequest } from './upsert-rows.ts';

export const MAX_ROWS = 200;
/** Salesforce's limit of collections in one request; a query counts as one. */
const MAX_COLLECTIONS = 5;

const CHILD = 'Lockstep_Sync__c';
const CHILD_KEY = 'Opportunity_Key__c';

export type SyncRow = Pick<CrmReport, 'opportunityId' | 'sync'>;

/** Whether a report writes fields of the opportunity, and so needs a row of both objects. */
export function isNamed({ opportunity }: CrmReport): boolean {
  return Object.keys(opportunity).length > 0;
}

/** How many of these reports, from the first on, fit into one request of their own. */
export function reportsThatFit(reports: readonly CrmReport[]): number {
  const last = reports.findIndex((_, index) => collections(reports.slice(0, index + 1)) > MAX_COLLECTIONS);
  return last < 0 ? reports.length : last;
}

function collections(reports: readonly CrmReport[]): number {
  return Math.ceil(reports.length / MAX_ROWS) + Math.ceil(reports.filter(isNamed).length / MAX_ROWS);
}

/**
 * Reports as parts of one request: the sync state of each record and its opportunity fields, if any. Each report is answered by its own
 * rows: null, or the error of the failed row. Of two reports on one record the later counts. One part for each 200 rows of an object.
 * `along` contains sync rows that updates take along; nobody waits for their answer. `read` throws if a part was not answered row by row.
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

/** One row for each record, because Salesforce refuses two rows of one key in a request. The later fields win. */
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

/** The upsert of one child record. Its key is in the path only. */
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
