import { dueReport, reportInput } from '../../src/domain/decide/report.ts';
import type { Next, Summary } from '../../src/domain/loop/step.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { LinkState } from '../../src/domain/record/link-state.ts';

/** What an activity about one record hands to its workflow. Goes into the history: ids, codes and field names only. */
export type SyncSummary = Summary & {
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly state: LinkState;
  /** Why, in the decision's words. */
  readonly reason: string;
  /** Names of the canonical fields that a write carries. */
  readonly fields: readonly string[];
  /** The code of each issue with its field, of at most 100 issues; then how many more there are. */
  readonly issues: readonly string[];
};

/** Where a record stands, and what it wants next. */
export function summarise(
  link: Link,
  next: Next,
  reason: string,
  fields: readonly string[] = [],
): SyncSummary {
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

/** A history holds this many issues of a record; the ledger holds all. */
const MOST_ISSUES = 100;

function namesOf(issues: Link['issues']): readonly string[] {
  const names = issues
    .slice(0, MOST_ISSUES)
    .map(({ code, field }) => (field === null ? code : `${code} ${field}`));
  const more = issues.length - names.length;
  return more === 0 ? names : [...names, `${more} more`];
}

/** Several vendor records carried the deal's reference: whether they still do comes before anything else about it. */
export function lookForRivals(link: Link): SyncSummary {
  const next = { next: 'search-vendor', reportedMissing: false } as const;
  return summarise(link, next, 'several records carried our reference');
}
