/** Longest id of an order (order spec 2.2). */
export const MAX_ORDER_ID_LENGTH = 13;

/** A legal entity (order spec 2.2). */
export type Site = {
  readonly id: string;
  readonly name: string;
  readonly localName?: string;
  readonly locationId: number;
};

/** One charge line of a condition (order spec 2.5), with the v1 names and codes. */
export type ChargeBreakdown = {
  readonly sequenceNumber: number;
  readonly installedBaseNumber?: string;
  readonly subOrderType: string;
  readonly revenueType: string;
  readonly portfolio: string;
  readonly release: string;
  readonly product: {
    readonly trigram: string;
    readonly type: string;
    readonly number: string;
    readonly name: string;
    readonly dsOffering: string;
  };
  readonly quantity: number;
  readonly unitListPrice: number;
  readonly totalListPrice: number;
  readonly distributorNetAmount: number;
  readonly distributorAnnualAmount: number;
  readonly distributorDiscountPercentage: number;
  readonly distributorMaximumMarginPercentage: number;
  readonly customerMaximumNetAmount: number;
  readonly customerMaximumAnnualAmount: number;
  readonly customerMinimumDiscountPercentage: number;
  readonly startDate: string;
  readonly endDate: string;
  readonly calculatedStartDate: string;
  readonly calculatedEndDate: string;
  readonly duration: number;
  readonly yearNumber: number;
  readonly coupon?: { readonly name: string; readonly discountPercentage: number };
  readonly inflation?: { readonly date: string; readonly ratio: number; readonly exception: string };
};

/** A charge condition (order spec 2.4). A waiver has exactly one of its two keys. */
export type ChargeCondition = {
  readonly sequenceNumber: number;
  readonly lineGroup: string;
  readonly onlineInstanceSeatId?: string;
  readonly orderType: string;
  readonly usageScope: string;
  readonly promotion?: { readonly id: string; readonly name: string; readonly combination: string };
  readonly waiver?: { readonly duration: number } | { readonly endDate: string };
  readonly licenseChargeBreakdown: readonly ChargeBreakdown[];
};

/** The summary of an order, which searches show (order spec 2.2), with the names and codes of v1. */
export type OrderSummary = {
  readonly transaction: {
    readonly id: string;
    readonly type: 'PO' | 'RN';
    readonly status: string;
    readonly description: string;
  };
  readonly businessUnit: { readonly id: string; readonly name: string; readonly localTimezone: string };
  readonly billToSite: Site;
  readonly soldToSite: Site;
  readonly creationDateTime: string;
  readonly dsReceivedPoDate?: string;
  readonly bookingDateTime?: string;
  readonly lastUpdateDateTime: string;
  readonly currency: string;
  readonly onlineConsentStatus: string;
  readonly billToSalesRepresentative?: string;
  readonly billToPoReference?: string;
};

/** A whole order as the simulator stores it: the summary and the fields of order spec 2.3, with the names and codes of v1. */
export type Order = OrderSummary & {
  readonly agreement: { readonly type: string; readonly reference?: string };
  readonly billToContact?: string;
  readonly sboNumber?: string;
  readonly customerRequestedArrivalDate?: string;
  readonly dsSalesRepresentative?: string;
  readonly isMultiYear: boolean;
  readonly hasExitClause: boolean;
  readonly recurringChargeBillingCycle: string;
  readonly opportunityId?: string;
  readonly paymentTerms?: string;
  readonly licenseChargeConditions: readonly ChargeCondition[];
};
