import { AGAIN_VERDICTS } from '../../src/domain/base/base.ts';
import { overlaid } from '../../src/domain/base/recognise-echo.ts';
import { withUncertainVendorWrite } from '../../src/domain/base/uncertain-writes.ts';
import { PartnerApiError, type UpdateLeadOpportunityInput } from '../../src/partner-api/index.ts';
import type { ActivityDeps, PlanArgs } from '../support/deps.ts';
import { failure } from '../support/to-failure.ts';
import { vendorRequest } from '../support/vendor-request.ts';
import { summarise } from './record-decision.ts';
import type { SyncSummary } from './summary.ts';
import {
  isRefusal,
  loadVendorWrite,
  markSent,
  type PlannedVendorWrite,
  parkRefused,
  writeEntry,
  writeFailed,
} from './vendor-writes.ts';

/** Sends a partial update, once (sales spec 4.2). */
export function createUpdateAtVendor(deps: ActivityDeps) {
  return async function updateAtVendor(args: PlanArgs): Promise<SyncSummary> {
    const planned = await loadVendorWrite(deps, args);
    const { link, intent } = planned;
    const { vendorId } = link;
    if (vendorId === null) throw failure('BUG', 'an update of a record that has no vendor id');
    const { vendor } = deps.runtime(args.tenant);
    try {
      const answer = await vendorRequest(
        deps,
        args.tenant,
        'vendor-sales',
        (signal) =>
          vendor.updateLeadOpportunity({ ...intent.body, id: vendorId } as UpdateLeadOpportunityInput, {
            signal,
          }),
        () => noteSent(deps, planned),
      );
      return await updated(deps, planned, answer.traceId);
    } catch (error) {
      if (error instanceof PartnerApiError && error.kind === 'out-of-scope') {
        return summarise(link, 'search-vendor', {
          reason: 'the vendor does not show it',
          reportedMissing: true,
        });
      }
      if (isRefusal(error)) return parkRefused(deps, planned, error);
      return writeFailed(deps, planned, error);
    }
  };
}

/** Should the answer be lost, the next reading tells our write from an edit by what was on its way. */
async function noteSent(deps: ActivityDeps, { link, stored }: PlannedVendorWrite): Promise<void> {
  await deps.ledger.settle(link.tenant, link.key, {
    at: deps.now(),
    base: withUncertainVendorWrite(stored.plan),
  });
  await markSent(deps, stored, 'update');
}

async function updated(
  deps: ActivityDeps,
  { link, stored, intent }: PlannedVendorWrite,
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
    ...(link.vendorObservation === null
      ? {}
      : { vendorObservation: overlaid(link.vendorObservation, intent) }),
    ...(again ? {} : { doneSeq: stored.dueSeq }),
    journal: [writeEntry(stored, at, 'updated', traceId)],
  });
  return summarise(settled, 'nothing', { again, reason: 'updated at the vendor' });
}
