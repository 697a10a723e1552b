import type { CrmFields, CrmValue } from '../../domain/record/crm-graph.ts';
import { counted } from '../../domain/values/counted.ts';
import { dayStart } from '../../domain/values/date.ts';
import type { OrderSummary, SearchOrdersInput } from '../../partner-api/index.ts';
import { KINDS } from '../value.ts';

/**
 * Searches for orders that sales persons request in the CRM (the action _Find order_). A row of the object `SEARCH` is a request and its
 * answer. A row of the object `FOUND` is an order that was found; a sales person ticks it to link it.
 */

export const SEARCH = {
  object: 'Lockstep_Order_Search__c',
  criteria: [
    'PO_Reference__c',
    'Installed_Base_Number__c',
    'Seat_Id__c',
    'Booked_From__c',
    'Booked_To__c',
    'Transaction_Type__c',
  ],
} as const;

export const FOUND = { object: 'Lockstep_Found_Order__c', externalId: 'Found_Key__c' } as const;

/** The maximum number of orders in the answer to a search. A search that finds more orders is refused as too vague. */
export const MOST_FOUND = 20;

const DAY_MS = 86_400_000;
/** The maximum length of the period of booking days in a search, in days, both ends included (order spec 4.2). */
const WINDOW_DAYS = 7;

/** The criteria of a search request, or a sentence that says why Lockstep cannot search. */
export type SearchCriteria = { readonly criteria: SearchOrdersInput } | { readonly mistake: string };

/** Reads the criteria of a sales person's request to search for orders. `now`: ISO. `zone`: the time zone of the booking days. Pure. */
export function criteriaOf(row: CrmFields, now: string, zone: string): SearchCriteria {
  const text = (field: string): string => String(row[field] ?? '').trim();
  const [po, base, seat] = [text('PO_Reference__c'), text('Installed_Base_Number__c'), text('Seat_Id__c')];
  const type = text('Transaction_Type__c');
  const window = windowOf(text('Booked_From__c'), text('Booked_To__c'), now, zone);
  if (window !== null && 'mistake' in window) return window;
  if (po === '' && base === '' && seat === '' && window === null)
    return { mistake: 'Fill in a PO reference, an installed base number, a seat or a booking day, and search again.' };
  if (type !== '' && type !== 'PO' && type !== 'RN')
    return { mistake: 'The type must be Orders or Renewals, or empty.' };
  return {
    criteria: {
      ...(po !== '' && { billToPoReferences: [po] }),
      ...(base !== '' && { installedBaseNumber: base }),
      ...(seat !== '' && { onlineInstanceSeatId: seat }),
      ...(window !== null && { bookingDateTime: window }),
      ...(type !== '' && { transactionType: type }),
    },
  };
}

type Window = { readonly from: string; readonly to: string };

/**
 * The period from the start of the first booking day to the end of the last booking day. If the request names only one of the two days, the
 * period is seven days long. Null if it names none.
 */
function windowOf(
  first: string,
  last: string,
  now: string,
  zone: string,
): Window | { readonly mistake: string } | null {
  if (first === '' && last === '') return null;
  const [firstMs, lastMs] = [Date.parse(first), Date.parse(last)];
  const fromDay = first === '' ? lastMs - (WINDOW_DAYS - 1) * DAY_MS : firstMs;
  const toDay = last === '' ? firstMs + (WINDOW_DAYS - 1) * DAY_MS : lastMs;
  if (Number.isNaN(fromDay) || Number.isNaN(toDay)) return { mistake: 'Booked from and Booked to must be days.' };
  if (toDay < fromDay) return { mistake: 'Booked to lies before Booked from. Exchange them, and search again.' };
  if (toDay - fromDay >= WINDOW_DAYS * DAY_MS)
    return { mistake: `The vendor searches at most ${WINDOW_DAYS} days of bookings at once. Choose fewer days.` };
  const fromMs = dayStart(dayOf(fromDay), zone);
  if (fromMs > Date.parse(now)) return { mistake: 'Booked from lies in the future. Choose an earlier day.' };
  // A week in which the clocks go back has an hour more than the vendor searches.
  const endMs = Math.min(dayStart(dayOf(toDay + DAY_MS), zone), fromMs + WINDOW_DAYS * DAY_MS);
  return { from: new Date(fromMs).toISOString(), to: new Date(endMs - 1000).toISOString() };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/**
 * How a found order relates to the opportunity for which a user searched it: the order belongs to no opportunity and can be linked
 * (`Free`), belongs to this one (`Here`) or to another one (`Elsewhere`), or was just linked to this one (`Linked`).
 */
export type FoundState = 'Free' | 'Here' | 'Elsewhere' | 'Linked';

/**
 * How a found order relates to the opportunity `opportunityId`, for which a user searched it: `Free`, `Here` or `Elsewhere`. `linkedTo`:
 * the CRM id of the order's opportunity; null if it has none.
 */
export function foundState(linkedTo: string | null, opportunityId: string): FoundState {
  if (linkedTo === null) return 'Free';
  return linkedTo === opportunityId ? 'Here' : 'Elsewhere';
}

/** A search request by its CRM id, with the CRM id of the opportunity for which it was made. */
export type OrderSearch = { readonly id: string; readonly opportunityId: string };

/**
 * A found order as a CRM row. `linkedTo`: the CRM id of the order's opportunity; null if it has none. The row does not contain the tick by
 * which a sales person links the order, because only sales persons set it.
 */
export function foundRow(search: OrderSearch, order: OrderSummary, linkedTo: string | null): CrmFields {
  const { id, type, status } = order.transaction;
  return {
    Name: KINDS.name(id),
    Found_Key__c: `${search.id}/${id}`,
    Search__c: search.id,
    Vendor_Order_Id__c: KINDS.text(id),
    Type__c: KINDS.code(type),
    Status__c: statusName(status),
    PO_Reference__c: KINDS.text(order.billToPoReference),
    Sold_To_Site_Name__c: KINDS.text(order.soldToSite.name),
    Booked__c: KINDS.instant(order.bookingDateTime),
    State__c: foundState(linkedTo, search.opportunityId),
  };
}

function statusName(status: OrderSummary['transaction']['status']): CrmValue {
  return KINDS.text(status?.name) ?? KINDS.code(status);
}

/**
 * The answer to a search request. `found`: how many orders were found, and how many of them belong to no opportunity (`free`); null if more
 * than `MOST_FOUND` were found.
 */
export function answerOf(found: { readonly count: number; readonly free: number } | null): CrmFields {
  if (found === null)
    return {
      Found_Count__c: null,
      Message__c: `More than ${MOST_FOUND} orders fit. Add a criterion, or choose fewer days, and search again.`,
    };
  const { count, free } = found;
  const none = 'The vendor shows no order that fits all criteria. Check them, or search by fewer.';
  const link =
    free === 0 ? 'None is free to be linked.' : 'Open this search, and tick Link on the order that is yours.';
  return { Found_Count__c: count, Message__c: count === 0 ? none : `${counted(count, 'order')} found. ${link}` };
}

/**
 * The answer to a search request that Lockstep could not execute, or that the vendor refused. `message`: the reason, for the sales person.
 */
export function refusalAnswer(message: string): CrmFields {
  return { Found_Count__c: null, Message__c: message };
}
