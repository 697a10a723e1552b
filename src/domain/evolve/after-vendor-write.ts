import { withInDoubtVendorWrite, withLateArrival } from '../base/in-doubt-writes.ts';
import { withAnswer } from '../base/next-base.ts';
import { optimistic } from '../base/recognise-echo.ts';
import { vendorWritePayload } from '../decide/withheld.ts';
import { AGAIN_VERDICTS } from '../record/field-decision.ts';
import { inOrgWords } from '../record/field-labels.ts';
import { ISSUES } from '../record/issues.ts';
import type { Link } from '../record/link.ts';
import type { VendorWrite } from '../record/plan.ts';
import { fingerprint } from '../values/fingerprint.ts';
import type { LinkChange } from './change.ts';
import { leaving, writeLine } from './journal-lines.ts';
import type { Outcome, VendorWriteOutcome } from './outcome.ts';
import { valuesRefusedByVendor, withSaid } from './refusal-issues.ts';

/** The link change after a vendor write. `link`: the link before the write was sent. */
export function afterVendorWrite(link: Link, outcome: VendorWriteOutcome, at: string): LinkChange {
  switch (outcome.type) {
    case 'create-sending':
      // The base of the first lost create is kept. If a later create is refused as a duplicate, the first was applied.
      return link.base === null ? { base: outcome.plan.baseAfter } : {};
    case 'update-sending':
      return { base: withInDoubtVendorWrite(outcome.plan, at), ...leaving(outcome.plan, at) };
    case 'created':
      return {
        ...applied(outcome, at, 'created'),
        base: withAnswer(outcome.plan.baseAfter, outcome.answeredAt),
        adoptingSince: null,
      };
    case 'updated':
      return afterUpdate(link, outcome, at);
    case 'create-duplicate':
      return {
        ...asBefore(link),
        outcome: 'duplicate ERR801',
        state: 'pending',
        adoptingSince: link.adoptingSince ?? at,
        journal: [writeLine(outcome.plan, at, 'duplicate ERR801', outcome.traceId)],
      };
    case 'vendor-refused':
      return afterVendorRefusal(link, outcome, at);
    case 'vendor-write-failed':
      return { outcome: outcome.what, ...(outcome.applied === 'no' ? asBefore(link) : {}) };
  }
}

/**
 * The link change after a stalled worker's vendor update, if another writer has planned since. The update may have overwritten newer
 * values, so it becomes a write in doubt, and the other writer's plan becomes invalid. Null if the update changed nothing.
 */
export function afterLateVendorWrite({ base }: Link, outcome: Outcome, at: string): LinkChange | null {
  const mayHaveArrived =
    outcome.type === 'updated' || (outcome.type === 'vendor-write-failed' && outcome.applied === 'unknown');
  if (base === null || !mayHaveArrived || outcome.plan.next !== 'update-at-vendor') return null;
  return { base: withLateArrival(base, outcome.plan, at), plansNothing: true };
}

/** Whether another write follows: the CRM's half of a merge, or a list that was only cleared. */
export function isWriteToFollow({ decisions }: Pick<VendorWrite, 'decisions'>): boolean {
  return decisions.some((item) => AGAIN_VERDICTS.has(item.verdict));
}

type Applied = Extract<VendorWriteOutcome, { type: 'created' | 'updated' }>;

function applied({ plan, generation, traceId }: Applied, at: string, answer: string): LinkChange {
  return {
    outcome: answer,
    state: plan.stateAfter,
    base: plan.baseAfter,
    issues: plan.issues,
    vendorInDoubt: 'no',
    refusedFingerprint: null,
    observedGeneration: generation,
    journal: [writeLine(plan, at, answer, traceId)],
  };
}

function afterUpdate(
  { vendorObservation }: Link,
  outcome: Extract<Applied, { type: 'updated' }>,
  at: string,
): LinkChange {
  const { observedGeneration, ...change } = applied(outcome, at, 'updated');
  return {
    ...change,
    base: withAnswer(outcome.plan.baseAfter, outcome.answeredAt),
    ...(vendorObservation === null ? {} : { vendorObservation: optimistic(vendorObservation, outcome.plan.intent) }),
    ...(isWriteToFollow(outcome.plan) || observedGeneration === undefined ? {} : { observedGeneration }),
  };
}

/** The link change after the vendor refused a write for good. */
export function afterVendorRefusal(
  link: Link,
  outcome: Extract<VendorWriteOutcome, { type: 'vendor-refused' }>,
  at: string,
): LinkChange {
  const { plan, generation, code, fields, named, traceId, said, labels = {} } = outcome;
  const answer = `refused ${code}`;
  const values = valuesRefusedByVendor(outcome);
  const change = {
    ...asBefore(link),
    outcome: answer,
    state: 'parked',
    journal: [writeLine(plan, at, answer, traceId)],
  } as const;
  if (values.length > 0) return { ...change, issues: [...plan.issues, ...values] };
  const refusal = ISSUES.vendorRefused(code, fields.length > 0 ? fields : named);
  return {
    ...change,
    issues: [...plan.issues, ...inOrgWords([withSaid(refusal, 'vendor', said)], plan.baseAfter, labels)],
    refusedFingerprint: fingerprint(vendorWritePayload(plan)),
    ...(isWriteToFollow(plan) ? {} : { observedGeneration: generation }),
  };
}

/** Removes the write from the writes in doubt, because it surely was not applied. Earlier writes in doubt stay. */
function asBefore({ vendorInDoubt, base }: Link): LinkChange {
  return { vendorInDoubt, base };
}
