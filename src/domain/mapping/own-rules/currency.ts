import type { Text } from '../../record/canonical.ts';
import { ISSUES } from '../../record/issues.ts';
import { isCurrency } from '../../values/currency.ts';
import { CODE } from '../kinds/code.ts';
import { type Lens, neverToCrm, readValue, withhold } from '../lens.ts';

/**
 * Translates the currency between the CRM and the vendor. In the CRM, the opportunity's price book determines the currency; for an org with
 * a single currency, the tenant file contains it.
 */
export const CURRENCY: Lens<Text> = {
  ...CODE,
  // It decides what the vendor's amounts mean, and vendor users may have changed these since the last read.
  scalar: false,
  fromCrm: (_, at) => readValue(at.currency),
  toCrm: neverToCrm,
  toNewCrm: (code, { config }) => (code && code !== config.currency ? { opportunity: { CurrencyIsoCode: code } } : {}),
  toVendor: (code, at) => (code && !isCurrency(code) ? withhold(ISSUES.badCurrency()) : CODE.toVendor(code, at)),
};
