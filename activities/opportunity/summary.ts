import { dueReport, reportInput } from '../../src/domain/decide/report.ts';
import type { Next, Summary } from '../../src/domain/loop/step.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { LinkState } from '../../src/domain/record/link-state.ts';

/**
 * The result that a record's activity returns to its workflow. Temporal's history stores it, so it contains only ids, codes and field
 * names.
 */
export type SyncSummary = Summary & {
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly state: LinkState;
  /** The reason for the decision, in words. */
  readonly reason: string;
  /**
   * Names of the fields that a write sends, as in the canonical record. This is the common form of a deal into which Lockstep translates
   * the CRM's record and the vendor's record before it compares them.
   */
  readonly fields: readonly string[];
  /** Code and field of each issue (reason why a record or a change waits), at most 100, followed by the number of further issues. */
  readonly issues: readonly string[];
};

/** Makes the summary of a step: the record's status and the next step. */
export function summarise(link: Link, next: Next, reason: string, fields: readonly string[] = []): SyncSummary {
  return {
    ...next,
    reportDue: dueReport(reportInput(link)) !== null,
    crmId: link.crmId,
    vendorId: link.vendorId,
    state: link.state,
    reason,
    fields,
    issues: namesOf(link.issues),
  };
}

/**
 * How many issues (reasons why a record or a change waits) a summary contains at most. The ledger (Lockstep's database) has all of them.
 */
const MOST_ISSUES = 100;

function namesOf(issues: Link['issues']): readonly string[] {
  const names = issues.slice(0, MOST_ISSUES).map(({ code, field }) => (field === null ? code : `${code} ${field}`));
  const more = issues.length - names.length;
  return more === 0 ? names : [...names, `${more} more`];
}

/**
 * The summary for a deal for which a search found several vendor records with its partner reference. The next step searches again, to check
 * whether there are still several.
 */
export function lookForRivals(link: Link): SyncSummary {
  const next = { next: 'search-vendor', reportedMissing: false } as const;
  return summarise(link, next, 'several records carried our reference');
}
