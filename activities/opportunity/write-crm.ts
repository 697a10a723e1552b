import { refreshedSync, reportInput } from '../../src/domain/decide/report.ts';
import { mappingOf } from '../../src/domain/mapping/leads/lead-mapping.ts';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import type { ActivityDeps, PlanArgs } from '../support/deps.ts';
import { crmWriteFailed, noteSending } from './crm-writes.ts';
import { loadWrite, type PlannedWrite } from './load-write.ts';
import { noteArrival } from './note-arrival.ts';
import { sharedCall } from './observe.ts';
import { settle } from './settle.ts';
import { type SyncSummary, summarise } from './summary.ts';

/**
 * Makes the activity that writes the vendor's changes to the CRM, unless the CRM's records have changed since they were read. The
 * activity's summary names the next step.
 */
export function createWriteCrm(deps: ActivityDeps) {
  return async function writeCrm(args: PlanArgs): Promise<SyncSummary> {
    const write = await loadWrite(deps, args, 'write-crm');
    const { link, stored, planId, plan, generation } = write;
    await noteSending(deps, write);
    try {
      await deps.runtime(link.tenant).crm.applyWrite(plan.write, {
        ...sharedCall(link),
        readAt: stored.graph?.readAt ?? null,
        sync: syncAfter(deps, write),
      });
    } catch (error) {
      return crmWriteFailed(deps, write, error);
    }
    const settled = await settle(deps, link, { type: 'crm-written', plan, generation }, planId);
    noteArrival(deps, args, write);
    return summarise(settled, { next: 'nothing' }, 'written to the CRM');
  };
}

/**
 * The fields of the child record `Lockstep_Sync__c` (the sync state that users see) to write together with the deal, so that its times are
 * current. Null if other fields of the child record change than its times, because a separate report must then write all of them. Also null
 * if no report was ever sent for the record.
 */
function syncAfter(deps: ActivityDeps, { link, plan }: PlannedWrite<'write-crm'>): CrmFields | null {
  const after = { ...link, state: plan.stateAfter, issues: plan.issues, base: plan.baseAfter };
  const sync = refreshedSync(reportInput(after, mappingOf(deps.runtime(link.tenant).tenant.mapping, link.crmId)));
  return sync === null ? null : { ...sync, Last_Synced__c: deps.now() };
}
