import { log } from '@temporalio/activity';
import { OPERATION_GROUPS, type OperationGroup } from '../../src/domain/loop/operation-groups.ts';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { PROBES } from './probes.ts';

export type GroupArgs = TenantArgs & { readonly group: OperationGroup };

/**
 * Pauses a tenant's group of operations and sees that its guard is there. Repeatable. A group that only a person lets
 * go on is not paused again: that person may have done so since.
 */
export function createReportOutage(deps: ActivityDeps) {
  return async function reportOutage({ tenant, group }: GroupArgs): Promise<void> {
    if (OPERATION_GROUPS[group].probe === null) {
      if (await isPaused(deps, tenant, group)) await deps.startGuard(tenant, group);
      return;
    }
    await pauseGroup(deps, tenant, group, 'refused our sign-in or key');
    await deps.startGuard(tenant, group);
  };
}

/** Whether a paused group answers again, or a person has lifted its pause. Any failure counts as "not yet". */
export function createProbeGroup(deps: ActivityDeps) {
  return async function probeGroup({ tenant, group }: GroupArgs): Promise<{ recovered: boolean }> {
    const { probe } = OPERATION_GROUPS[group];
    try {
      if (!(await isPaused(deps, tenant, group))) return { recovered: true };
      if (probe === null) return { recovered: false };
      await PROBES[probe](deps, deps.runtime(tenant));
      return { recovered: true };
    } catch {
      return { recovered: false };
    }
  };
}

/** Says so once, however many find the group out. */
export async function pauseGroup(
  deps: ActivityDeps,
  tenant: string,
  group: OperationGroup,
  reason: string,
): Promise<void> {
  const wasRunning = await deps.ledger.pause(tenant, group, reason, deps.now());
  if (wasRunning) log.warn('operations are paused', { tenant, group, reason });
}

async function isPaused(deps: ActivityDeps, tenant: string, group: OperationGroup): Promise<boolean> {
  return (await deps.ledger.pauses(tenant)).some((pause) => pause.group === group);
}

/**
 * Lets the group's work run again, but for a pause that only a person lifts; the instant from which older due records
 * are drained.
 */
export function createResumeGroup(deps: ActivityDeps) {
  return async function resumeGroup({ tenant, group }: GroupArgs): Promise<{ at: string }> {
    if (OPERATION_GROUPS[group].probe !== null) await deps.ledger.resume(tenant, group, deps.now());
    log.info('operations go on', { tenant, group });
    // What was marked before the pause ended was not woken.
    return { at: deps.now() };
  };
}
