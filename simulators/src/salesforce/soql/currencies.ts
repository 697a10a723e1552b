import type { ConditionWithValueQuery } from '@jetstreamapp/soql-parser-js';
import type { FieldDef } from '../schema/types.ts';
import type { Row, Value } from '../store/row.ts';
import type { Store } from '../store/store.ts';
import { invalidField, malformed } from './parse.ts';
import { endOfPath, type FieldPath, readPath } from './path.ts';

/** Amounts of an org with several currencies (SOQL reference: "Querying Currency Fields in Multi-currency Orgs"). */
export type Money = {
  readonly hasCurrency: (isoCode: string) => boolean;
  readonly toCorporate: (amount: number, isoCode: string) => number;
  readonly toUser: (amount: number, isoCode: string) => number;
};

/**
 * Converts by the rates of CurrencyType; null in an org with one currency. Results are not rounded, because no documentation of the digits
 * was found.
 */
export function moneyOf(store: Store, userCurrency?: string): Money | null {
  const [corporate] = store.schema.currencies;
  if (corporate === undefined) return null;
  const rates = new Map(
    Array.from(store.rows('CurrencyType'), (row) => [String(row['IsoCode']), Number(row['ConversionRate'])]),
  );
  const rateOf = (isoCode: string) => rates.get(isoCode) ?? 1;
  const user = userCurrency ?? corporate.isoCode;
  const toCorporate = (amount: number, isoCode: string) => amount / rateOf(isoCode);
  return {
    hasCurrency: (isoCode) => rates.has(isoCode),
    toCorporate,
    toUser: (amount, isoCode) => (isoCode === user ? amount : toCorporate(amount, isoCode) * rateOf(user)),
  };
}

type Convert = (amount: number, isoCode: string) => number;

/** Reads an amount of a row in another currency than the row's own. */
function converted(store: Store, field: FieldDef, convert: Convert): (row: Row) => Value {
  const corporate = store.schema.currencies[0]?.isoCode ?? '';
  return (row) => {
    const amount = store.read(field, row);
    return typeof amount === 'number' ? convert(amount, String(row['CurrencyIsoCode'] ?? corporate)) : amount;
  };
}

/** Reads a field for comparing, sorting and adding up: amounts in the corporate currency, other values unchanged. */
export function comparable(store: Store, path: FieldPath): (row: Row) => Value {
  const money = path.field.type === 'currency' ? moneyOf(store) : null;
  if (money === null) return (row) => readPath(store, row, path);
  const read = converted(store, path.field, money.toCorporate);
  return (row) => {
    const end = endOfPath(store, row, path);
    return end === undefined ? null : read(end);
  };
}

/**
 * Reads the result of `convertCurrency()`. Throws MALFORMED_QUERY in an org with one currency, INVALID_FIELD for a field that is no amount.
 */
export function inUserCurrency(
  store: Store,
  field: FieldDef,
  userCurrency: string | undefined,
  blamed: string,
): (row: Row) => Value {
  const money = moneyOf(store, userCurrency);
  if (money === null) throw malformed('convertCurrency can only be used in an org with multiple currencies');
  if (field.type !== 'currency') {
    throw invalidField(`field '${field.name}' is not a currency field: convertCurrency needs one`, blamed);
  }
  return converted(store, field, money.toUser);
}

/** Whether a condition compares with amounts of named currencies, as `USD5000`. */
export function namesCurrency(condition: ConditionWithValueQuery): boolean {
  return literalTypes(condition).some((type) => type.endsWith('_WITH_CURRENCY_PREFIX'));
}

function literalTypes(condition: ConditionWithValueQuery): readonly string[] {
  return 'literalType' in condition ? [condition.literalType ?? 'STRING'].flat() : [];
}

/**
 * Converts a condition on amounts of named currencies into one on amounts in the corporate currency. Throws MALFORMED_QUERY if amounts with
 * and without a currency are mixed, or if the org lacks a named currency.
 */
export function inCorporateCurrency(store: Store, condition: ConditionWithValueQuery): ConditionWithValueQuery {
  const money = moneyOf(store);
  if (money === null || !('value' in condition)) throw malformed('the org has one currency only');
  const amounts = [condition.value].flat().map((raw) => {
    const isoCode = raw.slice(0, 3).toUpperCase();
    if (/^[^A-Za-z]/.test(raw)) throw malformed('amounts with and without a currency cannot be mixed');
    if (!money.hasCurrency(isoCode)) throw malformed(`the org has no currency ${isoCode}`);
    return String(money.toCorporate(Number(raw.slice(3)), isoCode));
  });
  const value = Array.isArray(condition.value) ? amounts : (amounts[0] ?? '');
  return { ...condition, value, literalType: 'DECIMAL' } as ConditionWithValueQuery;
}
