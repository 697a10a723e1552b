import { z } from 'zod';
import { oneOfThem, utcDateTime } from '../date-schemas.ts';
import { described } from '../described.ts';
import { readBody, text } from './catalog-requests.ts';
import { type Answer, type Fault, found, invalid } from './refusals.ts';
import { MAX_WINDOW_MS, readTimeRange, type TimeCriterion, type TimeRange } from './time-range.ts';

/** Checked criteria of an order search (order spec 4.2), combined with AND. */
export type OrderCriteria = {
  readonly ranges: ReadonlyMap<TimeCriterion, TimeRange>;
  readonly installedBaseNumber: string | undefined;
  readonly onlineInstanceSeatId: string | undefined;
  readonly billToPoReferences: ReadonlySet<string> | undefined;
  readonly transactionType: string | undefined;
};

const TIME_CRITERIA = Object.keys(MAX_WINDOW_MS) as readonly TimeCriterion[];
/** The six criteria. A search needs at least one of them. `transactionType` is not among them. */
const SIX = [...TIME_CRITERIA, 'installedBaseNumber', 'onlineInstanceSeatId', 'billToPoReferences'] as const;

const range = z
  .object(described('orderSearch', { from: utcDateTime.optional(), to: utcDateTime.optional() }))
  .refine(({ from, to }) => from !== undefined || to !== undefined, 'needs from, to or both')
  .meta(oneOfThem(['from', 'to']));

/** The body of an order search (order spec 4.2). Unknown fields are ignored. */
export const orderSearchRequest = z
  .object(
    described('orderSearch', {
      creationDateTime: range.optional(),
      bookingDateTime: range.optional(),
      lastUpdateDateTime: range.optional(),
      installedBaseNumber: text(40).optional(),
      onlineInstanceSeatId: text(15).optional(),
      billToPoReferences: z.array(text(60)).min(1).optional(),
      transactionType: z.enum(['PO', 'RN']).optional(),
    }),
  )
  .refine((body) => SIX.some((name) => body[name] !== undefined), `give at least one of ${SIX.join(', ')}`)
  .meta({
    ...oneOfThem(SIX),
    description:
      'At least one criterion beside transactionType; several are combined with AND. A range spans at most 7 days ' +
      '(lastUpdateDateTime: 3), must not begin in the future, and ends after it begins; a missing bound is computed.',
  });

/**
 * Checks the body of an order search and resolves its time ranges, which depend on the present time and so go beyond what the schema says.
 */
export function readOrderCriteria(body: unknown, now: Date): Answer<OrderCriteria> {
  const request = readBody(orderSearchRequest, body);
  if (!request.ok) return request;
  const input = request.value;
  const ranges = new Map<TimeCriterion, TimeRange>();
  const faults: Fault[] = [];
  for (const name of TIME_CRITERIA) {
    const given = input[name];
    if (given === undefined) continue;
    const read = readTimeRange(name, given, now);
    if ('fault' in read) faults.push(read.fault);
    else ranges.set(name, read.range);
  }
  if (faults.length > 0) return invalid(faults);
  const { installedBaseNumber, onlineInstanceSeatId, billToPoReferences, transactionType } = input;
  return found({
    ranges,
    installedBaseNumber,
    onlineInstanceSeatId,
    billToPoReferences: billToPoReferences === undefined ? undefined : new Set(billToPoReferences),
    transactionType,
  });
}
