import { cancellationSignal } from '@temporalio/activity';
import { dueReport } from '../../src/domain/decide/report.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { ActivityDeps, RecordArgs } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';
import { linkOf } from './observe.ts';
import { settle } from './settle.ts';
import { reportInput } from './summary.ts';

/** Tells the CRM's users the sync state, when it has changed. A refusal here never holds the deal itself up. */
export function createReportToCrm(deps: ActivityDeps) {
  return async function reportToCrm({ tenant, key }: RecordArgs): Promise<void> {
    const link = await linkOf(deps, tenant, key);
    const due = dueReport(reportInput(link));
    if (due === null) return;
    const sync = { ...due.report.sync, Last_Synced__c: deps.now() };
    let answer = 'reported';
    try {
      await deps.runtime(tenant).crm.report({ ...due.report, sync }, { signal: cancellationSignal() });
    } catch (error) {
      if (!(error instanceof CrmError) || !NOT_CURED_BY_TIME.has(error.kind)) throw toFailure(error);
      answer = `refused ${error.code} ${error.fields.join(' ')}`.trim();
    }
    await settle(deps, link, { type: 'reported', mark: due.mark, answer });
  };
}

const NOT_CURED_BY_TIME: ReadonlySet<string> = new Set(['permanent', 'drift', 'gone']);
