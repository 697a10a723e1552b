import type { Text } from '../../record/canonical.ts';
import { ISSUES } from '../../record/issues.ts';
import { isCurrency } from '../../values/currency.ts';
import { CODE } from '../kinds/code.ts';
import { type Lens, neverToCrm, readValue, withhold } from '../lens.ts';

/** Translates the currency both ways. The CRM's price book determines it. An org with one currency uses the tenant's. */
export const CURRENCY: Lens<Text> = {
  ...CODE,
  fromCrm: (_, at) => readValue(at.currency),
  toCrm: neverToCrm,
  toNewCrm: (code, { config }) => (code && code !== config.currency ? { opportunity: { CurrencyIsoCode: code } } : {}),
  toVendor: (code, at) => (code && !isCurrency(code) ? withhold(ISSUES.badCurrency()) : CODE.toVendor(code, at)),
};
