import { baseAfterRestore } from '../base/after-restore.ts';
import type { Base } from '../record/base.ts';
import { isOfRivals } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import type { Link } from '../record/link.ts';
import type { VendorObservation } from '../record/observation.ts';
import { highestKnownVersion } from '../record/versions.ts';
import { afterCrmWrite } from './after-crm-write.ts';
import { afterRefusal } from './after-refusal.ts';
import { afterReport } from './after-report.ts';
import { afterVendorWrite } from './after-vendor-write.ts';
import { afterRefusedForNow, afterSetAside } from './after-wait.ts';
import type { LinkChange } from './change.ts';
import { dealNews } from './deal-news.ts';
import { adoptionLine, decisionLine, stateLine } from './journal-lines.ts';
import { maybeReported } from './maybe-reported.ts';
import type {
  ClaimOutcome,
  LeadEditsOutcome,
  LeadImportOutcome,
  ObservationOutcome,
  Outcome,
  SearchOutcome,
} from './outcome.ts';
import { afterSilence, retryAfter } from './retries.ts';
import { seenWrites } from './written.ts';

/**
 * Computes how the outcome of a step changes a link (pair of CRM record and vendor record): its state, last agreed values, issues and
 * journal (log of decisions), and whether it must still be synced. `decide` chooses the steps, and `evolve` computes what their outcomes
 * change. Pure.
 * @param link the link when the work began; for a write, before it was sent.
 * @param at the present time, ISO.
 */
export function evolve(link: Link, outcome: Outcome, at: string): LinkChange {
  const change = (AFTER[outcome.type] as After<Outcome>)(link, outcome, at);
  const news = dealNews(link, change);
  const seen = seenWrites(link.base, change.base, outcome.type, at);
  return {
    ...change,
    ...(seen.length === 0 ? {} : { journal: [...seen, ...(change.journal ?? [])] }),
    ...maybeReported(link, change),
    ...retryAfter(link, change, at),
    ...(news === null ? {} : { news }),
  };
}

type After<O> = (link: Link, outcome: O, at: string) => LinkChange;

const AFTER: { readonly [T in Outcome['type']]: After<Extract<Outcome, { readonly type: T }>> } = {
  'vendor-read': afterObservation,
  'vendor-echoed': afterObservation,
  'restored-at-vendor': afterObservation,
  decided: afterDecision,
  adopted: afterSearch,
  'create-not-applied': afterSearch,
  'adoption-parked': afterSearch,
  'match-parked': afterSearch,
  'left-on-lead': afterLeadEdits,
  'lead-imported': afterLeadImport,
  'rival-found': afterSearch,
  'rivals-gone': afterSearch,
  'claim-judged': afterClaim,
  'create-sending': afterVendorWrite,
  created: afterVendorWrite,
  'create-duplicate': afterVendorWrite,
  'update-sending': afterVendorWrite,
  updated: afterVendorWrite,
  'vendor-write-failed': afterVendorWrite,
  'vendor-refused': afterRefusal,
  'crm-refused': afterRefusal,
  'crm-write-sending': afterCrmWrite,
  'crm-written': afterCrmWrite,
  'crm-write-not-applied': afterCrmWrite,
  imported: afterCrmWrite,
  'import-found': afterCrmWrite,
  'import-superseded': afterCrmWrite,
  'import-taken-over': afterCrmWrite,
  unanswered: afterSilence,
  'refused-for-now': afterRefusedForNow,
  'set-aside': afterSetAside,
  reporting: afterReport,
  reported: afterReport,
  'owned-changed': afterReport,
  'separated-id-shown': afterReport,
  'vendor-id-reported': afterReport,
};

function afterObservation(
  link: Link,
  outcome: Exclude<ObservationOutcome, { type: 'decided' }>,
  at: string,
): LinkChange {
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
  }
}

/**
 * Whether a user entered the partner reference (the CRM record's id) in this vendor record, while Lockstep does not know whether its own
 * create was applied. The vendor record then does not come from that create.
 */
function isOfAnother({ vendorInDoubt, base }: Link, { isReferenceEntered }: VendorObservation): boolean {
  return isReferenceEntered === true && (vendorInDoubt === 'create' || isOfLostCreation(base));
}

/**
 * Whether the base (last agreed values) contains only the values of a create whose answer was lost. The base is then wrong if it turns out
 * that the create was not applied.
 */
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
    // A search shows as much as a read would, so the vendor's record need not be read.
    ...(searched === true ? { adoptingSince: null, vendorReadGeneration: generation } : {}),
    ...(plan.next === 'nothing' ? { base: plan.baseAfter } : {}),
    ...(isNews ? { journal: [decisionLine(plan, trigger, at)] } : {}),
  };
}

const BY_REFERENCE = 'partnerLeadOpportunityId';
const BY_ENTRY = 'Vendor_Id__c';

/** Whether the last search found several vendor records with the deal's partner reference (the CRM record's id). */
export function hasRivals({ issues }: Link): boolean {
  return issues.some(isOfRivals);
}

function afterSearch(
  { generation, issues, state, adoptingSince }: Link,
  outcome: SearchOutcome,
  at: string,
): LinkChange {
  switch (outcome.type) {
    case 'adopted': {
      const { vendorId, uncertain } = outcome;
      const line = adoptionLine(at, {
        matchedOn: BY_REFERENCE,
        candidates: 1,
        vendorId,
        uncertain,
        ...(adoptingSince === null ? {} : { afterCreate: true }),
      });
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
      // No earlier plan may be sent, and the link must not be `in-sync`, because a person has to decide.
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

function afterLeadEdits({ base }: Link, { refused }: LeadEditsOutcome): LinkChange {
  if (base?.leftOnLead === undefined) return {};
  const { leftOnLead, ...rest } = base;
  return { base: refused === null ? rest : { ...rest, leftOnLead: { ...leftOnLead, ...refused } } };
}

function afterLeadImport(_: Link, { base }: LeadImportOutcome): LinkChange {
  return { base, plansNothing: true };
}

function afterClaim(_: Link, { refused }: ClaimOutcome, at: string): LinkChange {
  if (refused === null) return { refusedClaim: null };
  const { vendorId, refusal } = refused;
  return {
    refusedClaim: refused,
    journal: [adoptionLine(at, { matchedOn: BY_ENTRY, vendorId, outcome: refusal })],
  };
}
