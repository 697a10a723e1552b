import { z } from 'zod';
import { answerObject, flag, list, text } from '../schema/answer.ts';
import type { ApiVersion } from '../versions.ts';
import type { LicenseChargeBreakdown } from './charge-answers.ts';
import { chargeCondition } from './charge-schemas.ts';
import { coded } from './coded.ts';
import { amountDigits, roundDecimal } from './decimals.ts';
import type { Agreement, BusinessUnit, OrderDetail, OrderSummary, OrderTransaction, Site } from './order-answers.ts';
import { rename } from './rename.ts';
import { BILLING_CYCLES } from './values/charges.ts';
import { CONSENT_STATUSES, ORDER_STATUSES } from './values/order-statuses.ts';

/**
 * Schema of a site (a legal entity of an order). All schemas of this file (order spec 2.2 to 2.5) read both versions of the API into one
 * model: the names of version 1, codes as `Coded`, decimals as strings. Fields that the documents require must be present; others may be
 * missing or null. Unknown fields are kept in `extra`.
 */
const site = answerObject<Site>({
  id: z.string(),
  name: z.string(),
  localName: text,
  locationId: z.number(),
});

/** The schemas of the fields of an order's summary (order spec 2.2). */
function summaryMembers(version: ApiVersion) {
  return {
    transaction: answerObject<OrderTransaction>({
      id: z.string(),
      type: text,
      status: coded(ORDER_STATUSES, version),
      description: text,
    }),
    businessUnit: answerObject<BusinessUnit>({ id: z.string(), name: z.string(), localTimezone: z.string() }),
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

/** The schemas of the fields that an order has in addition to those of its summary (order spec 2.3). */
function detailMembers(version: ApiVersion) {
  return {
    agreement: answerObject<Agreement>({ type: z.string(), reference: text }),
    billToContact: text,
    sboNumber: text,
    customerRequestedArrivalDate: text,
    dsSalesRepresentative: text,
    isMultiYear: flag,
    hasExitClause: flag,
    recurringChargeBillingCycle: coded(BILLING_CYCLES, version),
    opportunityId: text,
    paymentTerms: text,
    licenseChargeConditions: list(chargeCondition(version)).transform((conditions) => conditions ?? []),
  };
}

export function orderSummary(version: ApiVersion) {
  return answerObject<OrderSummary>(summaryMembers(version));
}

export function orderDetail(version: ApiVersion) {
  const members = { ...summaryMembers(version), ...detailMembers(version) };
  const detail = answerObject<OrderDetail>(members).transform(
    (order): OrderDetail => ({
      ...order,
      licenseChargeConditions: order.licenseChargeConditions.map((condition) => ({
        ...condition,
        licenseChargeBreakdown: condition.licenseChargeBreakdown.map((line) =>
          roundAmounts(line, amountDigits(order.currency)),
        ),
      })),
    }),
  );
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

function roundAmounts(line: LicenseChargeBreakdown, digits: number): LicenseChargeBreakdown {
  const rounded = AMOUNTS.map((name) => {
    const amount = line[name];
    return [name, amount === null ? null : roundDecimal(amount, digits)] as const;
  });
  return { ...line, ...Object.fromEntries(rounded) };
}
