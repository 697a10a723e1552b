import { log } from '@temporalio/activity';
import { OPERATION_GROUPS, type OperationGroup } from '../../src/domain/loop/operation-groups.ts';
import {
  type MetRefusal,
  metRefusalOf,
  type Relapses,
  relapsesAfter,
  relapsesOf,
} from '../../src/domain/loop/relapse.ts';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { isWell } from './set-aside.ts';

export type GroupArgs = TenantArgs & { readonly group: OperationGroup };
/**
 * Arguments of a report that an operation group (requests to a remote that fail together) fails. `why`: the remote's answer, in codes;
 * absent in reports of an older Lockstep version.
 */
export type OutageArgs = GroupArgs & { readonly why?: string };

/**
 * Pauses an operation group (requests to a remote that fail together), and starts the workflow that tests the group with cheap requests
 * (probes). Idempotent. Does not pause a group without probes, such as the whole tenant, because only an operator or a mass change (too
 * many deals leave the scope at once) pauses such a group. If such a group is paused, only starts the workflow, which waits until an
 * operator ends the pause.
 */
export function createReportOutage(deps: ActivityDeps) {
  return async function reportOutage({ tenant, group, why }: OutageArgs): Promise<void> {
    if (OPERATION_GROUPS[group].probes === null) {
      if (await isPaused(deps, tenant, group)) await deps.startGuard(tenant, group);
      return;
    }
    const at = deps.now();
    const met = (await deps.ledger.cursor(tenant, metRefusalOf(group))) as MetRefusal | null;
    const holds = !OPERATION_GROUPS[group].refusesSingly;
    const relapses = relapsesAfter(await relapsesKnown(deps, tenant, group), at, { met, holds });
    const by = relapses.met === undefined ? '' : `, met by ${relapses.met.request}`;
    const again = `, again; tried next at ${relapses.heldUntil}`;
    const reason = `${refusal(why)}${by}${relapses.heldMs === 0 ? '' : again}`;
    const wasRunning = await pauseGroup(deps, tenant, group, reason);
    if (wasRunning) await deps.ledger.saveCursor(tenant, relapsesOf(group), relapses, at);
    await deps.startGuard(tenant, group);
  };
}

function refusal(why: string | undefined): string {
  if (why === undefined) return 'refused our sign-in or key';
  // The org's limit counts the calls of all clients, so the sign-in is not at fault.
  if (why.includes('REQUEST_LIMIT_EXCEEDED')) return `the API calls of a day are used up (${why})`;
  if (why.includes('UNSUPPORTED_API_VERSION'))
    return `lacks the API version of the tenant file, or has retired it (${why})`;
  return `refused our sign-in or key (${why})`;
}

/**
 * Whether the requests of a paused operation group (requests to a remote that fail together) succeed again, or an operator has ended the
 * pause. If the check itself fails, the group counts as not recovered.
 */
export function createProbeGroup(deps: ActivityDeps) {
  return async function probeGroup({ tenant, group }: GroupArgs): Promise<{ recovered: boolean }> {
    const { probes } = OPERATION_GROUPS[group];
    try {
      if (!(await isPaused(deps, tenant, group))) return { recovered: true };
      if (probes === null || (await isHeld(deps, tenant, group))) return { recovered: false };
      return { recovered: await isWell(deps, tenant, group) };
    } catch {
      return { recovered: false };
    }
  };
}

/**
 * Pauses an operation group (requests to a remote that fail together), and logs the pause once. Returns true if the group was not paused
 * before.
 */
export async function pauseGroup(
  deps: ActivityDeps,
  tenant: string,
  group: OperationGroup,
  reason: string,
): Promise<boolean> {
  const wasRunning = await deps.ledger.pause(tenant, group, reason, deps.now());
  if (wasRunning) log.warn('operations are paused', { tenant, group, reason });
  return wasRunning;
}

async function isPaused(deps: ActivityDeps, tenant: string, group: OperationGroup): Promise<boolean> {
  return (await deps.ledger.pauses(tenant)).some((pause) => pause.group === group);
}

async function relapsesKnown(deps: ActivityDeps, tenant: string, group: OperationGroup): Promise<Relapses | null> {
  return (await deps.ledger.cursor(tenant, relapsesOf(group))) as Relapses | null;
}

async function isHeld(deps: ActivityDeps, tenant: string, group: OperationGroup): Promise<boolean> {
  const relapses = await relapsesKnown(deps, tenant, group);
  return relapses !== null && Date.parse(deps.now()) < Date.parse(relapses.heldUntil);
}

/**
 * Ends the pause of an operation group (requests to a remote that fail together) if the group has probes; only an operator ends other
 * pauses. Returns the present instant, ISO. The caller must wake the workflows of records that became due before that instant, because the
 * pause stopped these workflows.
 */
export function createResumeGroup(deps: ActivityDeps) {
  return async function resumeGroup({ tenant, group }: GroupArgs): Promise<{ at: string }> {
    if (OPERATION_GROUPS[group].probes !== null) await resume(deps, tenant, group);
    log.info('operations go on', { tenant, group });
    // No link that was marked due during the pause was woken.
    return { at: deps.now() };
  };
}

/**
 * Ends the pause of an operation group (requests to a remote that fail together). Stores when the pause ended and how long its probes were
 * delayed, because the next delay is longer if the group soon fails again. If an operator has already ended the pause, stores nothing.
 */
async function resume(deps: ActivityDeps, tenant: string, group: OperationGroup): Promise<void> {
  const at = deps.now();
  if (await isPaused(deps, tenant, group)) {
    const known = await relapsesKnown(deps, tenant, group);
    const heldMs = known?.heldMs ?? 0;
    const lifted: Relapses = { ...known, liftedAt: at, heldMs, heldUntil: at };
    await deps.ledger.saveCursor(tenant, relapsesOf(group), lifted, at);
  }
  await deps.ledger.resume(tenant, group, at);
}
