import { baseAfterRestore } from '../base/after-restore.ts';
import type { Base } from '../record/base.ts';
import { isOfRivals } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import type { Link } from '../record/link.ts';
import type { VendorObservation } from '../record/observation.ts';
import { highestKnownVersion } from '../record/versions.ts';
import { afterCrmWrite } from './after-crm-write.ts';
import { afterReport } from './after-report.ts';
import { afterVendorWrite } from './after-vendor-write.ts';
import { afterWait } from './after-wait.ts';
import type { LinkChange } from './change.ts';
import { adoptionLine, decisionLine, stateLine } from './journal-lines.ts';
import { maybeReported } from './maybe-reported.ts';
import type { ObservationOutcome, Outcome, SearchOutcome } from './outcome.ts';
import { retryAfter } from './retries.ts';

/**
 * What an outcome does to a link: state, base, issues, marks, journal. The other half of `decide`: activities fetch,
 * call, and hand the outcome to this. Pure.
 *
 * @param link as it was when the work began; for a write, before the write left.
 * @param at the present instant, ISO.
 */
export function evolve(link: Link, outcome: Outcome, at: string): LinkChange {
  const change = changeBy(link, outcome, at);
  return { ...change, ...maybeReported(link, change), ...retryAfter(link, change, at) };
}

function changeBy(link: Link, outcome: Outcome, at: string): LinkChange {
  switch (outcome.type) {
    case 'vendor-read':
    case 'vendor-echoed':
    case 'restored-at-vendor':
    case 'decided':
      return afterObservation(link, outcome, at);
    case 'adopted':
    case 'create-not-applied':
    case 'adoption-parked':
    case 'match-parked':
    case 'rival-found':
    case 'rivals-gone':
      return afterSearch(link, outcome, at);
    case 'create-sending':
    case 'created':
    case 'create-duplicate':
    case 'update-sending':
    case 'updated':
    case 'vendor-refused':
    case 'vendor-write-failed':
      return afterVendorWrite(link, outcome, at);
    case 'crm-write-sending':
    case 'crm-written':
    case 'crm-write-not-applied':
    case 'crm-refused':
    case 'imported':
    case 'import-found':
    case 'import-superseded':
    case 'import-taken-over':
      return afterCrmWrite(link, outcome, at);
    case 'unanswered':
    case 'refused-for-now':
    case 'set-aside':
      return afterWait(link, outcome, at);
    case 'reporting':
    case 'reported':
    case 'owned-changed':
    case 'separated-id-shown':
    case 'vendor-id-told':
      return afterReport(link, outcome, at);
  }
}

function afterObservation(link: Link, outcome: ObservationOutcome, at: string): LinkChange {
  switch (outcome.type) {
    case 'vendor-read':
      return {
        vendorObservation: outcome.observation,
        vendorReadGeneration: link.generation,
        vendorInDoubt: 'no',
        adoptingSince: null,
        ...(isOfAnother(link, outcome.observation) ? { base: null } : {}),
      };
    case 'vendor-echoed':
      return { base: outcome.base, observedGeneration: link.generation, journal: [echoLine(at)] };
    case 'restored-at-vendor':
      return link.base === null
        ? {}
        : {
            base: baseAfterRestore(link.base),
            plansNothing: true,
            journal: [stateLine(link.state, outcome.type, at)],
          };
    case 'decided':
      return afterDecision(link, outcome, at);
  }
}

/** What we may have created is not this record: a person has made it, so that nothing is agreed on yet. */
function isOfAnother({ vendorInDoubt, base }: Link, { isReferenceEntered }: VendorObservation): boolean {
  return isReferenceEntered === true && (vendorInDoubt === 'create' || isOfLostCreation(base));
}

/** Whether a base rests on nothing but a creation without an answer, of which a search may have told that it was not applied. */
function isOfLostCreation(base: Base | null): boolean {
  return (
    base !== null &&
    base.basedOn?.version === null &&
    base.basedOn.answeredAt === undefined &&
    highestKnownVersion(base) === null
  );
}

function echoLine(at: string): NonNullable<LinkChange['journal']>[number] {
  const summary = { trigger: 'vendor', next: 'nothing', reason: 'echo' };
  return { at, kind: 'decision', summary, decisions: [] };
}

function afterDecision(
  link: Link,
  { plan, generation, trigger, searched }: Extract<ObservationOutcome, { type: 'decided' }>,
  at: string,
): LinkChange {
  const isNews = plan.decisions.length > 0 || plan.stateAfter !== link.state;
  return {
    state: plan.stateAfter,
    issues: plan.issues,
    observedGeneration: generation,
    plansNothing: true,
    // What a search does not show has been looked for as thoroughly as a reading can.
    ...(searched === true ? { adoptingSince: null, vendorReadGeneration: generation } : {}),
    ...(plan.next === 'nothing' ? { base: plan.baseAfter } : {}),
    ...(isNews ? { journal: [decisionLine(plan, trigger, at)] } : {}),
  };
}

const BY_REFERENCE = 'partnerLeadOpportunityId';

/** Whether several vendor records carried the deal's reference when it was looked at last. */
export function hasRivals({ issues }: Link): boolean {
  return issues.some(isOfRivals);
}

function afterSearch({ generation, issues, state }: Link, outcome: SearchOutcome, at: string): LinkChange {
  switch (outcome.type) {
    case 'adopted': {
      const { vendorId, uncertain } = outcome;
      const line = adoptionLine(at, { matchedOn: BY_REFERENCE, candidates: 1, vendorId, uncertain });
      return { adoptingSince: null, journal: [line] };
    }
    case 'create-not-applied':
      return { vendorInDoubt: 'no' };
    case 'adoption-parked':
      return {
        state: 'parked',
        issues: [outcome.issue],
        adoptingSince: null,
        vendorReadGeneration: generation,
        observedGeneration: generation,
        journal: [adoptionLine(at, { matchedOn: BY_REFERENCE, outcome: outcome.issue.code })],
      };
    case 'rival-found':
      if (state === 'detached') return { issues: [ISSUES.referenceRepeated()], plansNothing: true };
      // What was decided before does not leave, and does not say that all is well.
      return { state: 'parked', issues: [outcome.issue], plansNothing: true };
    case 'rivals-gone':
      return { issues: issues.filter((issue) => !isOfRivals(issue)) };
    case 'match-parked': {
      const { issue, matchedOn, candidates } = outcome;
      const line = adoptionLine(at, { matchedOn, candidates, outcome: issue.code });
      return { state: 'parked', issues: [issue], observedGeneration: generation, journal: [line] };
    }
  }
}
