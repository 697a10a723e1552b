import type { Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import type { Link } from '../record/link.ts';
import type { CrmImport, CrmUpdate } from '../record/plan.ts';
import { fingerprint } from '../values/fingerprint.ts';
import type { LinkChange } from './change.ts';
import { leaving, writeLine } from './journal-lines.ts';
import type { CrmWriteOutcome } from './outcome.ts';
import { labelsOf, valuesRefusedByCrm, withSaid } from './refusal-issues.ts';

/** The link change after a CRM write. `link`: the link before the write was sent. */
export function afterCrmWrite(link: Link, outcome: CrmWriteOutcome, at: string): LinkChange {
  switch (outcome.type) {
    case 'crm-write-sending':
      return { base: outcome.base, ...leaving(outcome.plan, at) };
    case 'import-taken-over':
      return { base: outcome.base };
    case 'crm-write-not-applied':
      return { base: link.base };
    case 'crm-written':
      return {
        ...applied(outcome.plan, 'written', at),
        crmRefusedFingerprint: null,
        observedGeneration: outcome.generation,
      };
    case 'imported':
      // The record stays due if a step follows, so that a worker's death before the vendor has the partner reference loses nothing.
      return {
        ...applied(outcome.plan, 'created', at),
        base: outcome.base,
        ...(outcome.isFollowed ? {} : { observedGeneration: outcome.generation }),
      };
    case 'import-found':
      return { outcome: 'found', journal: [writeLine(outcome.plan, at, 'found in the CRM')] };
    case 'import-superseded':
      return afterSuperseded(outcome, at);
    case 'crm-refused':
      return afterCrmRefusal(link, outcome, at);
  }
}

function applied(plan: CrmUpdate | CrmImport, answer: string, at: string): LinkChange {
  return {
    outcome: answer,
    state: plan.stateAfter,
    base: plan.baseAfter,
    issues: plan.issues,
    journal: [writeLine(plan, at, answer)],
  };
}

function afterSuperseded(
  { plan, generation, sameDeal }: Extract<CrmWriteOutcome, { type: 'import-superseded' }>,
  at: string,
): LinkChange {
  const journal = [writeLine(plan, at, 'created')];
  if (sameDeal) return { outcome: 'created', journal };
  return {
    outcome: 'taken by another deal',
    state: 'parked',
    issues: [ISSUES.vendorIdOfAnotherDeal()],
    observedGeneration: generation,
    journal,
  };
}

/** The link change after the CRM refused a write for good. */
export function afterCrmRefusal(
  link: Link,
  outcome: Extract<CrmWriteOutcome, { type: 'crm-refused' }>,
  at: string,
): LinkChange {
  const { plan, generation, code } = outcome;
  const answer = `refused ${code}`;
  const values = valuesRefusedByCrm(outcome);
  const change = {
    outcome: answer,
    state: 'parked',
    // A CRM update is all or none. An import may be applied in part.
    ...(isImport(plan) ? {} : { base: link.base }),
    journal: [writeLine(plan, at, answer)],
  } as const;
  if (values.length > 0) return { ...change, issues: [...plan.issues, ...values] };
  return {
    ...change,
    issues: [...plan.issues, refusal(outcome)],
    crmRefusedFingerprint: fingerprint(isImport(plan) ? plan.create : plan.write),
    observedGeneration: generation,
  };
}

function refusal(outcome: Extract<CrmWriteOutcome, { type: 'crm-refused' }>): Issue {
  const { plan, code, part, said } = outcome;
  const named = labelsOf(outcome);
  if (plan.next === 'write-crm') return withSaid(ISSUES.crmRefused(code, named), 'crm', said, named);
  const of = part?.of === 'account' || code === 'UNKNOWN_ACCOUNT_RECORD_TYPE' ? 'account' : 'opportunity';
  return withSaid(ISSUES.importRefused(plan.create.vendorId, code, named, of), 'crm', said, named);
}

function isImport(plan: CrmUpdate | CrmImport): plan is CrmImport {
  return plan.next === 'create-in-crm';
}
