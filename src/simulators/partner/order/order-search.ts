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

const TEXT_LIMITS = { installedBaseNumber: 40, onlineInstanceSeatId: 15 } as const;
const MAX_REFERENCE_LENGTH = 60;
const TIME_CRITERIA = Object.keys(MAX_WINDOW_MS) as readonly TimeCriterion[];
/** The six criteria of which one must be there. */
export const ORDER_CRITERIA: readonly string[] = [
  ...TIME_CRITERIA,
  ...Object.keys(TEXT_LIMITS),
  'billToPoReferences',
];

/**
 * Checks the body of an order search and resolves its time ranges. One of the six criteria must be there;
 * `transactionType` is none of them. Unknown fields are ignored.
 */
export function readOrderCriteria(body: unknown, now: Date): Answer<OrderCriteria> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return invalid([{ detail: 'The body must be a JSON object.', pointer: '' }]);
  }
  const input = body as Readonly<Record<string, unknown>>;
  if (!ORDER_CRITERIA.some((name) => input[name] !== undefined)) {
    return invalid([{ detail: `Give at least one of ${ORDER_CRITERIA.join(', ')}.`, pointer: '' }]);
  }
  const ranges = new Map<TimeCriterion, TimeRange>();
  const faults: Fault[] = [...textFaults(input), ...referenceFaults(input), ...typeFaults(input)];
  for (const name of TIME_CRITERIA) {
    if (input[name] === undefined) continue;
    const read = readTimeRange(name, input[name], now);
    if ('fault' in read) faults.push(read.fault);
    else ranges.set(name, read.range);
  }
  if (faults.length > 0) return invalid(faults);
  const references = input['billToPoReferences'] as readonly string[] | undefined;
  return found({
    ranges,
    installedBaseNumber: input['installedBaseNumber'] as string | undefined,
    onlineInstanceSeatId: input['onlineInstanceSeatId'] as string | undefined,
    billToPoReferences: references === undefined ? undefined : new Set(references),
    transactionType: input['transactionType'] as string | undefined,
  });
}

type Input = Readonly<Record<string, unknown>>;

function textFaults(input: Input): readonly Fault[] {
  return Object.entries(TEXT_LIMITS)
    .filter(([name, limit]) => input[name] !== undefined && !isText(input[name], limit))
    .map(([name, limit]) => ({
      detail: `must be a string of at most ${limit} characters.`,
      pointer: `/${name}`,
    }));
}

function referenceFaults(input: Input): readonly Fault[] {
  const references = input['billToPoReferences'];
  if (references === undefined) return [];
  if (!Array.isArray(references) || references.length === 0) {
    return [{ detail: 'must be a non-empty array of strings.', pointer: '/billToPoReferences' }];
  }
  return references.flatMap((reference, index) =>
    isText(reference, MAX_REFERENCE_LENGTH)
      ? []
      : [
          {
            detail: `must be a string of at most ${MAX_REFERENCE_LENGTH} characters.`,
            pointer: `/billToPoReferences/${index}`,
          },
        ],
  );
}

function typeFaults(input: Input): readonly Fault[] {
  const type = input['transactionType'];
  if (type === undefined || type === 'PO' || type === 'RN') return [];
  return [{ detail: 'must be PO or RN.', pointer: '/transactionType' }];
}

/** A text of at most `limit` characters, counted as JSON Schema does: in code points. */
function isText(value: unknown, limit: number): value is string {
  return typeof value === 'string' && [...value].length <= limit;
}
