import { z } from 'zod';
import { answerObject, list, part, text } from '../schema/answer.ts';
import type { ApiVersion } from '../versions.ts';
import type {
  ChargedProduct,
  Coupon,
  Inflation,
  LicenseChargeBreakdown,
  LicenseChargeCondition,
  Promotion,
  Waiver,
} from './charge-answers.ts';
import { coded } from './coded.ts';
import { exactDecimal, optionalDecimal, RATIO_DIGITS } from './decimals.ts';
import { rename } from './rename.ts';
import { ORDER_TYPES, REVENUE_TYPES, SUB_ORDER_TYPES } from './values/charges.ts';
import { OFFERINGS, PRODUCT_TYPES } from './values/products.ts';

const integer = z.number().nullish();
const duration = z
  .union([z.number(), z.string().max(40)])
  .nullish()
  .transform((value) => (value === '' ? null : value));
const ratio = optionalDecimal(RATIO_DIGITS);

/** The names that version 0 has for the amounts of a charge line, each with the name in version 1 that means the same (order spec 2.5). */
const RENAMED_AMOUNTS = {
  billToNetAmount: 'distributorNetAmount',
  billToAnnualAmount: 'distributorAnnualAmount',
  billToDiscountPercentage: 'distributorDiscountPercentage',
  billToMarginPercentage: 'distributorMaximumMarginPercentage',
  maximumCustomerNetAmount: 'customerMaximumNetAmount',
  maximumCustomerAnnualAmount: 'customerMaximumAnnualAmount',
  minimumCustomerDiscountPercentage: 'customerMinimumDiscountPercentage',
} as const;

/** Makes the schema of a charge line (order spec 2.5). Amounts keep all digits; they are rounded once the order's currency is known. */
function chargeBreakdown(version: ApiVersion) {
  const line = answerObject<LicenseChargeBreakdown>({
    sequenceNumber: integer,
    installedBaseNumber: text,
    subOrderType: coded(SUB_ORDER_TYPES, version),
    revenueType: coded(REVENUE_TYPES, version),
    portfolio: text,
    release: text,
    product: part(
      answerObject<ChargedProduct>({
        trigram: text,
        type: coded(PRODUCT_TYPES, version),
        number: text,
        name: text,
        dsOffering: coded(OFFERINGS, version),
      }),
    ),
    quantity: integer,
    unitListPrice: exactDecimal,
    totalListPrice: exactDecimal,
    distributorNetAmount: exactDecimal,
    distributorAnnualAmount: exactDecimal,
    distributorDiscountPercentage: ratio,
    distributorMaximumMarginPercentage: ratio,
    customerMaximumNetAmount: exactDecimal,
    customerMaximumAnnualAmount: exactDecimal,
    customerMinimumDiscountPercentage: ratio,
    startDate: text,
    endDate: text,
    calculatedStartDate: text,
    calculatedEndDate: text,
    duration: ratio,
    yearNumber: integer,
    coupon: part(answerObject<Coupon>({ name: text, discountPercentage: ratio })),
    inflation: part(answerObject<Inflation>({ date: text, ratio, exception: text })),
  });
  return z.preprocess(rename(version === 'v0' ? RENAMED_AMOUNTS : {}), line);
}

/**
 * Makes the schema of a charge condition with its lines (order spec 2.4). Its waiver, a free or discounted period, has a duration (usually
 * in months) or an end date.
 */
export function chargeCondition(version: ApiVersion) {
  return answerObject<LicenseChargeCondition>({
    sequenceNumber: integer,
    lineGroup: text,
    onlineInstanceSeatId: text,
    orderType: coded(ORDER_TYPES, version),
    usageScope: text,
    promotion: part(answerObject<Promotion>({ id: text, name: text, combination: text })),
    waiver: part(answerObject<Waiver>({ duration, endDate: text })),
    licenseChargeBreakdown: list(chargeBreakdown(version)).transform((lines) => lines ?? []),
  });
}
