import { AGAIN_VERDICTS } from '../../src/domain/base/base.ts';
import { overlaid } from '../../src/domain/base/recognise-echo.ts';
import { baseInVendorDoubt } from '../../src/domain/base/uncertain-writes.ts';
import { PartnerApiError, type UpdateLeadOpportunityInput } from '../../src/partner-api/index.ts';
import type { ActivityDeps, PlanArgs } from '../support/deps.ts';
import { failure } from '../support/to-failure.ts';
import { vendorRequest } from '../support/vendor-request.ts';
import { summarise } from './record-decision.ts';
import type { SyncSummary } from './summary.ts';
import {
  type Departure,
  departureOf,
  isRefusal,
  leave,
  parkRefused,
  writeEntry,
  writeFailed,
} from './vendor-writes.ts';

/** Sends a partial update, once (sales spec 4.2). */
export function createUpdateAtVendor(deps: ActivityDeps) {
  return async function updateAtVendor(args: PlanArgs): Promise<SyncSummary> {
    const departure = await departureOf(deps, args);
    const { link, intent } = departure;
    const { vendorId } = link;
    if (vendorId === null) throw failure('BUG', 'an update of a record that has no vendor id');
    const { vendor } = deps.runtime(args.tenant);
    try {
      const answer = await vendorRequest(
        deps,
        args.tenant,
        (signal) =>
          vendor.updateLeadOpportunity({ ...intent.body, id: vendorId } as UpdateLeadOpportunityInput, {
            signal,
          }),
        () => depart(deps, departure),
      );
      return await updated(deps, departure, answer.traceId);
    } catch (error) {
      if (error instanceof PartnerApiError && error.kind === 'out-of-scope') {
        return summarise(link, 'search-vendor', { reason: 'the vendor does not show it', confirm: true });
      }
      if (isRefusal(error)) return parkRefused(deps, departure, error);
      return writeFailed(deps, departure, error);
    }
  };
}

/** Should the answer be lost, the next reading tells our write from an edit by what was on its way. */
async function depart(deps: ActivityDeps, { link, stored }: Departure): Promise<void> {
  await deps.ledger.settle(link.tenant, link.key, { at: deps.now(), base: baseInVendorDoubt(stored.plan) });
  await leave(deps, stored, 'update');
}

async function updated(
  deps: ActivityDeps,
  { link, stored, intent }: Departure,
  traceId: string | null,
): Promise<SyncSummary> {
  const at = deps.now();
  const again = stored.plan.decisions.some((item) => AGAIN_VERDICTS.has(item.verdict));
  const settled = await deps.ledger.settle(link.tenant, link.key, {
    at,
    planId: stored.id,
    outcome: 'updated',
    state: stored.plan.stateAfter,
    base: stored.plan.baseAfter,
    issues: stored.plan.issues,
    vendorUncertain: 'no',
    refusedFingerprint: null,
    ...(link.vendorSeen === null ? {} : { vendorSeen: overlaid(link.vendorSeen, intent) }),
    ...(again ? {} : { doneSeq: stored.dueSeq }),
    journal: [writeEntry(stored, at, 'updated', traceId)],
  });
  return summarise(settled, 'nothing', { again, reason: 'updated at the vendor' });
}
