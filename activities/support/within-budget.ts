import { budgetWaitMs, type CallPurpose } from '../../src/domain/loop/crm-budget.ts';
import { isBulk, type WorkClass } from '../../src/domain/loop/work-class.ts';
import type { ActivityDeps, TenantArgs } from './deps.ts';
import { failure } from './to-failure.ts';

/**
 * Checks the tenant's budget of daily CRM calls. Fails as THROTTLED, before any request, if the budget leaves no room for this kind of work
 * (such as bulk work). `lastAt`: when this work last ran, ISO; called only if the work has to become less frequent.
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

/** Wraps an activity with a check of the daily API calls for a purpose. The purpose of bulk work is `bulk`. */
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
