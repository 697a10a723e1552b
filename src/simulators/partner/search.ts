import { isIsoDateTime } from './dates.ts';
import type { LeadOpportunity } from './lead-opportunity.ts';
import { accepted, type Checked, PROBLEMS, refused, sandboxInvalid } from './problem.ts';

type Criterion = (record: LeadOpportunity) => boolean;

/**
 * The criteria of a search body (sales spec 4.4), all of which a record must meet. ERROR_043 when a modified
 * period lacks a bound, has one that is no date-time, or ends before it begins. Unknown criteria are ignored,
 * but one of the two known kinds must be there.
 */
export function readCriteria(body: unknown): Checked<readonly Criterion[]> {
  const list = isObject(body) ? body['data'] : undefined;
  if (!Array.isArray(list)) return refused(sandboxInvalid('data: must be an array of criteria.'));
  const criteria: Criterion[] = [];
  for (const entry of list) {
    const read = readEntry(entry);
    if (!read.ok) return read;
    criteria.push(...read.value);
  }
  if (criteria.length > 0) return accepted(criteria);
  return refused(sandboxInvalid('data: give modifiedDate, partnerLeadOpportunityId or both.'));
}

function readEntry(entry: unknown): Checked<readonly Criterion[]> {
  if (!isObject(entry)) return refused(sandboxInvalid('data: a criterion must be an object.'));
  const period = entry['modifiedDate'] === undefined ? accepted([]) : readPeriod(entry['modifiedDate']);
  if (!period.ok) return period;
  const wanted = entry['partnerLeadOpportunityId'];
  const ids = wanted === undefined ? accepted([]) : readIds(wanted);
  return ids.ok ? accepted([...period.value, ...ids.value]) : ids;
}

function readPeriod(period: unknown): Checked<readonly Criterion[]> {
  if (!isObject(period)) return refused(PROBLEMS.badPeriod);
  const { fromDate, toDate } = period;
  if (!isIsoDateTime(fromDate) || !isIsoDateTime(toDate)) return refused(PROBLEMS.badPeriod);
  const [fromMs, toMs] = [Date.parse(fromDate), Date.parse(toDate)];
  if (fromMs > toMs) return refused(PROBLEMS.badPeriod);
  return accepted([
    ({ modifiedDate }) => Date.parse(modifiedDate) >= fromMs && Date.parse(modifiedDate) <= toMs,
  ]);
}

function readIds(wanted: unknown): Checked<readonly Criterion[]> {
  if (wanted === '') return accepted([({ core }) => !core.partnerLeadOpportunityId]);
  if (!Array.isArray(wanted) || !wanted.every((id) => typeof id === 'string')) {
    const rule = 'must be an array of strings, or an empty string for records without one.';
    return refused(sandboxInvalid(`partnerLeadOpportunityId: ${rule}`));
  }
  const ids = new Set(wanted);
  return accepted([
    ({ core }) => ids.has(core.partnerLeadOpportunityId ?? '') && !!core.partnerLeadOpportunityId,
  ]);
}

/** Ids of the records that meet all criteria, oldest modification first. */
export function findIds(
  records: readonly LeadOpportunity[],
  criteria: readonly Criterion[],
): readonly string[] {
  return records
    .filter((record) => criteria.every((meets) => meets(record)))
    .sort(
      (a, b) =>
        compare(a.modifiedDate, b.modifiedDate) || compare(a.dsLeadOpportunityId, b.dsLeadOpportunityId),
    )
    .map((record) => record.dsLeadOpportunityId);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
