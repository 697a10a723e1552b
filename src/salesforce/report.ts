import type { CrmReport } from '../domain/record/crm-graph.ts';
import { writtenRow } from './answers.ts';
import { classifyAnswer, crmError } from './classify.ts';
import { isFailedRow, type SubRequest, sendComposite } from './composite.ts';
import type { CrmError } from './errors.ts';
import { refusedReferences, withoutReferences } from './references.ts';
import type { RestCall, Session } from './session.ts';
import { upsertRequest } from './upsert-rows.ts';

/**
 * Writes the sync state of these records, and the opportunity fields that were given, as one request. Each report is answered
 * by its own rows: null, or the error of the row that failed. Two reports about one record: the later one counts.
 */
export async function sendReports(
  session: Session,
  reports: readonly CrmReport[],
  call: RestCall,
): Promise<readonly (null | CrmError)[]> {
  const newest = [...new Map(reports.map((report) => [report.opportunityId, report])).values()];
  const refusals = new Map(
    newest.map((report) => [report.opportunityId, refusedReferences([report.opportunity])]),
  );
  const latest = newest.filter(({ opportunityId }) => refusals.get(opportunityId) === null);
  if (latest.length === 0) return reports.map((report) => refusals.get(report.opportunityId) ?? null);
  const named = latest.filter((report) => Object.keys(report.opportunity).length > 0);
  const requests = [syncRequest(latest), ...(named.length > 0 ? [opportunityRequest(named)] : [])];
  const answers = await sendComposite(session, requests, { ...call, allOrNone: false });
  const errors = new Map<string, CrmError>();
  for (const [index, rows] of [latest, named].entries()) {
    const answer = answers[index];
    if (rows.length === 0) continue;
    if (answer === undefined || !Array.isArray(answer.body) || answer.body.length !== rows.length) {
      throw answer?.error ?? crmError('transient', 'MALFORMED_ANSWER');
    }
    for (const [place, report] of rows.entries()) {
      const row = writtenRow(answer.body[place]);
      if (isFailedRow(row)) errors.set(report.opportunityId, classifyAnswer(400, row));
    }
  }
  return reports.map(({ opportunityId: id }) => errors.get(id) ?? refusals.get(id) ?? null);
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
