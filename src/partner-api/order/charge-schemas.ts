import { z } from 'zod';
import type { ApiVersion } from '../versions.ts';
import { coded } from './coded.ts';
import { exactDecimal, optionalDecimal, RATIO_DIGITS } from './decimals.ts';
import { rename } from './rename.ts';
import { ORDER_TYPES, REVENUE_TYPES, SUB_ORDER_TYPES } from './values/charges.ts';
import { OFFERINGS, PRODUCT_TYPES } from './values/products.ts';

const text = z.string().nullish();
const integer = z.number().nullish();
const ratio = optionalDecimal(RATIO_DIGITS);

/** v0 names of breakdown amounts and their v1 names, which mean the same (order spec 2.5). */
const RENAMED_AMOUNTS = {
  billToNetAmount: 'distributorNetAmount',
  billToAnnualAmount: 'distributorAnnualAmount',
  billToDiscountPercentage: 'distributorDiscountPercentage',
  billToMarginPercentage: 'distributorMaximumMarginPercentage',
  maximumCustomerNetAmount: 'customerMaximumNetAmount',
  maximumCustomerAnnualAmount: 'customerMaximumAnnualAmount',
  minimumCustomerDiscountPercentage: 'customerMinimumDiscountPercentage',
} as const;

/** Order spec 2.5. Amounts keep all digits here: how many count depends on the order's currency. */
function chargeBreakdown(version: ApiVersion) {
  const line = z.looseObject({
    sequenceNumber: integer,
    installedBaseNumber: text,
    subOrderType: coded(SUB_ORDER_TYPES, version),
    revenueType: coded(REVENUE_TYPES, version),
    portfolio: text,
    release: text,
    product: z
      .looseObject({
        trigram: text,
        type: coded(PRODUCT_TYPES, version),
        number: text,
        name: text,
        dsOffering: coded(OFFERINGS, version),
      })
      .nullish(),
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
    coupon: z.looseObject({ name: text, discountPercentage: ratio }).nullish(),
    /** `exception` is a text in v0 and a code in v1; neither list is shown. */
    inflation: z.looseObject({ date: text, ratio, exception: text }).nullish(),
  });
  return z.preprocess(rename(version === 'v0' ? RENAMED_AMOUNTS : {}), line);
}

/** Order spec 2.4. A waiver has a duration (usually months) or an end date. */
export function chargeCondition(version: ApiVersion) {
  return z.looseObject({
    sequenceNumber: integer,
    lineGroup: text,
    onlineInstanceSeatId: text,
    orderType: coded(ORDER_TYPES, version),
    usageScope: text,
    promotion: z.looseObject({ id: text, name: text, combination: text }).nullish(),
    waiver: z.looseObject({ duration: z.union([z.number(), z.string()]).nullish(), endDate: text }).nullish(),
    licenseChargeBreakdown: z
      .array(chargeBreakdown(version))
      .nullish()
      .transform((lines) => lines ?? []),
  });
}
