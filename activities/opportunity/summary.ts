import { dueReport } from '../../src/domain/decide/report.ts';
import { reportInput } from '../../src/domain/decide/report-input.ts';
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
  /** Of each issue its code, and the field that it concerns. */
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
    issues: link.issues.map(({ code, field }) => (field === null ? code : `${code} ${field}`)),
  };
}

/** Several vendor records carried the deal's reference: whether they still do comes before anything else about it. */
export function lookForRivals(link: Link): SyncSummary {
  const next = { next: 'search-vendor', reportedMissing: false } as const;
  return summarise(link, next, 'several records carried our reference');
}
