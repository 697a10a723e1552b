import { ISSUES } from '../record/issues.ts';
import type { Link } from '../record/link.ts';
import type { LinkChange } from './change.ts';
import { applied, leaving, writeLine } from './journal-lines.ts';
import type { CrmWriteOutcome } from './outcome.ts';

/** How a CRM write changes the link. `link`: the link before the write was sent. */
export function afterCrmWrite(
  link: Link,
  outcome: Exclude<CrmWriteOutcome, { type: 'crm-refused' }>,
  at: string,
): LinkChange {
  switch (outcome.type) {
    case 'crm-write-sending':
      return { base: outcome.base, ...leaving(outcome.plan, at) };
    case 'import-taken-over':
      return { base: outcome.base };
    case 'crm-write-not-applied':
      return { base: link.base };
    case 'crm-written':
      return {
        ...applied(outcome.plan, at, 'written'),
        observedGeneration: outcome.generation,
      };
    case 'imported':
      // The record stays due if a step follows, so that a worker's death before the vendor has the partner reference loses nothing.
      return {
        ...applied(outcome.plan, at, 'created'),
        base: outcome.base,
        ...(outcome.isFollowed ? {} : { observedGeneration: outcome.generation }),
      };
    case 'import-found':
      return { outcome: 'found', base: outcome.base, journal: [writeLine(outcome.plan, at, 'found in the CRM')] };
    case 'import-superseded':
      return afterSuperseded(outcome, at);
  }
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
