import { cancellationSignal } from '@temporalio/activity';
import { dueReport, essential } from '../../src/domain/decide/report.ts';
import type { CrmReport } from '../../src/domain/record/crm-graph.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { ActivityDeps, RecordArgs } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';
import { linkOf } from './observe.ts';
import { settle } from './settle.ts';
import { reportInput } from './summary.ts';

/**
 * Tells the CRM's users the sync state, when it has changed. A refusal here never holds the deal itself up, and
 * state and message get through whatever else of the row is refused.
 */
export function createReportToCrm(deps: ActivityDeps) {
  return async function reportToCrm({ tenant, key }: RecordArgs): Promise<void> {
    const link = await linkOf(deps, tenant, key);
    const due = dueReport(reportInput(link));
    if (due === null) return;
    const refused = await tell(deps, tenant, due.report);
    const still = refused === null ? null : await tell(deps, tenant, essential(due.report));
    const answer = refused === null ? 'reported' : still === null ? `in part, ${refused}` : still;
    await settle(deps, link, { type: 'reported', mark: due.mark, answer });
  };
}

/** Null, or why the CRM refused it for good. */
async function tell(deps: ActivityDeps, tenant: string, report: CrmReport): Promise<string | null> {
  const sync = { ...report.sync, Last_Synced__c: deps.now() };
  try {
    await deps.runtime(tenant).crm.report({ ...report, sync }, { signal: cancellationSignal() });
    return null;
  } catch (error) {
    if (!(error instanceof CrmError) || !NOT_CURED_BY_TIME.has(error.kind)) throw toFailure(error);
    return `refused ${error.code} ${error.fields.join(' ')}`.trim();
  }
}

const NOT_CURED_BY_TIME: ReadonlySet<string> = new Set(['permanent', 'drift', 'gone']);
