import { cancellationSignal } from '@temporalio/activity';
import { refreshedSync } from '../../src/domain/decide/report.ts';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import type { Link, StoredPlan } from '../../src/ledger/ledger.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { ActivityDeps, PlanArgs } from '../support/deps.ts';
import { failure } from '../support/to-failure.ts';
import { loadCrmWrite, noteUncertainWrite, refusedOr } from './crm-writes.ts';
import { reportInput, summarise } from './record-decision.ts';
import type { SyncSummary } from './summary.ts';
import { markSent, requireFresh, writeEntry } from './vendor-writes.ts';

/** Writes the vendor's changes into the CRM, on the condition that the record is still the one that was read. */
export function createWriteCrm(deps: ActivityDeps) {
  return async function writeCrm(args: PlanArgs): Promise<SyncSummary> {
    const { link, stored, runtime } = await loadCrmWrite(deps, args);
    const write = stored.plan.toCrm;
    if (write === null) throw failure('BUG', 'the plan has no CRM write');
    requireFresh(deps, stored);
    await markSent(deps, stored, null);
    await noteUncertainWrite(deps, link, stored, runtime);
    try {
      await runtime.crm.applyWrite(write, {
        signal: cancellationSignal(),
        readAt: stored.graph?.readAt ?? null,
        sync: syncAfter(link, stored, deps.now()),
      });
    } catch (error) {
      await forgetUncertainWrite(deps, link, error);
      return refusedOr(deps, link, stored, write, error);
    }
    const at = deps.now();
    const settled = await deps.ledger.settle(link.tenant, link.key, {
      at,
      planId: stored.id,
      outcome: 'written',
      state: stored.plan.stateAfter,
      base: stored.plan.baseAfter,
      issues: stored.plan.issues,
      crmRefusedFingerprint: null,
      doneSeq: stored.dueSeq,
      journal: [writeEntry(stored, at, 'written', null)],
    });
    return summarise(settled, 'nothing', { reason: 'written to the CRM' });
  };
}

/** A write that the CRM answered with an error was not applied, as it is all or none: only silence leaves it uncertain. */
async function forgetUncertainWrite(
  deps: ActivityDeps,
  { tenant, key, base }: Link,
  error: unknown,
): Promise<void> {
  if (!(error instanceof CrmError) || error.kind === 'transient') return;
  await deps.ledger.settle(tenant, key, { at: deps.now(), base });
}

/** The child record as it is after the write, where nothing but its times changes. */
function syncAfter(link: Link, { plan }: StoredPlan, at: string): CrmFields | null {
  const after = { ...link, state: plan.stateAfter, issues: plan.issues, base: plan.baseAfter };
  const sync = refreshedSync(reportInput(after));
  return sync === null ? null : { ...sync, Last_Synced__c: at };
}
