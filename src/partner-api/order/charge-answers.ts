import type { HasExtra } from '../extra.ts';
import type { Coded } from './values/coded.ts';

/** A license charge condition of an order (order spec 2.4). */
export interface LicenseChargeCondition extends HasExtra {
  /** Position of the charge condition: an integer. (order spec 2.4) */
  readonly sequenceNumber?: number | null;
  /** Id of the group to which the line belongs; the document does not explain it. (order spec 2.4) */
  readonly lineGroup?: string | null;
  /** Id of a cloud platform instance, and of a user's seat: at most 15 letters and digits. (order spec 2.4) */
  readonly onlineInstanceSeatId?: string | null;
  /** Kind of order: a code in v1, a name in v0. The vendor documents only a part of the values (2.9). (order spec 2.4) */
  readonly orderType: Coded | null;
  /** Scope of usage; the document lists no values. (order spec 2.4) */
  readonly usageScope?: string | null;
  /** The promotion of the charge condition. (order spec 2.4) */
  readonly promotion?: Promotion | null;
  /** The waiver, a period in which the charge is free or discounted: its duration or its end date. (order spec 2.4) */
  readonly waiver?: Waiver | null;
  /** The lines of the charge condition (2.5). (order spec 2.4) */
  readonly licenseChargeBreakdown: readonly LicenseChargeBreakdown[];
}

/** A promotion of a charge condition (order spec 2.4). */
export interface Promotion extends HasExtra {
  /** Id of the promotion. (order spec 2.4) */
  readonly id?: string | null;
  /** Name of the promotion. (order spec 2.4) */
  readonly name?: string | null;
  /** Combination of the promotion; the document does not explain it. (order spec 2.4) */
  readonly combination?: string | null;
}

/**
 * A waiver of a charge condition (order spec 2.4): a period in which the charge is free or discounted, given by a duration or an end date.
 */
export interface Waiver extends HasExtra {
  /** How long the charge is free or discounted: usually a number of months. (order spec 2.4) */
  readonly duration?: number | string | null;
  /** Until when the charge is free or discounted: a date, `YYYY-MM-DD`. (order spec 2.4) */
  readonly endDate?: string | null;
}

/**
 * A charge line: one of the lines into which a charge condition is divided (order spec 2.5). Its fields have the names of v1, whichever API
 * version was called.
 */
export interface LicenseChargeBreakdown extends HasExtra {
  /** Number of the line, given by the system: an integer from 1 to 999. (order spec 2.5) */
  readonly sequenceNumber?: number | null;
  /** Id of the installed base of the final customer: at most 40 characters. (order spec 2.5) */
  readonly installedBaseNumber?: string | null;
  /** Kind of line: a code in v1, a name in v0. The vendor documents only a part of the values (2.9). (order spec 2.5) */
  readonly subOrderType: Coded | null;
  /** Type of revenue, such as `YLC` for a yearly license charge (2.10). (order spec 2.5) */
  readonly revenueType: Coded | null;
  /** Product family: at most 50 characters. (order spec 2.5) */
  readonly portfolio?: string | null;
  /** Name of the release of the product: at most 50 characters. (order spec 2.5) */
  readonly release?: string | null;
  /** The product of the line. (order spec 2.5) */
  readonly product?: ChargedProduct | null;
  /** Quantity of the product: an integer from 1. (order spec 2.5) */
  readonly quantity?: number | null;
  /** List price of one unit of the product, in the currency of the order. (order spec 2.5) A decimal string. */
  readonly unitListPrice: string | null;
  /** List price of the whole quantity, in the currency of the order. (order spec 2.5) A decimal string. */
  readonly totalListPrice: string | null;
  /** Net amount for the partner, in the currency of the order. v0: `billToNetAmount`. (order spec 2.5) A decimal string. */
  readonly distributorNetAmount: string | null;
  /** Annual amount for the partner, in the currency of the order. v0: `billToAnnualAmount`. (order spec 2.5) A decimal string. */
  readonly distributorAnnualAmount: string | null;
  /** Discount of the partner in percent. v0: `billToDiscountPercentage`. (order spec 2.5) A decimal string. */
  readonly distributorDiscountPercentage: string | null;
  /** Largest margin of the partner in percent. v0: `billToMarginPercentage`. (order spec 2.5) A decimal string. */
  readonly distributorMaximumMarginPercentage: string | null;
  /**
   * Largest net amount for the customer, in the currency of the order. v0: `maximumCustomerNetAmount`. (order spec 2.5) A decimal string.
   */
  readonly customerMaximumNetAmount: string | null;
  /**
   * Largest annual amount for the customer, in the currency of the order. v0: `maximumCustomerAnnualAmount`. (order spec 2.5) A decimal
   * string.
   */
  readonly customerMaximumAnnualAmount: string | null;
  /** Smallest discount of the customer in percent. v0: `minimumCustomerDiscountPercentage`. (order spec 2.5) A decimal string. */
  readonly customerMinimumDiscountPercentage: string | null;
  /** Begin of the charge: a date. (order spec 2.5) */
  readonly startDate?: string | null;
  /** End of the charge: a date. (order spec 2.5) */
  readonly endDate?: string | null;
  /** Begin of the charge as the system calculated it: a date. (order spec 2.5) */
  readonly calculatedStartDate?: string | null;
  /** End of the charge as the system calculated it: a date. (order spec 2.5) */
  readonly calculatedEndDate?: string | null;
  /** Duration of the charge; the document names no unit. (order spec 2.5) A decimal string. */
  readonly duration: string | null;
  /** Number of a year, an integer; the document does not explain it. (order spec 2.5) */
  readonly yearNumber?: number | null;
  /** The coupon of the line. (order spec 2.5) */
  readonly coupon?: Coupon | null;
  /** The inflation of the line. (order spec 2.5) */
  readonly inflation?: Inflation | null;
}

/** The product of a charge line (order spec 2.5). */
export interface ChargedProduct extends HasExtra {
  /** Short code of the product (trigram). (order spec 2.5) */
  readonly trigram?: string | null;
  /** Type of the product: a code in v1, a name in v0 (2.11). (order spec 2.5) */
  readonly type: Coded | null;
  /** Product number. (order spec 2.5) */
  readonly number?: string | null;
  /** Name of the product. (order spec 2.5) */
  readonly name?: string | null;
  /** Offering that the product belongs to: a code in v1, a name in v0 (2.12). (order spec 2.5) */
  readonly dsOffering: Coded | null;
}

/** The coupon of a charge line (order spec 2.5). */
export interface Coupon extends HasExtra {
  /** Name of the coupon. (order spec 2.5) */
  readonly name?: string | null;
  /** Discount by the coupon, in percent. (order spec 2.5) A decimal string. */
  readonly discountPercentage: string | null;
}

/** The inflation of a charge line (order spec 2.5). */
export interface Inflation extends HasExtra {
  /** Date of the inflation; the document does not explain it. (order spec 2.5) */
  readonly date?: string | null;
  /** Ratio of the inflation; the document does not explain it. (order spec 2.5) A decimal string. */
  readonly ratio: string | null;
  /** Exception from the inflation: a text in v0, a code in v1; the document lists neither. (order spec 2.5) */
  readonly exception?: string | null;
}
