import type { Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import type { Link } from '../record/link.ts';
import type { CrmImport, CrmUpdate } from '../record/plan.ts';
import { fingerprint } from '../values/fingerprint.ts';
import type { LinkChange } from './change.ts';
import { writeLine } from './journal-lines.ts';
import type { CrmWriteOutcome } from './outcome.ts';

/** What a write to the CRM does to its link. `link`: as it was before the write left. */
export function afterCrmWrite(link: Link, outcome: CrmWriteOutcome, at: string): LinkChange {
  switch (outcome.type) {
    case 'crm-write-sending':
    case 'import-taken-over':
      return { base: outcome.base };
    case 'crm-write-not-applied':
      return { base: link.base };
    case 'crm-written':
      return {
        ...applied(outcome.plan, 'written', at),
        crmRefusedFingerprint: null,
        doneSeq: outcome.dueSeq,
      };
    case 'imported':
      return { ...applied(outcome.plan, 'created', at), base: outcome.base, doneSeq: outcome.dueSeq };
    case 'import-found':
      return { outcome: 'found', journal: [writeLine(outcome.plan, at, 'found in the CRM')] };
    case 'import-superseded':
      return afterSuperseded(outcome, at);
    case 'crm-refused':
      return afterRefusal(link, outcome, at);
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
  { plan, dueSeq, sameDeal }: Extract<CrmWriteOutcome, { type: 'import-superseded' }>,
  at: string,
): LinkChange {
  const journal = [writeLine(plan, at, 'created')];
  if (sameDeal) return { outcome: 'created', journal };
  return {
    outcome: 'taken by another deal',
    state: 'parked',
    issues: [ISSUES.vendorIdOfAnotherDeal()],
    doneSeq: dueSeq,
    journal,
  };
}

function afterRefusal(
  link: Link,
  { plan, dueSeq, code, fields }: Extract<CrmWriteOutcome, { type: 'crm-refused' }>,
  at: string,
): LinkChange {
  const answer = `refused ${code}`;
  return {
    outcome: answer,
    state: 'parked',
    // An update is all or none; an import may have left a part of itself.
    ...(plan.next === 'write-crm' ? { base: link.base } : {}),
    issues: [...plan.issues, refusal(plan, code, fields)],
    crmRefusedFingerprint: fingerprint(plan.next === 'write-crm' ? plan.write : plan.create),
    doneSeq: dueSeq,
    journal: [writeLine(plan, at, answer)],
  };
}

function refusal(plan: CrmUpdate | CrmImport, code: string, fields: readonly string[]): Issue {
  return plan.next === 'write-crm'
    ? ISSUES.crmRefused(code, fields)
    : ISSUES.importRefused(plan.create.vendorId, code, fields);
}
