import { z } from 'zod';
import type { ApiVersion } from '../versions.ts';
import { chargeCondition } from './charge-schemas.ts';
import { coded } from './coded.ts';
import { amountDigits, roundDecimal } from './decimals.ts';
import { rename } from './rename.ts';
import { BILLING_CYCLES } from './values/charges.ts';
import { CONSENT_STATUSES, ORDER_STATUSES } from './values/order-statuses.ts';

/**
 * Orders as answered (order spec 2.2 to 2.5), read into one model: v1's names, values of open sets as `Coded`,
 * decimals as strings. Members that the documents require must be there; all else may be missing or null, and
 * unknown members are kept.
 */
const text = z.string().nullish();

const site = z.looseObject({ id: z.string(), name: z.string(), localName: text, locationId: z.number() });

/** Order spec 2.2. */
function summaryMembers(version: ApiVersion) {
  return {
    transaction: z.looseObject({
      id: z.string(),
      /** `PO` or `RN`. */
      type: text,
      status: coded(ORDER_STATUSES, version),
      description: text,
    }),
    businessUnit: z.looseObject({ id: z.string(), name: z.string(), localTimezone: z.string() }),
    billToSite: site,
    soldToSite: site,
    creationDateTime: z.string(),
    dsReceivedPoDate: text,
    bookingDateTime: text,
    lastUpdateDateTime: text,
    currency: z.string(),
    onlineConsentStatus: coded(CONSENT_STATUSES, version),
    billToSalesRepresentative: text,
    billToPoReference: text,
  };
}

/** Order spec 2.3. */
function detailMembers(version: ApiVersion) {
  return {
    agreement: z.looseObject({ type: z.string(), reference: text }),
    billToContact: text,
    sboNumber: text,
    customerRequestedArrivalDate: text,
    dsSalesRepresentative: text,
    isMultiYear: z.boolean().nullish(),
    hasExitClause: z.boolean().nullish(),
    recurringChargeBillingCycle: coded(BILLING_CYCLES, version),
    opportunityId: text,
    paymentTerms: text,
    licenseChargeConditions: z
      .array(chargeCondition(version))
      .nullish()
      .transform((conditions) => conditions ?? []),
  };
}

export function orderSummary(version: ApiVersion) {
  return z.looseObject(summaryMembers(version));
}

export function orderDetail(version: ApiVersion) {
  const detail = z
    .looseObject({ ...summaryMembers(version), ...detailMembers(version) })
    .transform((order) => ({
      ...order,
      licenseChargeConditions: order.licenseChargeConditions.map((condition) => ({
        ...condition,
        licenseChargeBreakdown: condition.licenseChargeBreakdown.map((line) =>
          roundAmounts(line, amountDigits(order.currency)),
        ),
      })),
    }));
  return z.preprocess(rename(version === 'v0' ? { opportunity: 'opportunityId' } : {}), detail);
}

const AMOUNTS = [
  'unitListPrice',
  'totalListPrice',
  'distributorNetAmount',
  'distributorAnnualAmount',
  'customerMaximumNetAmount',
  'customerMaximumAnnualAmount',
] as const;

function roundAmounts<Line extends Record<(typeof AMOUNTS)[number], string | null>>(
  line: Line,
  digits: number,
) {
  const rounded = AMOUNTS.map((name) => {
    const amount = line[name];
    return [name, amount === null ? null : roundDecimal(amount, digits)] as const;
  });
  return { ...line, ...Object.fromEntries(rounded) };
}

export type OrderSummary = z.output<ReturnType<typeof orderSummary>>;
export type OrderDetail = z.output<ReturnType<typeof orderDetail>>;
