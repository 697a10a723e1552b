import { callsTo, crmUser, simulatorAdmin } from 'lockstep-simulators/testing';
import { catalogDifferences } from '../../test/support/catalog/check-catalog.ts';
import { askCatalog } from '../../test/support/catalog/vendor-catalog.ts';
import { LINE_COLUMNS, ORDER_COLUMNS, orderDifferences } from '../../test/support/orders/check-orders.ts';
import type { Stack } from '../../test/support/stack/stack.ts';

type Fields = Readonly<Record<string, unknown>>;
type Order = Fields & { readonly transaction: { readonly id: string }; readonly creationDateTime: string };

/** How many orders are compared at a time; their lines fit into one CRM answer. */
const CHECKED = 200;
/** The maximum number of rows per search page, and the longest period of a search (order spec 4.2). */
const PAGE_ROWS = 100;
const PERIOD_MS = 7 * 86_400_000;

/** All orders in the vendor's own store, by id. */
export async function vendorOrders(stack: Stack): Promise<readonly Order[]> {
  const records = await simulatorAdmin(stack.vendor.adminUrl).records<{ readonly fields: Order }>('order');
  return records.map(({ fields }) => fields).toSorted((a, b) => (a.transaction.id < b.transaction.id ? -1 : 1));
}

/** The least number of search pages that contain all orders created since a day. */
export function leastSearches(orders: readonly Order[], since: string): number {
  const fromMs = Date.parse(since);
  const weeks = Map.groupBy(orders, ({ creationDateTime }) =>
    Math.floor((Date.parse(creationDateTime) - fromMs) / PERIOD_MS),
  );
  const all = Math.ceil((Date.now() - fromMs) / PERIOD_MS);
  return Array.from({ length: all }, (_, week) =>
    Math.max(1, Math.ceil((weeks.get(week)?.length ?? 0) / PAGE_ROWS)),
  ).reduce((sum, pages) => sum + pages, 0);
}

/** Differences of orders between vendor and CRM, compared some hundred at a time, and rows that only the CRM has. */
export async function allDifferences({ salesforce }: Stack, orders: readonly Order[]): Promise<readonly string[]> {
  const { query } = crmUser(salesforce.url, salesforce.user.accessToken);
  const differences: string[] = [];
  let [shown, lines] = [0, 0];
  for (let from = 0; from < orders.length; from += CHECKED) {
    const some = orders.slice(from, from + CHECKED);
    const [first, last] = [some.at(0), some.at(-1)].map((order) => order?.transaction.id ?? '');
    const between = (field: string): string => `${field} >= '${first}' AND ${field} <= '${last}'`;
    const rows = await query<Fields>(
      `SELECT ${ORDER_COLUMNS.join(', ')} FROM Vendor_Order__c WHERE ${between('Vendor_Order_Id__c')}`,
    );
    const own = await query<Fields>(
      `SELECT ${LINE_COLUMNS.join(', ')} FROM Vendor_Order_Line__c WHERE ${between('Vendor_Order__r.Vendor_Order_Id__c')}`,
    );
    [shown, lines] = [shown + rows.length, lines + own.length];
    differences.push(...orderDifferences(some, { orders: rows, lines: own }));
  }
  const count = async (object: string): Promise<number> => {
    const [found] = await query<Fields>(`SELECT COUNT(Id) n FROM ${object}`);
    return Number(found?.['n']);
  };
  const stray = [(await count('Vendor_Order__c')) - shown, (await count('Vendor_Order_Line__c')) - lines] as const;
  if (stray[0] !== 0 || stray[1] !== 0)
    differences.push(`the CRM shows ${stray[0]} orders and ${stray[1]} lines besides`);
  return differences;
}

/** Differences of the catalog. */
export async function catalogOf({ vendor, salesforce, ledger, tenant }: Stack): Promise<readonly string[]> {
  // The key of the tenant file may have been rotated.
  const apiKey = (await ledger.vendorKeys(tenant))?.inUse ?? vendor.apiKey;
  const { api, order } = callsTo({ ...vendor, apiKey });
  const { query } = crmUser(salesforce.url, salesforce.user.accessToken);
  return catalogDifferences(await askCatalog(order, api), query, { currencies: ['EUR'] });
}
