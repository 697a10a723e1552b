import type { CrmFields } from '../../domain/record/crm-graph.ts';
import type { MirrorLedger } from '../../ledger/mirror/mirror-ledger.ts';
import { type QuotaGate, throughGate } from '../../observe/quota-gate.ts';
import type { OrderApi, OrderSummary, SearchOrdersInput } from '../../partner-api/index.ts';
import type { Crm } from '../../salesforce/crm.ts';
import { type RemoteRecords, UnknownRecord } from './remote-records.ts';

/** An order of the vendor, with the opportunity to which the CRM links it. */
export type FoundOrder = {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly poReference: string | null;
  /** When the order was booked, ISO; null if it is not booked. */
  readonly bookedAt: string | null;
  /** The opportunity to which the order belongs in the CRM; null if it belongs to none, or if the CRM does not have the order. */
  readonly opportunityId: string | null;
  /**
   * How a future price list (which takes effect later) changes the price of the order's renewal. Both prices are computed from the partner
   * prices in the lists, without adjustments such as tiers. Null if no future list begins before the renewal.
   */
  readonly futurePrices: FuturePrices | null;
  /**
   * Ids of opportunities that may be the order's deal, because they have the order's account and amount. Empty if the CRM already links the
   * order to an opportunity.
   */
  readonly proposals: readonly string[];
};

/**
 * How a future price list (which takes effect later) changes a price. `today`: the price by the present list. `future`: the price by the
 * future list. `from`: the first day of the future list, `YYYY-MM-DD`.
 */
export type FuturePrices = {
  readonly from: string;
  readonly today: number;
  readonly future: number;
  readonly difference: number;
  readonly currency: string;
};

export type OrdersFound = {
  readonly tenant: string;
  readonly orders: readonly FoundOrder[];
  /** Whether more orders may match than `orders` contains, because the search ended at a limit. */
  readonly hasMore: boolean;
  /** The opportunity to which the found orders were linked; null if the command only searched, or found no order. */
  readonly linkedTo: string | null;
};

export type FindOrderPorts = {
  readonly vendor: Pick<OrderApi, 'searchOrders'>;
  readonly crm: Pick<Crm, 'rowsWith' | 'ordersWithoutDeal'>;
  readonly remote: Pick<RemoteRecords, 'opportunity'>;
  readonly ledger: Pick<MirrorLedger, 'chooseOpportunity'> & QuotaGate['ledger'];
  readonly now: () => string;
};

/** Thrown if a search finds more orders than one command links. */
export class TooManyOrders extends Error {
  override readonly name = 'TooManyOrders';
}

/** API names in Salesforce: the object for the vendor's orders, and its fields. */
const ORDER = 'Vendor_Order__c';
const OPPORTUNITY = 'Opportunity__c';
const ACCOUNT = 'Sold_To_Account__c';
const KEY = 'Vendor_Order_Id__c';
const OF_OPEN = [KEY, 'Type__c', 'Status__c', 'Bill_To_PO_Reference__c', 'Booked__c'];

/**
 * Fields of the order object in Salesforce that show how a future price list (which takes effect later) changes the price of the order's
 * renewal.
 */
const PRICE_FIELDS = [
  'Future_Prices_From__c',
  'Renewal_Price_Today__c',
  'Renewal_Price_Future__c',
  'Renewal_Price_Difference__c',
] as const;

const PAGE = 100;
const MOST_ORDERS = 500;
/** The maximum number of orders without an opportunity that are listed at once. */
const MOST_OPEN = 200;
/** The maximum number of orders that one command links. A search with more results is probably not about one deal. */
const MOST_LINKED = 20;

/**
 * Searches the vendor's orders by the documented criteria (order spec 4.2). With `linkTo`, links all found orders to that opportunity. The
 * ledger (Lockstep's database) stores the links, and at the next read of orders a worker writes them to the CRM. Repeatable. Throws
 * UnknownRecord, TooManyOrders, and the clients' errors.
 */
export async function findOrder(
  ports: FindOrderPorts,
  tenant: string,
  criteria: SearchOrdersInput,
  linkTo: string | null,
): Promise<OrdersFound> {
  if (linkTo !== null && (await ports.remote.opportunity(linkTo)) === null)
    throw new UnknownRecord(`There is no opportunity ${linkTo} in the org of ${tenant}.`);
  const { found, hasMore } = await search(ports, tenant, criteria);
  const ids = found.map(({ transaction: { id } }) => id);
  if (linkTo !== null && (hasMore || ids.length > MOST_LINKED))
    throw new TooManyOrders(`The search fits more than ${MOST_LINKED} orders: narrow it to those of one deal.`);
  if (linkTo !== null && ids.length > 0) await choose(ports, tenant, ids, linkTo);
  const orders = await shown(ports.crm, found.map(seenOf));
  return { tenant, orders, hasMore, linkedTo: ids.length > 0 ? linkTo : null };
}

/**
 * Lists the orders in the CRM that are linked to no opportunity, each with opportunities that may be its deal. Sends no request to the
 * vendor.
 */
export async function openOrders({ crm }: Pick<FindOrderPorts, 'crm'>, tenant: string): Promise<OrdersFound> {
  const rows = await crm.ordersWithoutDeal(OF_OPEN, MOST_OPEN + 1);
  const listed = rows.slice(0, MOST_OPEN).map((row) => ({
    id: String(row[KEY]),
    type: textOf(row['Type__c']) ?? '',
    status: textOf(row['Status__c']) ?? '',
    poReference: textOf(row['Bill_To_PO_Reference__c']),
    bookedAt: textOf(row['Booked__c']),
  }));
  return { tenant, orders: await shown(crm, listed), hasMore: rows.length > MOST_OPEN, linkedTo: null };
}

/**
 * Links orders that are in the CRM to an opportunity. `ids`: the vendor's ids of the orders. Repeatable. Throws UnknownRecord if the CRM
 * lacks an order or the opportunity, and TooManyOrders.
 */
export async function linkOrders(
  ports: Omit<FindOrderPorts, 'vendor'>,
  tenant: string,
  ids: readonly string[],
  linkTo: string,
): Promise<OrdersFound> {
  if (ids.length > MOST_LINKED) throw new TooManyOrders(`Link at most ${MOST_LINKED} orders at once.`);
  if ((await ports.remote.opportunity(linkTo)) === null)
    throw new UnknownRecord(`There is no opportunity ${linkTo} in the org of ${tenant}.`);
  const rows = await ports.crm.rowsWith({ object: ORDER, key: KEY, values: ids, fields: [] });
  const there = new Set(rows.map((row) => String(row[KEY])));
  const missing = ids.find((id) => !there.has(id));
  if (missing !== undefined) throw new UnknownRecord(`The org of ${tenant} shows no order ${missing}.`);
  await choose(ports, tenant, ids, linkTo);
  const listed = ids.map((id) => ({ id, type: '', status: '', poReference: null, bookedAt: null }));
  return { tenant, orders: await shown(ports.crm, listed), hasMore: false, linkedTo: linkTo };
}

async function choose(
  { ledger, now }: Pick<FindOrderPorts, 'ledger' | 'now'>,
  tenant: string,
  ids: readonly string[],
  opportunityId: string,
): Promise<void> {
  await ledger.chooseOpportunity(tenant, { stream: 'pullOrders', object: ORDER, ids, opportunityId }, now());
}

type Seen = Omit<FoundOrder, 'opportunityId' | 'proposals' | 'futurePrices'>;

function seenOf({ transaction: { id, type, status }, billToPoReference, bookingDateTime }: OrderSummary): Seen {
  return {
    id,
    type: nameOf(type),
    status: nameOf(status),
    poReference: billToPoReference || null,
    bookedAt: bookingDateTime ?? null,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

async function search({ vendor, ledger, now }: FindOrderPorts, tenant: string, criteria: SearchOrdersInput) {
  const found = new Map<string, OrderSummary>();
  for (let skip = 0; ; skip += PAGE) {
    const gate: QuotaGate = { ledger, tenant, group: 'vendor-order', now };
    const { data } = await throughGate(gate, () => vendor.searchOrders({ ...criteria, skip, top: PAGE }));
    for (const order of data) found.set(order.transaction.id, order);
    if (data.length < PAGE) return { found: [...found.values()], hasMore: false };
    if (found.size >= MOST_ORDERS) return { found: [...found.values()], hasMore: true };
  }
}

async function shown(crm: FindOrderPorts['crm'], seen: readonly Seen[]): Promise<readonly FoundOrder[]> {
  const values = seen.map(({ id }) => id);
  const fields = [KEY, OPPORTUNITY, ACCOUNT, 'Net_Amount__c', 'Currency__c', ...PRICE_FIELDS];
  const rows =
    values.length === 0
      ? []
      : ((await crm.rowsWith({ object: ORDER, key: KEY, values, fields })) as readonly CrmFields[]);
  const byId = new Map(rows.map((row) => [row[KEY], row]));
  const deals = await dealsOf(
    crm,
    rows.filter((row) => !row[OPPORTUNITY]),
  );
  return seen.map((order) => {
    const row = byId.get(order.id) ?? {};
    return {
      ...order,
      opportunityId: row[OPPORTUNITY] ? String(row[OPPORTUNITY]) : null,
      futurePrices: futurePricesOf(row),
      proposals: row[OPPORTUNITY] ? [] : deals.filter((deal) => isAlike(deal, row)).map((deal) => String(deal['Id'])),
    };
  });
}

function futurePricesOf(row: CrmFields): FuturePrices | null {
  const [from, today, future, difference] = PRICE_FIELDS.map((field) => row[field] ?? null);
  if (typeof from !== 'string' || typeof today !== 'number' || typeof future !== 'number') return null;
  return { from, today, future, difference: Number(difference), currency: textOf(row['Currency__c']) ?? '' };
}

/**
 * The opportunities of the accounts that bought `orders`. Among them, the command searches for the deals to which the orders may belong.
 */
async function dealsOf(crm: FindOrderPorts['crm'], orders: readonly CrmFields[]): Promise<readonly CrmFields[]> {
  const values = [...new Set(orders.flatMap((row) => (row[ACCOUNT] ? [String(row[ACCOUNT])] : [])))];
  if (values.length === 0) return [];
  const fields = ['AccountId', 'Amount'];
  return (await crm.rowsWith({ object: 'Opportunity', key: 'AccountId', values, fields })) as readonly CrmFields[];
}

function isAlike(deal: CrmFields, order: CrmFields): boolean {
  const amount = order['Net_Amount__c'];
  return typeof amount === 'number' && deal['AccountId'] === order[ACCOUNT] && deal['Amount'] === amount;
}

function nameOf(
  value: string | { readonly code: string | null; readonly name: string | null } | null | undefined,
): string {
  return typeof value === 'string' ? value : (value?.code ?? value?.name ?? '');
}
