import { budgetWaitMs, type CallPurpose } from '../../src/domain/loop/crm-budget.ts';
import type { ActivityDeps, TenantArgs } from './deps.ts';
import { failure } from './to-failure.ts';

/**
 * Fails as THROTTLED, before anything is asked, while the tenant's share of the org's daily API calls has no room for this. `lastAt`:
 * when the same was done last, ISO; asked for where it is done seldom.
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

/** An activity that waits where the share has no room for its lane. Of a record's, one of bulk work says so by its share. */
export function withinBudget<Args extends TenantArgs & { readonly share?: number }, Result>(
  deps: ActivityDeps,
  purpose: CallPurpose,
  run: (args: Args) => Promise<Result>,
): (args: Args) => Promise<Result> {
  return async (args) => {
    await keepToBudget(deps, args.tenant, args.share === undefined ? purpose : 'bulk');
    return run(args);
  };
}
