import type { Text } from '../../record/canonical.ts';
import { ISSUES } from '../../record/issues.ts';
import { isCurrency } from '../../values/currency.ts';
import { CODE } from '../kinds/code.ts';
import { type Lens, neverToCrm, readValue, withhold } from '../lens.ts';

/** Translates the currency both ways. In the CRM, the price book determines it; for an org with one currency, the tenant file names it. */
export const CURRENCY: Lens<Text> = {
  ...CODE,
  fromCrm: (_, at) => readValue(at.currency),
  toCrm: neverToCrm,
  toNewCrm: (code, { config }) => (code && code !== config.currency ? { opportunity: { CurrencyIsoCode: code } } : {}),
  toVendor: (code, at) => (code && !isCurrency(code) ? withhold(ISSUES.badCurrency()) : CODE.toVendor(code, at)),
};
