import {
  BILLING_CYCLES,
  CONSENT_STATUSES,
  DS_OFFERINGS,
  displayName,
  INFLATION_EXCEPTIONS,
  ORDER_STATUSES,
  ORDER_TYPES,
  PRODUCT_TYPES,
  SUB_ORDER_TYPES,
} from './codes.ts';
import type { ChargeBreakdown, ChargeCondition, Order, OrderSummary } from './order.ts';

export type OrderVersion = 'v0' | 'v1';

/** The summary of an order (order spec 2.2): display names in v0, codes in v1. */
export function toSummary(order: OrderSummary, version: OrderVersion): object {
  const { transaction, businessUnit, billToSite, soldToSite, creationDateTime, currency } = order;
  const isNamed = version === 'v0';
  return {
    transaction: isNamed ? { ...transaction, status: displayName(ORDER_STATUSES, transaction.status) } : transaction,
    businessUnit,
    billToSite,
    soldToSite,
    creationDateTime,
    dsReceivedPoDate: order.dsReceivedPoDate,
    bookingDateTime: order.bookingDateTime,
    lastUpdateDateTime: order.lastUpdateDateTime,
    currency,
    onlineConsentStatus: isNamed ? displayName(CONSENT_STATUSES, order.onlineConsentStatus) : order.onlineConsentStatus,
    billToSalesRepresentative: order.billToSalesRepresentative,
    billToPoReference: order.billToPoReference,
  };
}

/** The whole order (order spec 2.2 to 2.5): v0 has display names, `opportunity` and the older amount names. */
export function toDetail(order: Order, version: OrderVersion): object {
  const { opportunityId, licenseChargeConditions: conditions } = order;
  const common = {
    ...toSummary(order, version),
    agreement: order.agreement,
    billToContact: order.billToContact,
    sboNumber: order.sboNumber,
    customerRequestedArrivalDate: order.customerRequestedArrivalDate,
    dsSalesRepresentative: order.dsSalesRepresentative,
    isMultiYear: order.isMultiYear,
    hasExitClause: order.hasExitClause,
    paymentTerms: order.paymentTerms,
  };
  const cycle = order.recurringChargeBillingCycle;
  if (version === 'v1') {
    return {
      ...common,
      recurringChargeBillingCycle: cycle,
      opportunityId,
      licenseChargeConditions: conditions,
    };
  }
  return {
    ...common,
    recurringChargeBillingCycle: displayName(BILLING_CYCLES, cycle),
    opportunity: opportunityId,
    licenseChargeConditions: conditions.map(toV0Condition),
  };
}

function toV0Condition(condition: ChargeCondition): object {
  return {
    ...condition,
    orderType: displayName(ORDER_TYPES, condition.orderType),
    licenseChargeBreakdown: condition.licenseChargeBreakdown.map(toV0Breakdown),
  };
}

function toV0Breakdown(breakdown: ChargeBreakdown): object {
  const {
    distributorNetAmount,
    distributorAnnualAmount,
    distributorDiscountPercentage,
    distributorMaximumMarginPercentage,
    customerMaximumNetAmount,
    customerMaximumAnnualAmount,
    customerMinimumDiscountPercentage,
    product,
    inflation,
    ...rest
  } = breakdown;
  return {
    ...rest,
    subOrderType: displayName(SUB_ORDER_TYPES, breakdown.subOrderType),
    product: {
      ...product,
      type: displayName(PRODUCT_TYPES, product.type),
      dsOffering: displayName(DS_OFFERINGS, product.dsOffering),
    },
    billToNetAmount: distributorNetAmount,
    billToAnnualAmount: distributorAnnualAmount,
    billToDiscountPercentage: distributorDiscountPercentage,
    billToMarginPercentage: distributorMaximumMarginPercentage,
    maximumCustomerNetAmount: customerMaximumNetAmount,
    maximumCustomerAnnualAmount: customerMaximumAnnualAmount,
    minimumCustomerDiscountPercentage: customerMinimumDiscountPercentage,
    ...(inflation !== undefined && {
      inflation: { ...inflation, exception: displayName(INFLATION_EXCEPTIONS, inflation.exception) },
    }),
  };
}
