import type { CrmReport } from '../domain/record/crm-graph.ts';
import { writtenRow } from './answers.ts';
import { classifyAnswer, crmError } from './classify.ts';
import { isFailedRow, type Load, type SubAnswer, type SubRequest } from './composite.ts';
import type { CrmError } from './errors.ts';
import { refusedReferences, withoutReferences } from './references.ts';
import { upsertRequest } from './upsert-rows.ts';

/** Rows that one collection may hold. */
const MAX_ROWS = 200;
/** Reports of one request: each may have a row of either object, and a request holds five collections. */
export const MAX_REPORTS = 2 * MAX_ROWS;
/** Reports that go along with updates and a reading, which take two of the five. */
export const MAX_REPORTS_ALONG = MAX_ROWS;

/**
 * The sync state of these records, and the opportunity fields that were given, as parts of one request. Each report is answered
 * by its own rows: null, or the error of the row that failed. Two reports about one record: the later one counts.
 * At most one part for 200 rows of each object. Reading throws where a part was not answered row by row.
 */
export function reportLoad(reports: readonly CrmReport[]): Load<readonly (null | CrmError)[]> {
  const newest = [...new Map(reports.map((report) => [report.opportunityId, report])).values()];
  const refusals = new Map(
    newest.map((report) => [report.opportunityId, refusedReferences([report.opportunity])]),
  );
  const latest = newest.filter(({ opportunityId }) => refusals.get(opportunityId) === null);
  const named = latest.filter((report) => Object.keys(report.opportunity).length > 0);
  const groups = [
    ...inRows(latest).map((rows, place) => ({ rows, request: numbered(syncRequest(rows), place) })),
    ...inRows(named).map((rows, place) => ({ rows, request: numbered(opportunityRequest(rows), place) })),
  ];
  return {
    requests: groups.map(({ request }) => request),
    read: ({ parts }) => {
      const errors = new Map(groups.flatMap(({ rows }, index) => failedRows(rows, parts[index])));
      return reports.map(({ opportunityId: id }) => errors.get(id) ?? refusals.get(id) ?? null);
    },
  };
}

function inRows(reports: readonly CrmReport[]): readonly (readonly CrmReport[])[] {
  const count = Math.ceil(reports.length / MAX_ROWS);
  return Array.from({ length: count }, (_, n) => reports.slice(n * MAX_ROWS, (n + 1) * MAX_ROWS));
}

function numbered(request: SubRequest, place: number): SubRequest {
  return place === 0 ? request : { ...request, referenceId: `${request.referenceId}_${place}` };
}

function failedRows(
  rows: readonly CrmReport[],
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
export function syncRequest(reports: readonly Pick<CrmReport, 'opportunityId' | 'sync'>[]): SubRequest {
  const rows = reports.map(({ opportunityId, sync }) => ({
    ...Object.fromEntries(Object.entries(sync).map(([name, value]) => [name, withoutReferences(value)])),
    Opportunity_Key__c: opportunityId,
    Opportunity__c: opportunityId,
  }));
  return { ...upsertRequest('Lockstep_Sync__c', 'Opportunity_Key__c', rows), referenceId: 'sync' };
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
