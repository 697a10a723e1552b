import { comparedAfterRestore } from '../base/after-ledger-restore.ts';
import { withInDoubtVendorWrite, withLateArrival } from '../base/in-doubt-writes.ts';
import { withAnswer } from '../base/next-base.ts';
import { optimistic } from '../base/recognise-echo.ts';
import type { Base } from '../record/base.ts';
import type { Link } from '../record/link.ts';
import { isWriteToFollow, notApplied } from './after-refusal.ts';
import type { LinkChange } from './change.ts';
import { applied, leaving, writeLine } from './journal-lines.ts';
import type { Outcome, VendorWriteOutcome } from './outcome.ts';

/**
 * How the outcome of a write to the vendor changes the link (pair of CRM record and vendor record, with its state). `link`: the link before
 * the write was sent. `at`: the present time, ISO.
 */
export function afterVendorWrite(
  link: Link,
  outcome: Exclude<VendorWriteOutcome, { type: 'vendor-refused' }>,
  at: string,
): LinkChange {
  switch (outcome.type) {
    case 'create-sending':
      // The base of the first lost create is kept. If a later create is refused as a duplicate, the first was applied.
      return link.base === null ? { base: outcome.plan.baseAfter } : {};
    case 'update-sending':
      return { base: withInDoubtVendorWrite(outcome.plan, at), ...leaving(outcome.plan, at) };
    case 'created': {
      const { base, ...change } = afterApplied(outcome, at);
      return { ...change, base: comparedAfterRestore(base, link), adoptingSince: null };
    }
    case 'updated': {
      const shown = link.vendorObservation && optimistic(link.vendorObservation, outcome.plan.intent);
      return { ...afterApplied(outcome, at), ...(shown === null ? {} : { vendorObservation: shown }) };
    }
    case 'create-duplicate':
      return {
        ...notApplied(link, outcome.plan),
        outcome: 'duplicate ERR801',
        state: 'pending',
        adoptingSince: link.adoptingSince ?? at,
        journal: [writeLine(outcome.plan, at, 'duplicate ERR801', outcome.traceId)],
      };
    case 'vendor-write-failed':
      return { outcome: outcome.what, ...(outcome.applied === 'no' ? notApplied(link, outcome.plan) : {}) };
  }
}

/**
 * The change of a link (pair of CRM record and vendor record, with its state) after a vendor update that ended late. This worker had
 * stalled, and another worker had meanwhile stored a newer plan. The late update may have overwritten newer values, so it counts as a write
 * in doubt (without an answer). The newer plan is cancelled, so that Lockstep decides again. Null if the vendor surely did not apply the
 * update, or if the write was no update.
 */
export function afterLateVendorWrite({ base }: Link, outcome: Outcome, at: string): LinkChange | null {
  const mayHaveArrived = outcome.type === 'updated' || ('applied' in outcome && outcome.applied === 'unknown');
  if (base === null || !mayHaveArrived || outcome.plan.next !== 'update-at-vendor') return null;
  return { base: withLateArrival(base, outcome.plan, at), plansNothing: true };
}

type Applied = Extract<VendorWriteOutcome, { type: 'created' | 'updated' }>;

function afterApplied(
  { plan, generation, type, traceId, answeredAt }: Applied,
  at: string,
): LinkChange & { readonly base: Base } {
  return {
    ...applied(plan, at, type, traceId),
    base: withAnswer(plan.baseAfter, answeredAt),
    vendorInDoubt: 'no',
    ...(isWriteToFollow(plan) ? {} : { observedGeneration: generation }),
  };
}
