import type { IssueCode } from '../../domain/record/issue.ts';
import type { FieldWay, PlannedAction, PlannedRecord } from './planned-record.ts';

/** The numbers of planned records by action, and of fields by the direction in which they would be written. */
export type PlanTotals = {
  readonly records: number;
  readonly actions: Readonly<Partial<Record<PlannedAction, number>>>;
  readonly linkBy: Readonly<Record<string, number>>;
  /**
   * How many vendor records must first be matched with opportunities, because they are not linked yet. `byKeys`: how many of these are not
   * matched by an opportunity's id in the vendor record. For them, the CRM is searched by the tenant's matching keys (such as customer and
   * name).
   */
  readonly matched: { readonly records: number; readonly byKeys: number };
  readonly fields: Readonly<Partial<Record<FieldWay, number>>>;
  readonly issues: Readonly<Partial<Record<IssueCode, number>>>;
};

export const NO_RECORDS: PlanTotals = {
  ...{ records: 0, actions: {}, linkBy: {}, fields: {}, issues: {} },
  matched: { records: 0, byKeys: 0 },
};

/** Adds one planned record to the totals. Keeps only counts. Pure. */
export function counted(totals: PlanTotals, record: PlannedRecord): PlanTotals {
  const codes = new Set(record.issues.map(({ code }) => code));
  return {
    records: totals.records + 1,
    actions: plus(totals.actions, [record.action]),
    linkBy: plus(totals.linkBy, record.linkBy === null ? [] : [record.linkBy]),
    matched: {
      records: totals.matched.records + (isMatched(record) ? 1 : 0),
      byKeys: totals.matched.byKeys + (isMatched(record) && record.linkBy !== 'reference' ? 1 : 0),
    },
    fields: plus(
      totals.fields,
      record.fields.map(({ way }) => way),
    ),
    issues: plus(totals.issues, [...codes]),
  };
}

/**
 * Whether the planned record contains a vendor record that is not linked yet. A sync must first search for the opportunity to which it
 * belongs.
 */
function isMatched({ vendorId, crmId, linkBy }: PlannedRecord): boolean {
  return vendorId !== null && (crmId === null || linkBy !== null);
}

function plus<Name extends string>(
  counts: Readonly<Partial<Record<Name, number>>>,
  names: readonly Name[],
): Readonly<Partial<Record<Name, number>>> {
  if (names.length === 0) return counts;
  const next: Partial<Record<Name, number>> = { ...counts };
  for (const name of names) next[name] = (next[name] ?? 0) + 1;
  return next;
}
