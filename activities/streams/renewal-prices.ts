import { cancellationSignal } from '@temporalio/activity';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import { CHARGE_LINE_MIRROR } from '../../src/mirror/orders/charge-line-mirror.ts';
import { ORDER_MIRROR } from '../../src/mirror/orders/order-mirror.ts';
import {
  type CatalogPrice,
  EFFECT_FIELDS,
  type FutureList,
  priceKeys,
  type RenewedLine,
  renewalEffect,
} from '../../src/mirror/orders/price-effect.ts';
import { isUndecided, renewalState } from '../../src/mirror/orders/renewal-deal.ts';
import type { ShownNotice } from '../../src/mirror/orders/renewal-notices.ts';
import type { CrmError } from '../../src/salesforce/errors.ts';
import { type Refusals, refusalsOf } from './renewal-refusals.ts';
import type { Reading } from './stream.ts';

/** The versions of price lists that begin after today, read from the CRM. */
export async function futureLists({ runtime }: Reading, today: string): Promise<readonly FutureList[]> {
  const rows = await runtime.crm.futurePriceLists(today, { signal: cancellationSignal() });
  return rows.flatMap((row) => {
    const [key, currency, from] = [
      row['Vendor_Price_List_Key__c'],
      row['Vendor_Currency__c'],
      row['Vendor_Effective_Date__c'],
    ];
    const isUsable = typeof key === 'string' && typeof currency === 'string' && typeof from === 'string';
    return isUsable ? [{ key, currency, from }] : [];
  });
}

const LINE_FIELDS = ['Vendor_Order__c', 'Active__c', 'Product_Number__c', 'Revenue_Type__c', 'Quantity__c'] as const;
/** How many rows one request updates. */
const BATCH = 200;

/**
 * Writes to the CRM how future price lists change the prices of renewals and their lines. Writes only where the CRM shows other values.
 * Returns the number of changed renewals, and the renewal notices that Salesforce refused.
 */
export async function writeEffects(
  stream: Reading,
  notices: readonly ShownNotice[],
  lists: readonly FutureList[],
): Promise<{ readonly found: number; readonly refusals: Refusals }> {
  const { crm } = stream.runtime;
  const call = { signal: cancellationSignal() };
  const concerned = notices.filter((notice) => isConcerned(notice, lists) || showsEffect(notice));
  if (concerned.length === 0) return { found: 0, refusals: new Map() };
  const shown = [...LINE_FIELDS, 'Unit_List_Price__c', ...Object.values(EFFECT_FIELDS.line)];
  const lines = (await crm.rowsWith(
    { object: CHARGE_LINE_MIRROR.object, key: 'Vendor_Order__c', values: concerned.map(({ id }) => id), fields: shown },
    call,
  )) as readonly CrmFields[];
  const linesOf = Map.groupBy(lines, (line) => line['Vendor_Order__c']);
  const prices = await pricesOf(stream, lines.flatMap(lineOf), lists);
  const [ofOrders, ofLines]: [Changed[], Changed[]] = [[], []];
  for (const notice of concerned) {
    const own = linesOf.get(notice.id) ?? [];
    const { order, startDate, currency } = notice;
    const counting = isConcerned(notice, lists) ? lists : [];
    const effect = renewalEffect({ startDate, currency: currency ?? '' }, own.flatMap(lineOf), counting, prices);
    ofOrders.push(...difference(order, notice.shown, named(EFFECT_FIELDS.order, effect.order)));
    for (const line of own) {
      const wanted = named(EFFECT_FIELDS.line, effect.lines.get(String(line['Id'])) ?? null);
      ofLines.push(...difference(order, line, wanted));
    }
  }
  const refusals = new Map([
    ...(await update(stream, CHARGE_LINE_MIRROR.object, ofLines)),
    ...(await update(stream, ORDER_MIRROR.object, ofOrders)),
  ]);
  return { found: ofOrders.length, refusals };
}

/** Whether a future price list may change the prices of this renewal. False for a renewal that was already ordered or withdrawn. */
function isConcerned({ status, currency, startDate }: ShownNotice, lists: readonly FutureList[]): boolean {
  const isOpen = isUndecided(renewalState(status));
  return isOpen && lists.some((list) => list.currency === currency && list.from <= startDate);
}

function showsEffect({ shown }: ShownNotice): boolean {
  return Object.values(EFFECT_FIELDS.order).some((field) => (shown[field] ?? null) !== null);
}

function lineOf(row: CrmFields): readonly RenewedLine[] {
  const { Id, Active__c, Product_Number__c, Revenue_Type__c, Quantity__c, Unit_List_Price__c } = row;
  if (Active__c !== true || typeof Product_Number__c !== 'string' || typeof Quantity__c !== 'number') return [];
  return [
    {
      id: String(Id),
      product: Product_Number__c,
      revenueType: typeof Revenue_Type__c === 'string' ? Revenue_Type__c : '',
      quantity: Quantity__c,
      unitListPrice: typeof Unit_List_Price__c === 'number' ? Unit_List_Price__c : null,
    },
  ];
}

async function pricesOf(
  { runtime }: Reading,
  lines: readonly RenewedLine[],
  lists: readonly FutureList[],
): Promise<ReadonlyMap<string, CatalogPrice>> {
  const values = priceKeys(lines, lists);
  if (values.length === 0) return new Map();
  const fields = ['List_Price__c', 'Partner_Price__c', 'Active__c'];
  const of = { object: 'Vendor_Price__c', key: 'Price_Key__c', values, fields };
  const rows = await runtime.crm.rowsWith(of, { signal: cancellationSignal() });
  const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
  return new Map(
    rows.flatMap((row) =>
      row['Active__c'] === true
        ? [
            [
              String(row['Price_Key__c']),
              { list: number(row['List_Price__c']), partner: number(row['Partner_Price__c']) },
            ],
          ]
        : [],
    ),
  );
}

function named(
  fields: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string | number>> | null,
): CrmFields {
  return Object.fromEntries(Object.entries(fields).map(([part, field]) => [field, values?.[part] ?? null]));
}

/** A CRM row to update, and the vendor's id of the renewal notice to which the row belongs. */
type Changed = { readonly order: string; readonly row: CrmFields };

/** The update that gives a CRM row the wanted values; none if the CRM shows these values already. */
function difference(order: string, shown: CrmFields, wanted: CrmFields): readonly Changed[] {
  const isSame = Object.entries(wanted).every(([field, value]) => (shown[field] ?? null) === value);
  return isSame ? [] : [{ order, row: { Id: shown['Id'] ?? null, ...wanted } }];
}

/** Updates CRM rows that belong to renewal notices. Returns the notices whose rows Salesforce refused, with its errors. */
async function update({ runtime }: Reading, object: string, changed: readonly Changed[]): Promise<Refusals> {
  const refusals = new Map<string, CrmError>();
  for (let from = 0; from < changed.length; from += BATCH) {
    const batch = changed.slice(from, from + BATCH);
    const rows = batch.map(({ row }) => row);
    const answers = await runtime.crm.updateRows(object, rows, { signal: cancellationSignal() });
    const orders = batch.map(({ order }) => order);
    for (const [order, error] of refusalsOf(orders, answers)) refusals.set(order, error);
  }
  return refusals;
}
