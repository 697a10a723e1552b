import type { CrmReport } from '../domain/record/crm-graph.ts';
import { writtenRow } from './answers.ts';
import { classifyAnswer, crmError } from './classify.ts';
import { isFailedRow, type Load, type SubAnswer, type SubRequest } from './composite.ts';
import type { CrmError } from './errors.ts';
import { refusedReferences, withoutReferences } from './references.ts';
import type { RowSizes } from './row-sizes.ts';
import { upsertRequest } from './upsert-rows.ts';

/** The maximum number of collections (groups of rows) that Salesforce accepts in one request. A query counts as a collection. */
export const MAX_COLLECTIONS = 5;

const DEAL = 'Opportunity';
const CHILD = 'Lockstep_Sync__c';
const CHILD_KEY = 'Opportunity_Key__c';
const PARENT = 'Opportunity__c';

export type SyncRow = Pick<CrmReport, 'opportunityId' | 'sync' | 'hasRow'>;

/**
 * Whether a status report for the CRM's users writes fields of the opportunity in addition to the sync row (`Lockstep_Sync__c`), so that
 * it writes rows of two objects.
 */
export function isNamed({ opportunity }: CrmReport): boolean {
  return Object.keys(opportunity).length > 0;
}

/** How many of these reports (writes of sync states for users), counted from the first, fit into one request that contains nothing else. */
export function reportsThatFit(reports: readonly CrmReport[], sizes: Pick<RowSizes, 'of'>): number {
  const last = reports.findIndex((_, index) => collections(reports.slice(0, index + 1), sizes) > MAX_COLLECTIONS);
  return last < 0 ? reports.length : Math.max(1, last);
}

function collections(reports: readonly CrmReport[], sizes: Pick<RowSizes, 'of'>): number {
  const named = reports.filter(isNamed);
  return Math.ceil(reports.length / sizes.of(CHILD)) + Math.ceil(named.length / sizes.of(DEAL));
}

/**
 * How many reports (writes of sync states for users) fit into a request that has one sub-request for sync rows and one for opportunities. A
 * request that also contains updates has only these two for reports.
 */
export function reportsInPart(sizes: Pick<RowSizes, 'of'>): number {
  return Math.min(sizes.of(CHILD), sizes.of(DEAL));
}

/** The Salesforce objects to which a report writes rows: the sync row's, and the opportunity's if the report has fields of it. */
export function objectsOf(report: CrmReport): readonly string[] {
  return isNamed(report) ? [CHILD, DEAL] : [CHILD];
}

/**
 * Makes the sub-requests that send reports (writes that show users the sync state of records). A report writes the record's sync row
 * (`Lockstep_Sync__c`), and also the opportunity if the report contains fields of it. If several reports concern one record, only the last
 * one is sent, and its result counts for all of them. The returned `read` converts the answer to null or an error for each report. If
 * Salesforce refuses the sync row and the opportunity, the error is that of the opportunity. `along`: sync rows of updates, which are
 * written with the same request; their results are not returned.
 */
export function reportLoad(
  reports: readonly CrmReport[],
  sizes: RowSizes,
  along: readonly SyncRow[] = [],
): Load<readonly (null | CrmError)[]> {
  const newest = [...new Map(reports.map((report) => [report.opportunityId, report])).values()];
  const refusals = new Map(newest.map((report) => [report.opportunityId, refusedReferences([report.opportunity])]));
  const latest = newest.filter(({ opportunityId }) => refusals.get(opportunityId) === null);
  const groups = [
    ...inRows(merged([...latest, ...along]), Math.max(sizes.of(CHILD), along.length)).map((rows, place) => ({
      ...{ object: CHILD, rows },
      request: numbered(syncRequest(rows), place),
    })),
    ...inRows(latest.filter(isNamed), sizes.of(DEAL)).map((rows, place) => ({
      ...{ object: DEAL, rows },
      request: numbered(opportunityRequest(rows), place),
    })),
  ];
  return {
    requests: groups.map(({ request }) => request),
    read: ({ parts }) => {
      const failed = groups.flatMap(({ object, rows }, index) => {
        const errors = failedRows(rows, parts[index]);
        if (errors.some(([, { kind }]) => kind === 'governor')) sizes.tooMany(object, rows.length);
        return errors;
      });
      const errors = new Map(failed);
      return reports.map(({ opportunityId: id }) => errors.get(id) ?? refusals.get(id) ?? null);
    },
  };
}

/**
 * Merges the sync rows (`Lockstep_Sync__c`) of each record into one row, because Salesforce refuses two rows with the same key in a
 * request. If two rows have the same field, the value of the later row is used.
 */
function merged(rows: readonly SyncRow[]): readonly SyncRow[] {
  const byId = new Map<string, SyncRow>();
  for (const { opportunityId, sync, hasRow } of rows) {
    const other = byId.get(opportunityId);
    const isThere = hasRow === true || other?.hasRow === true;
    byId.set(opportunityId, { opportunityId, sync: { ...other?.sync, ...sync }, hasRow: isThere });
  }
  return [...byId.values()];
}

function inRows<Row>(rows: readonly Row[], most: number): readonly (readonly Row[])[] {
  const count = Math.ceil(rows.length / most);
  return Array.from({ length: count }, (_, n) => rows.slice(n * most, (n + 1) * most));
}

function numbered(request: SubRequest, place: number): SubRequest {
  return place === 0 ? request : { ...request, referenceId: `${request.referenceId}_${place}` };
}

function failedRows(
  rows: readonly Pick<CrmReport, 'opportunityId'>[],
  answer: SubAnswer | undefined,
): readonly (readonly [string, CrmError])[] {
  const error = answer?.error ?? crmError('transient', 'MALFORMED_ANSWER');
  if (answer === undefined || !Array.isArray(answer.body) || answer.body.length !== rows.length) {
    if (error.kind !== 'governor') throw error;
    return rows.map(({ opportunityId }) => [opportunityId, error] as const);
  }
  const { body } = answer;
  return rows.flatMap(({ opportunityId }, place) => {
    const row = writtenRow(body[place]);
    return isFailedRow(row) ? [[opportunityId, classifyAnswer(400, row)] as const] : [];
  });
}

/** Makes the sub-request that upserts the sync rows (`Lockstep_Sync__c`) of these reports. */
export function syncRequest(reports: readonly SyncRow[]): SubRequest {
  const rows = reports.map((row) => ({ ...childFields(row), [CHILD_KEY]: row.opportunityId }));
  return { ...upsertRequest(CHILD, CHILD_KEY, rows), referenceId: 'sync' };
}

/** Makes the sub-request that upserts one sync row (`Lockstep_Sync__c`). The row's key is only in the path of the sub-request. */
export function oneSyncRequest(row: SyncRow, referenceId: string): SubRequest {
  const path = `/sobjects/${CHILD}/${CHILD_KEY}/${encodeURIComponent(row.opportunityId)}`;
  return { method: 'PATCH', path, referenceId, body: childFields(row) };
}

function childFields({ opportunityId, sync, hasRow }: SyncRow): object {
  const cells = Object.entries(sync).map(([name, value]) => [name, withoutReferences(value)]);
  return { ...Object.fromEntries(cells), ...(hasRow ? {} : { [PARENT]: opportunityId }) };
}

/**
 * Whether Salesforce refused a sync row (`Lockstep_Sync__c`) because of its parent field. A new row must name its parent. An existing row
 * must not, because its parent cannot be changed.
 */
export function isWrongAboutRow({ code, fields }: CrmError): boolean {
  return WRONG_ABOUT_PARENT.has(code) && fields.includes(PARENT);
}

const WRONG_ABOUT_PARENT: ReadonlySet<string> = new Set(['INVALID_FIELD_FOR_INSERT_UPDATE', 'REQUIRED_FIELD_MISSING']);

function opportunityRequest(reports: readonly CrmReport[]): SubRequest {
  const records = reports.map((report) => ({
    attributes: { type: DEAL },
    ...report.opportunity,
    id: report.opportunityId,
  }));
  const path = '/composite/sobjects';
  return { method: 'PATCH', path, referenceId: 'opportunity', body: { allOrNone: false, records } };
}
