import { isVendorId } from '../../src/domain/record/vendor-id.ts';
import { PartnerApiError, type Result, toCreateInput } from '../../src/partner-api/index.ts';
import type { ActivityDeps, PlanArgs } from '../support/deps.ts';
import { vendorRequest } from '../support/vendor-request.ts';
import { answeredAt } from '../support/vendor-time.ts';
import { loadWrite, markSent, type PlannedWrite } from './load-write.ts';
import { noteArrival } from './note-arrival.ts';
import { settle } from './settle.ts';
import { type SyncSummary, summarise } from './summary.ts';
import { supersededBy } from './superseded.ts';
import { vendorWriteFailed } from './vendor-writes.ts';

/**
 * Creates a record at the vendor with one request. If the answer of an earlier create was lost, a search by partner reference (the CRM's
 * record id, stored at the vendor) must come before this create. If the vendor already has a record with the reference (ERR801), Lockstep
 * links that record instead (sales spec 2.1, 7).
 */
export function createCreateAtVendor(deps: ActivityDeps) {
  return async function createAtVendor(args: PlanArgs): Promise<SyncSummary> {
    const write = await loadWrite(deps, args, 'create-at-vendor');
    const { vendor } = deps.runtime(args.tenant);
    const body = toCreateInput(write.plan.intent.body);
    try {
      const answer = await vendorRequest(
        deps,
        args.tenant,
        'vendor-sales',
        (signal) => vendor.createLeadOpportunity(body, { signal }),
        { beforeSend: () => noteSending(deps, write), work: args.work },
      );
      const { dsLeadOpportunityId: vendorId } = answer.data;
      if (!isVendorId(vendorId)) return vendorWriteFailed(deps, write, unusableId());
      const summary = await created(deps, write, vendorId, answer);
      noteArrival(deps, args, write);
      return summary;
    } catch (error) {
      if (error instanceof PartnerApiError && error.kind === 'duplicate') return adoptLater(deps, write, error.traceId);
      return vendorWriteFailed(deps, write, error);
    }
  };
}

/**
 * The error for a create whose answer has no usable id. The record may exist, so the workflow searches for it by partner reference before
 * another create.
 */
function unusableId(): PartnerApiError {
  const endpoint = {
    operation: 'createLeadOpportunity',
    domain: 'sales',
    method: 'POST',
    template: '',
  } as const;
  return new PartnerApiError({ ...endpoint, kind: 'protocol', sent: 'unknown', code: 'UNUSABLE_ID' });
}

type PlannedCreate = PlannedWrite<'create-at-vendor'>;

/**
 * Marks a create as sent, before the request. If the link (the stored pair of CRM record and vendor record) has no base (last agreed
 * values) yet, also stores the create's values as its base, because the vendor may have the record even if the answer is lost.
 */
async function noteSending(deps: ActivityDeps, { link, stored, plan, generation }: PlannedCreate): Promise<void> {
  await markSent(deps, stored, 'create');
  if (link.base === null) await settle(deps, link, { type: 'create-sending', plan, generation });
}

async function created(
  deps: ActivityDeps,
  { link, planId, plan, generation }: PlannedCreate,
  vendorId: string,
  answer: Pick<Result<unknown>, 'traceId' | 'info' | 'date'>,
): Promise<SyncSummary> {
  const ids = link.crmId === null ? { vendorId } : { crmId: link.crmId, vendorId };
  const resolved = await deps.ledger.resolveLink(link.tenant, ids, deps.now());
  const created = {
    type: 'created',
    plan,
    generation,
    traceId: answer.traceId,
    answeredAt: answeredAt(answer),
  } as const;
  if (resolved.link.key !== link.key) {
    // The deal has moved to another link since, for example because its lead was converted. That link has newer agreed values.
    const present = await settle(deps, link, created, planId);
    return supersededBy(deps, link.tenant, present.key, present);
  }
  const settled = await settle(deps, resolved.link, created, planId);
  return summarise(settled, { next: 'nothing' }, 'created at the vendor');
}

/**
 * Handles ERR801: the vendor already has a record with this partner reference (the CRM's record id, stored at the vendor). Stores this
 * outcome, and returns a search for the existing record as the next step.
 */
async function adoptLater(
  deps: ActivityDeps,
  { link, planId, plan, generation }: PlannedCreate,
  traceId: string | null,
): Promise<SyncSummary> {
  const settled = await settle(deps, link, { type: 'create-duplicate', plan, generation, traceId }, planId);
  return summarise(settled, { next: 'search-vendor', reportedMissing: false }, 'ERR801: the reference exists');
}
