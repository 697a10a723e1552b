import { comparedAfterRestore } from '../base/after-ledger-restore.ts';
import { ISSUES } from '../record/issues.ts';
import type { Link } from '../record/link.ts';
import type { LinkChange } from './change.ts';
import { applied, leaving, writeLine } from './journal-lines.ts';
import type { CrmWriteOutcome } from './outcome.ts';

/**
 * How the outcome of a write to the CRM changes the link (pair of CRM record and vendor record, with its state). `link`: the link before
 * the write was sent. `at`: the present time, ISO.
 */
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
      // If another step follows, the record stays due (not completely synced). So if this worker dies before the vendor
      // has the partner reference, another worker continues.
      return {
        ...applied(outcome.plan, at, 'created'),
        base: comparedAfterRestore(outcome.base, link),
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
