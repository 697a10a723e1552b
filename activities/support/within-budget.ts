import { budgetWaitMs, type CallPurpose } from '../../src/domain/loop/crm-budget.ts';
import { isBulk, type WorkClass } from '../../src/domain/loop/work-class.ts';
import type { ActivityDeps, TenantArgs } from './deps.ts';
import { failure } from './to-failure.ts';

/**
 * Checks the tenant's budget of daily CRM calls, before any request. Throws a THROTTLED failure if the budget leaves no room for this kind
 * of work (such as bulk work). If the budget runs low, the work may only run at longer intervals. A run that comes too soon after the last
 * one then also throws THROTTLED. `lastAt`: returns when this work last ran, ISO, or null if unknown; called only if the budget runs low.
 */
export async function keepToBudget(
  deps: Pick<ActivityDeps, 'crmBudget' | 'runtime' | 'now'>,
  tenant: string,
  purpose: CallPurpose,
  lastAt: () => Promise<string | null> = async () => null,
): Promise<void> {
  if (deps.crmBudget === undefined) return;
  const { apiShare } = deps.runtime(tenant).tenant.salesforce;
  const verdict = await deps.crmBudget.verdict(tenant, apiShare, purpose);
  const waitMs = budgetWaitMs(verdict, verdict === 'slows' ? await lastAt() : null, deps.now());
  if (waitMs === 0) return;
  throw failure('THROTTLED', "our share of the org's daily API calls has no room for this", {
    retryAfterMs: waitMs,
    waitsFor: 'crm-budget',
  });
}

/**
 * Wraps an activity with a check of the tenant's budget of daily CRM calls. `purpose`: the kind of work that the calls are for. Bulk work
 * always has the purpose `bulk`.
 */
export function withinBudget<Args extends TenantArgs & { readonly work?: WorkClass }, Result>(
  deps: ActivityDeps,
  purpose: CallPurpose,
  run: (args: Args) => Promise<Result>,
): (args: Args) => Promise<Result> {
  return async (args) => {
    await keepToBudget(deps, args.tenant, isBulk(args.work) ? 'bulk' : purpose);
    return run(args);
  };
}
