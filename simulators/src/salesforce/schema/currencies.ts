import { choice, field, flag, readOnly } from './fields.ts';
import type { Currency, FieldDef } from './types.ts';

const CURRENCY = /^([A-Z]{3})(?:=(\d+(?:\.\d+)?))?$/;

/**
 * The currencies of an org from `CODE` or `CODE=RATE`, the corporate one first. A currency without a rate gets the rate 1. Throws with a
 * sentence when a text has neither form, a rate is not above 0, a currency is given twice, or the corporate one has another rate than 1.
 */
export function readCurrencies(texts: readonly string[]): readonly Currency[] {
  const currencies = texts.map((text): Currency => {
    const [, isoCode, rate = '1'] = CURRENCY.exec(text) ?? [];
    if (isoCode === undefined || Number(rate) === 0) {
      throw new Error(`A currency is three capital letters, with =RATE where it has one: not ${text}.`);
    }
    return { isoCode, rate: Number(rate) };
  });
  if (new Set(currencies.map(({ isoCode }) => isoCode)).size < currencies.length) {
    throw new Error('Each currency stands once.');
  }
  if (currencies[0] !== undefined && currencies[0].rate !== 1) {
    throw new Error('Rates count from the corporate currency, the first one, whose own is 1.');
  }
  return currencies;
}

/** Fields of CurrencyType (Object Reference). All currencies are active, and API clients only set their rates. */
export function currencyType(currencies: readonly Currency[]): readonly FieldDef[] {
  const codes = currencies.map(({ isoCode }) => isoCode);
  return [
    choice('IsoCode', codes, { ...readOnly, nillable: false, restricted: true }),
    field('ConversionRate', 'double', { precision: 18, scale: 6, nillable: false }),
    field('DecimalPlaces', 'int', { precision: 1, nillable: false, defaultValue: 2 }),
    flag('IsActive', { ...readOnly, defaultValue: true }),
    flag('IsCorporate', readOnly),
  ];
}

/** Standard objects whose rows have a currency in a multi-currency org, as rows of custom objects have. */
const WITH_CURRENCY = new Set([
  'Account',
  'Contact',
  'Opportunity',
  'OpportunityLineItem',
  'Product2',
  'PricebookEntry',
  'Lead',
  'Case',
  'Task',
]);

/** The currency fields of an object, in an org with several currencies. */
export function currencyFields(object: string, currencies: readonly Currency[], isCustom = false): readonly FieldDef[] {
  const [corporate] = currencies;
  if (corporate === undefined) return [];
  const codes = currencies.map(({ isoCode }) => isoCode);
  const listed = { restricted: true, defaultValue: corporate.isoCode };
  if (object === 'User') return [choice('DefaultCurrencyIsoCode', codes, listed)];
  if (!isCustom && !WITH_CURRENCY.has(object)) return [];
  const access = object === 'OpportunityLineItem' ? readOnly : {};
  return [choice('CurrencyIsoCode', codes, { ...listed, ...access })];
}
