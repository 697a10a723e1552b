import { Decimal } from 'decimal.js';
import { amountNumber, readAmount } from '../../domain/values/amount.ts';
import { keyOf } from '../catalog/catalog-mirror.ts';

/** The suffix of a price book's external id. A price book with this suffix belongs to the future version of a price list. */
const FUTURE = '-future';

/** A future version of a price list, as the CRM shows it. `key`: the external id of its price book. `from`: its first day. */
export type FutureList = { readonly key: string; readonly currency: string; readonly from: string };

/**
 * A charge line of a renewal. `unitListPrice`: the list price in the line; null if unknown. If several price lists contain the product,
 * this price shows from which of them the line's price was taken.
 */
export type RenewedLine = {
  readonly id: string;
  readonly product: string;
  readonly revenueType: string;
  readonly quantity: number;
  readonly unitListPrice: number | null;
};

/** A price of the catalog: the vendor's list price, and the partner's price at the standard discount. */
export type CatalogPrice = { readonly list: number | null; readonly partner: number | null };

/**
 * The cost of a charge line, or of a whole renewal, for the partner: at today's prices, at the prices of the future price list, and the
 * difference between the two.
 */
export type PriceEffect = { readonly today: number; readonly future: number; readonly difference: number };

export type RenewalEffect = {
  /**
   * How the future prices change each line, by the line's id. Contains only lines whose product has a present and a future price in the
   * same price list.
   */
  readonly lines: ReadonlyMap<string, PriceEffect>;
  /**
   * The sum of the effects on the renewal's lines; null if no line is affected. `from`: the first day of the earliest future price list
   * that has an effect on a line.
   */
  readonly order: (PriceEffect & { readonly from: string }) | null;
};

/**
 * The keys (`Price_Key__c`) of the present and future prices that are needed to compute how future price lists change the cost of the
 * lines.
 */
export function priceKeys(lines: readonly RenewedLine[], lists: readonly FutureList[]): readonly string[] {
  const keys = lines.flatMap((line) => lists.flatMap(({ key }) => [keyIn(key, line), keyIn(currentOf(key), line)]));
  return [...new Set(keys)];
}

/**
 * How much the vendor's future price lists change the price of a renewal. Lists with another currency, and lists that begin after
 * `startDate`, are ignored. If several lists have a price for a line's product, only those are used whose present list price equals the
 * list price in the line, because the line's price was taken from one of them. If there are none, all are used. If the used lists lead to
 * different prices, the line is left out. Amounts are quantity times price, without tiers, premiums and the line's own discount. Pure.
 */
export function renewalEffect(
  { startDate, currency }: { readonly startDate: string; readonly currency: string },
  lines: readonly RenewedLine[],
  lists: readonly FutureList[],
  prices: ReadonlyMap<string, CatalogPrice>,
): RenewalEffect {
  const counting = lists.filter((list) => list.currency === currency && list.from <= startDate);
  const found = lines.flatMap((line) => {
    const effect = effectOn(line, counting, prices, currency);
    return effect === null ? [] : [{ id: line.id, ...effect }];
  });
  const sumOf = (part: 'today' | 'future'): Decimal =>
    found.reduce((sum, { effect }) => sum.plus(effect[part]), new Decimal(0));
  const [from] = found.map((each) => each.from).sort();
  return {
    lines: new Map(found.map(({ id, effect }) => [id, effect])),
    order: from === undefined ? null : { ...effectOf(sumOf('today'), sumOf('future'), currency), from },
  };
}

type Counted = { readonly effect: PriceEffect; readonly from: string };

function effectOn(
  line: RenewedLine,
  lists: readonly FutureList[],
  prices: ReadonlyMap<string, CatalogPrice>,
  currency: string,
): Counted | null {
  const priced = lists.flatMap(({ key, from }) => {
    const [now, then] = [prices.get(keyIn(currentOf(key), line)), prices.get(keyIn(key, line))];
    if (typeof now?.partner !== 'number' || typeof then?.partner !== 'number') return [];
    const amount = (price: number): Decimal => new Decimal(price).times(line.quantity);
    return [{ list: now.list, from, effect: effectOf(amount(now.partner), amount(then.partner), currency) }];
  });
  const own = priced.filter(({ list }) => list !== null && list === line.unitListPrice);
  const [first, ...others] = own.length === 0 ? priced : own;
  const isClear = others.every(
    ({ effect }) => effect.today === first?.effect.today && effect.future === first.effect.future,
  );
  return first === undefined || !isClear ? null : { effect: first.effect, from: first.from };
}

function effectOf(today: Decimal, future: Decimal, currency: string): PriceEffect {
  const rounded = (amount: Decimal): number => amountNumber(readAmount(amount.toFixed(), currency) ?? '0') ?? 0;
  const [a, b] = [rounded(today), rounded(future)];
  return { today: a, future: b, difference: rounded(new Decimal(b).minus(a)) };
}

function keyIn(book: string, { product, revenueType }: RenewedLine): string {
  return keyOf(book, product, revenueType);
}

function currentOf(key: string): string {
  return key.endsWith(FUTURE) ? key.slice(0, -FUTURE.length) : key;
}

/** The fields of orders and charge lines that show how future prices change them. */
export const EFFECT_FIELDS = {
  order: {
    today: 'Renewal_Price_Today__c',
    future: 'Renewal_Price_Future__c',
    difference: 'Renewal_Price_Difference__c',
    from: 'Future_Prices_From__c',
  },
  line: {
    today: 'Renewal_Price_Today__c',
    future: 'Renewal_Price_Future__c',
    difference: 'Renewal_Price_Difference__c',
  },
} as const;
