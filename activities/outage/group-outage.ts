import { cancellationSignal } from '@temporalio/activity';
import type { OperationGroup } from '../../src/ledger/ledger.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { vendorRequest } from '../support/vendor-request.ts';

export type GroupArgs = { readonly tenant: string; readonly group: OperationGroup };

/**
 * Pauses a tenant's group of operations and sees that its guard is there. Repeatable. A tenant that was paused is not
 * paused again: a person may have lifted it since.
 */
export function createReportOutage(deps: ActivityDeps) {
  return async function reportOutage({ tenant, group }: GroupArgs): Promise<void> {
    if (group === 'whole-tenant') {
      if (await isPaused(deps, tenant, group)) await deps.startGuard(tenant, group);
      return;
    }
    await deps.ledger.pause(tenant, group, 'refused our sign-in or key', deps.now());
    await deps.startGuard(tenant, group);
  };
}

/** Whether a paused group answers again, or a person has lifted a pause. Any failure counts as "not yet". */
export function createProbeGroup(deps: ActivityDeps) {
  return async function probeGroup({ tenant, group }: GroupArgs): Promise<{ recovered: boolean }> {
    try {
      if (group === 'whole-tenant') return { recovered: !(await isPaused(deps, tenant, group)) };
      await probe(deps, deps.runtime(tenant), group);
      return { recovered: true };
    } catch {
      return { recovered: false };
    }
  };
}

async function probe(deps: ActivityDeps, runtime: TenantRuntime, group: OperationGroup): Promise<void> {
  if (group === 'salesforce') {
    await runtime.crm.probe({ signal: cancellationSignal() });
    return;
  }
  await vendorRequest(deps, runtime.tenant.tenant, (signal) =>
    runtime.vendor.searchPortfolioItems({ top: 1 }, { signal }),
  );
}

async function isPaused(deps: ActivityDeps, tenant: string, group: OperationGroup): Promise<boolean> {
  return (await deps.ledger.pauses(tenant)).some((pause) => pause.group === group);
}

/**
 * Lets the group's work run again, but for a pause, which only a person lifts; the instant from which older due
 * records are drained.
 */
export function createResumeGroup(deps: ActivityDeps) {
  return async function resumeGroup({ tenant, group }: GroupArgs): Promise<{ at: string }> {
    const at = deps.now();
    if (group !== 'whole-tenant') await deps.ledger.resume(tenant, group, at);
    return { at };
  };
}
