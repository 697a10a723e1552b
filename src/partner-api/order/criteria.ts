import { z } from 'zod';
import { inputObject, queryInput } from '../schema/input.ts';
import type {
  ReadOrderInput,
  SearchAccreditationsInput,
  SearchOrdersInput,
  SearchPackageContentInput,
  SearchProductInformationInput,
  SearchProductPricesInput,
  TimeRange,
} from './inputs.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Longest time window of each criterion, in milliseconds (order spec 4.2, 8). */
export const MAX_WINDOW_MS = {
  creationDateTime: 7 * DAY_MS,
  bookingDateTime: 7 * DAY_MS,
  lastUpdateDateTime: 3 * DAY_MS,
} as const;

export type TimeCriterion = keyof typeof MAX_WINDOW_MS;
export const TIME_CRITERIA = Object.keys(MAX_WINDOW_MS) as TimeCriterion[];

/**
 * The six criteria that can select orders. An input needs at least one of them. `transactionType` does not count, because it only narrows
 * the result.
 */
const REQUIRED_ONE = [...TIME_CRITERIA, 'installedBaseNumber', 'onlineInstanceSeatId', 'billToPoReferences'] as const;

/**
 * The client refuses a time as "in the future" if it is this many ms ahead of this machine's clock. A time that is less far ahead is sent,
 * and the vendor's clock decides.
 */
const CLOCKS_APART_MS = 600_000;

const utc = z.iso.datetime();

/**
 * Makes the schema of a time range (order spec 4.2). The bounds are UTC instants, and at least one is required. `to` must be after `from`,
 * and `from` must not be in the future.
 */
function timeRange(now: () => Date, maxWindowMs: number) {
  return inputObject<TimeRange>({ from: utc.optional(), to: utc.optional() }).superRefine(({ from, to }, context) => {
    const blame = (path: string[], message: string): void => context.addIssue({ code: 'custom', path, message });
    if (from === undefined && to === undefined) blame([], 'needs from or to');
    if (from !== undefined && Date.parse(from) > now().getTime() + CLOCKS_APART_MS) blame(['from'], 'is in the future');
    if (from === undefined || to === undefined) return;
    const lengthMs = Date.parse(to) - Date.parse(from);
    if (lengthMs <= 0) blame(['to'], 'is not later than from');
    if (lengthMs > maxWindowMs) blame(['to'], 'is beyond the longest window');
  });
}

/** Schema of the paging parameters `skip` and `top` (order spec 4). If they are left out, the vendor's defaults apply. */
function page(maxTop: number) {
  return { skip: z.number().int().min(0).optional(), top: z.number().int().min(1).max(maxTop).optional() };
}

/**
 * Makes the schema of the input of an order search, with every rule of order spec 4.2. `now` is called whenever the schema checks that a
 * time is not in the future.
 */
export function orderSearchInput(now: () => Date) {
  return inputObject<SearchOrdersInput>({
    ...page(100),
    creationDateTime: timeRange(now, MAX_WINDOW_MS.creationDateTime).optional(),
    bookingDateTime: timeRange(now, MAX_WINDOW_MS.bookingDateTime).optional(),
    lastUpdateDateTime: timeRange(now, MAX_WINDOW_MS.lastUpdateDateTime).optional(),
    installedBaseNumber: z.string().max(40).optional(),
    onlineInstanceSeatId: z.string().max(15).optional(),
    billToPoReferences: z.array(z.string().max(60)).min(1).optional(),
    transactionType: z.enum(['PO', 'RN']).optional(),
  }).refine((input) => REQUIRED_ONE.some((criterion) => input[criterion] !== undefined));
}

const id = z.string().min(1);

/**
 * Schema of the input that reads one order (order spec 4.3). An id `.` or `..` is refused, because it would change the path even if
 * encoded.
 */
export const readOrderInput = queryInput<ReadOrderInput>({
  id: id.refine((value) => value !== '.' && value !== '..'),
});

/** Schema of the input of a search for accreditations (order spec 4.5). */
export const accreditationsInput = queryInput<SearchAccreditationsInput>(page(100));

const accreditationOf = {
  accreditationType: z.enum(['R', 'I']),
  accreditationId: z.string().regex(/^[A-Z0-9]{1,15}$/),
};

/**
 * Schema of the input of a search for product prices (order spec 4.6). The id of a price list has up to two digits, the status of a price
 * list one character.
 */
export const productPricesInput = inputObject<SearchProductPricesInput>({
  ...page(100),
  ...accreditationOf,
  priceListId: z.number().int().min(0).max(99),
  priceListStatus: z.string().length(1).optional(),
});

/** Schema of the input of a search for product information (order spec 4.7). */
export const productInformationInput = inputObject<SearchProductInformationInput>({
  ...page(100),
  ...accreditationOf,
});

/** Schema of the input of a search for a package's content (order spec 4.8). */
export const packageContentInput = inputObject<SearchPackageContentInput>({
  ...page(10),
  number: id.max(20),
  release: id.max(50),
});
