import { isWriteToFollow } from '../../src/domain/evolve/after-refusal.ts';
import { isToBeConverted } from '../../src/domain/mapping/leads/lead-conversion.ts';
import { PartnerApiError, type Result, toUpdateInput } from '../../src/partner-api/index.ts';
import type { ActivityDeps, PlanArgs } from '../support/deps.ts';
import { vendorRequest } from '../support/vendor-request.ts';
import { answeredAt } from '../support/vendor-time.ts';
import { loadWrite, markSent, type PlannedWrite } from './load-write.ts';
import { noteArrival } from './note-arrival.ts';
import { settle, settleUpdate } from './settle.ts';
import { type SyncSummary, summarise } from './summary.ts';
import { vendorWriteFailed } from './vendor-writes.ts';

/** Sends a planned partial update of a vendor record, once, and returns the next step (sales spec 4.2). */
export function createUpdateAtVendor(deps: ActivityDeps) {
  return async function updateAtVendor(args: PlanArgs): Promise<SyncSummary> {
    const write = await loadWrite(deps, args, 'update-at-vendor');
    const { vendor } = deps.runtime(args.tenant);
    const body = toUpdateInput(write.plan.vendorId, write.plan.intent.body);
    try {
      const answer = await vendorRequest(
        deps,
        args.tenant,
        'vendor-sales',
        (signal) => vendor.updateLeadOpportunity(body, { signal }),
        { beforeSend: () => noteSending(deps, write), work: args.work },
      );
      const summary = await updated(deps, write, answer);
      noteArrival(deps, args, write);
      return summary;
    } catch (error) {
      if (error instanceof PartnerApiError && error.kind === 'out-of-scope')
        return summarise(write.link, { next: 'search-vendor', reportedMissing: true }, 'the vendor does not show it');
      return vendorWriteFailed(deps, write, error);
    }
  };
}

type PlannedUpdate = PlannedWrite<'update-at-vendor'>;

/** Marks the update as sent and stores its values. If the answer is lost, the values distinguish the update from a user's edit. */
async function noteSending(deps: ActivityDeps, { link, stored, plan, generation }: PlannedUpdate): Promise<void> {
  await markSent(deps, stored, 'update');
  await settle(deps, link, { type: 'update-sending', plan, generation });
}

async function updated(
  deps: ActivityDeps,
  { link, planId, plan, generation }: PlannedUpdate,
  answer: Pick<Result<unknown>, 'traceId' | 'info' | 'date'>,
): Promise<SyncSummary> {
  const { traceId } = answer;
  const updated = { type: 'updated', plan, generation, traceId, answeredAt: answeredAt(answer) } as const;
  const settled = await settleUpdate(deps, link, updated, planId);
  const { mapping } = deps.runtime(link.tenant).tenant;
  const next = isWriteToFollow(plan) || isToBeConverted(settled, mapping) ? 'plan-again' : 'nothing';
  return summarise(settled, { next }, 'updated at the vendor');
}
