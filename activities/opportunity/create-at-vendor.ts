import { type CreateLeadOpportunityInput, PartnerApiError } from '../../src/partner-api/index.ts';
import type { ActivityDeps, PlanArgs } from '../support/deps.ts';
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

/**
 * Creates a record at the vendor, once. The partner reference makes it repeatable: a create that may have been
 * applied is looked for before it is sent again, and ERR801 leads to adoption (sales spec 2.1, 7).
 */
export function createCreateAtVendor(deps: ActivityDeps) {
  return async function createAtVendor(args: PlanArgs): Promise<SyncSummary> {
    const planned = await loadVendorWrite(deps, args);
    const { stored, intent } = planned;
    const { vendor } = deps.runtime(args.tenant);
    try {
      const answer = await vendorRequest(
        deps,
        args.tenant,
        'vendor-sales',
        (signal) => vendor.createLeadOpportunity(intent.body as CreateLeadOpportunityInput, { signal }),
        () => noteSent(deps, planned),
      );
      return await created(deps, planned, answer.data.dsLeadOpportunityId, answer.traceId);
    } catch (error) {
      if (error instanceof PartnerApiError && error.kind === 'duplicate')
        return adoptLater(deps, planned, error);
      if (isRefusal(error)) return parkRefused(deps, planned, error);
      return writeFailed(deps, { ...planned, stored }, error);
    }
  };
}

/**
 * The intent is what both sides agree on should this create be applied and its answer lost. The first lost one keeps
 * that place: when a later create is refused as a duplicate, it was the first that was applied. It is noted once the
 * create may markSent, never on a link that was matched to a vendor record meanwhile: they have agreed on nothing yet.
 */
async function noteSent(deps: ActivityDeps, { link, stored }: PlannedVendorWrite): Promise<void> {
  await markSent(deps, stored, 'create');
  if (link.base === null) {
    await deps.ledger.settle(link.tenant, link.key, { at: deps.now(), base: stored.plan.baseAfter });
  }
}

async function created(
  deps: ActivityDeps,
  { link, stored }: PlannedVendorWrite,
  vendorId: string,
  traceId: string | null,
): Promise<SyncSummary> {
  const at = deps.now();
  const ids = link.crmId === null ? { vendorId } : { crmId: link.crmId, vendorId };
  const resolved = await deps.ledger.resolveLink(link.tenant, ids, at);
  const settled = await deps.ledger.settle(link.tenant, resolved.link.key, {
    at,
    planId: stored.id,
    outcome: 'created',
    state: stored.plan.stateAfter,
    base: stored.plan.baseAfter,
    issues: stored.plan.issues,
    vendorUncertain: 'no',
    adoptingSince: null,
    refusedFingerprint: null,
    doneSeq: stored.dueSeq,
    journal: [writeEntry(stored, at, 'created', traceId)],
  });
  return summarise(settled, 'nothing', { reason: 'created at the vendor' });
}

/** ERR801: the reference exists. Only an earlier create of ours, whose answer was lost, has left a common base. */
async function adoptLater(
  deps: ActivityDeps,
  { link, stored }: PlannedVendorWrite,
  error: PartnerApiError,
): Promise<SyncSummary> {
  const at = deps.now();
  const settled = await deps.ledger.settle(link.tenant, link.key, {
    at,
    planId: stored.id,
    outcome: 'duplicate ERR801',
    state: 'pending',
    adoptingSince: link.adoptingSince ?? at,
    vendorUncertain: link.vendorUncertain,
    base: link.base,
    journal: [writeEntry(stored, at, 'duplicate ERR801', error.traceId)],
  });
  return summarise(settled, 'search-vendor', { reason: 'ERR801: the reference exists' });
}
