import type { CrmFields } from '../../domain/record/crm-graph.ts';
import type { MirrorLedger } from '../../ledger/mirror/mirror-ledger.ts';
import { type QuotaGate, throughGate } from '../../observe/quota-gate.ts';
import type { OrderApi, OrderSummary, SearchOrdersInput } from '../../partner-api/index.ts';
import type { Crm } from '../../salesforce/crm.ts';
import { type RemoteRecords, UnknownRecord } from './remote-records.ts';

/** An order that the vendor shows, and what the CRM shows of it. */
export type FoundOrder = {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly poReference: string | null;
  /** When the order was booked, ISO; null if it is not booked. */
  readonly bookedAt: string | null;
  /** The opportunity that the CRM shows for the order; null if it shows none, or not the order. */
  readonly opportunityId: string | null;
  /** Opportunities of the order's account with the order's amount, for a person to choose. Empty for an order with an opportunity. */
  readonly proposals: readonly string[];
};

export type OrdersFound = {
  readonly tenant: string;
  readonly orders: readonly FoundOrder[];
  /** Whether the vendor has more orders than were read. */
  readonly hasMore: boolean;
  /** The opportunity to which the found orders were linked; null if the command only searched. */
  readonly linkedTo: string | null;
};

export type FindOrderPorts = {
  readonly vendor: Pick<OrderApi, 'searchOrders'>;
  readonly crm: Pick<Crm, 'rowsWith'>;
  readonly remote: Pick<RemoteRecords, 'opportunity'>;
  readonly ledger: Pick<MirrorLedger, 'chooseOpportunity'> & QuotaGate['ledger'];
  readonly now: () => string;
};

/** Thrown if the search fits too many orders to link them all. */
export class TooManyOrders extends Error {
  override readonly name = 'TooManyOrders';
}

/** The CRM object that shows an order, and its lookups. */
const ORDER = 'Vendor_Order__c';
const OPPORTUNITY = 'Opportunity__c';
const ACCOUNT = 'Sold_To_Account__c';

const PAGE = 100;
const MOST_ORDERS = 500;
/** The most orders that one command links. A search with more results is too vague. */
const MOST_LINKED = 20;

/**
 * Searches the vendor's orders by the documented criteria (order spec 4.2). With `linkTo`, links all found orders to this opportunity. The
 * worker reads and writes them at its next pull. Repeatable. Throws UnknownRecord, TooManyOrders, and the clients' errors.
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
  if (linkTo !== null && ids.length > 0) {
    const choice = { stream: 'pullOrders', object: ORDER, ids, opportunityId: linkTo };
    await ports.ledger.chooseOpportunity(tenant, choice, ports.now());
  }
  const orders = await shown(ports.crm, found);
  return { tenant, orders, hasMore, linkedTo: ids.length > 0 ? linkTo : null };
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

async function shown(crm: FindOrderPorts['crm'], found: readonly OrderSummary[]): Promise<readonly FoundOrder[]> {
  const [object, key] = [ORDER, 'Vendor_Order_Id__c'];
  const values = found.map(({ transaction: { id } }) => id);
  const fields = [key, OPPORTUNITY, ACCOUNT, 'Net_Amount__c'];
  const rows =
    values.length === 0 ? [] : ((await crm.rowsWith({ object, key, values, fields })) as readonly CrmFields[]);
  const byId = new Map(rows.map((row) => [row[key], row]));
  const deals = await dealsOf(
    crm,
    rows.filter((row) => !row[OPPORTUNITY]),
  );
  return found.map((order) => {
    const { id, type, status } = order.transaction;
    const row = byId.get(id) ?? {};
    return {
      id,
      type: nameOf(type),
      status: nameOf(status),
      poReference: order.billToPoReference || null,
      bookedAt: order.bookingDateTime ?? null,
      opportunityId: row[OPPORTUNITY] ? String(row[OPPORTUNITY]) : null,
      proposals: row[OPPORTUNITY] ? [] : deals.filter((deal) => isAlike(deal, row)).map((deal) => String(deal['Id'])),
    };
  });
}

/** The opportunities of the accounts that the orders name. */
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
