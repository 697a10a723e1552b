import { z } from 'zod';
import { isoDateTime, oneOfThem } from './date-schemas.ts';
import { toMs } from './dates.ts';
import { described } from './described.ts';
import type { LeadOpportunity } from './lead-opportunity.ts';
import { accepted, type Checked, PROBLEMS, refused, sandboxInvalid } from './problem.ts';

type Criterion = (record: LeadOpportunity) => boolean;

const KINDS = ['modifiedDate', 'partnerLeadOpportunityId'] as const;

const period = z
  .object(described('searchRequest', { fromDate: isoDateTime, toDate: isoDateTime }))
  .refine(({ fromDate, toDate }) => toMs(fromDate) <= toMs(toDate), 'ends before it begins');

const criterion = z.object(
  described('searchRequest', {
    modifiedDate: period.optional(),
    partnerLeadOpportunityId: z
      .union([z.array(z.string()), z.literal('')], {
        error: 'must be an array of strings, or an empty string for records without one',
      })
      .optional(),
  }),
);

/** The body of a search for lead-opportunities (sales spec 4.4). Unknown criteria are ignored. */
export const leadSearchRequest = z
  .object(
    described('searchRequest', {
      data: z
        .array(criterion)
        .refine(
          (list) => list.some((entry) => KINDS.some((kind) => entry[kind] !== undefined)),
          'give modifiedDate, partnerLeadOpportunityId or both',
        )
        .meta({ contains: oneOfThem(KINDS) }),
    }),
  )
  .meta({
    description:
      'At least one of the two kinds of criteria; several are combined with AND. Both bounds of a period are inclusive; toDate is not before fromDate.',
  });

type SearchEntry = z.infer<typeof criterion>;

/**
 * The criteria of a search body. A record must meet all. ERROR_043 if a modified period lacks a bound, has one that is no date-time, or
 * ends before it begins.
 */
export function readCriteria(body: unknown): Checked<readonly Criterion[]> {
  const result = leadSearchRequest.safeParse(body);
  if (result.success) return accepted(result.data.data.flatMap(toCriteria));
  const { issues } = result.error;
  if (issues.some(({ path }) => path.includes('modifiedDate'))) return refused(PROBLEMS.badPeriod);
  const issue = issues[0];
  return refused(sandboxInvalid(`${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'invalid'}.`));
}

function toCriteria({ modifiedDate, partnerLeadOpportunityId: wanted }: SearchEntry): readonly Criterion[] {
  const criteria: Criterion[] = [];
  if (modifiedDate !== undefined) {
    const [first, last] = [toMs(modifiedDate.fromDate), toMs(modifiedDate.toDate)];
    criteria.push((record) => {
      const ms = Date.parse(record.modifiedDate);
      return ms >= first && ms <= last;
    });
  }
  if (wanted === '') criteria.push(({ core }) => !core.partnerLeadOpportunityId);
  else if (wanted !== undefined) {
    const ids = new Set(wanted);
    criteria.push(({ core }) => !!core.partnerLeadOpportunityId && ids.has(core.partnerLeadOpportunityId));
  }
  return criteria;
}

/** Ids of the records that meet all criteria, oldest modification first. */
export function findIds(records: readonly LeadOpportunity[], criteria: readonly Criterion[]): readonly string[] {
  return records
    .filter((record) => criteria.every((meets) => meets(record)))
    .sort((a, b) => compare(a.modifiedDate, b.modifiedDate) || compare(a.dsLeadOpportunityId, b.dsLeadOpportunityId))
    .map((record) => record.dsLeadOpportunityId);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
