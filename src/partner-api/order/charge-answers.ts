import type { HasExtra } from '../extra.ts';
import type { Coded } from './values/coded.ts';

/** A license charge condition of an order (order spec 2.4). */
export interface LicenseChargeCondition extends HasExtra {
  readonly sequenceNumber?: number | null;
  readonly lineGroup?: string | null;
  readonly onlineInstanceSeatId?: string | null;
  readonly orderType: Coded | null;
  readonly usageScope?: string | null;
  readonly promotion?: Promotion | null;
  readonly waiver?: Waiver | null;
  readonly licenseChargeBreakdown: readonly LicenseChargeBreakdown[];
}

/** A promotion of a charge condition (order spec 2.4). */
export interface Promotion extends HasExtra {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly combination?: string | null;
}

/** A waiver of a charge condition (order spec 2.4): it has a duration or an end date. */
export interface Waiver extends HasExtra {
  readonly duration?: number | string | null;
  readonly endDate?: string | null;
}

/** A line of a charge condition (order spec 2.5), in the names of v1. */
export interface LicenseChargeBreakdown extends HasExtra {
  readonly sequenceNumber?: number | null;
  readonly installedBaseNumber?: string | null;
  readonly subOrderType: Coded | null;
  readonly revenueType: Coded | null;
  readonly portfolio?: string | null;
  readonly release?: string | null;
  readonly product?: ChargedProduct | null;
  readonly quantity?: number | null;
  readonly unitListPrice: string | null;
  readonly totalListPrice: string | null;
  readonly distributorNetAmount: string | null;
  readonly distributorAnnualAmount: string | null;
  readonly distributorDiscountPercentage: string | null;
  readonly distributorMaximumMarginPercentage: string | null;
  readonly customerMaximumNetAmount: string | null;
  readonly customerMaximumAnnualAmount: string | null;
  readonly customerMinimumDiscountPercentage: string | null;
  readonly startDate?: string | null;
  readonly endDate?: string | null;
  readonly calculatedStartDate?: string | null;
  readonly calculatedEndDate?: string | null;
  readonly duration: string | null;
  readonly yearNumber?: number | null;
  readonly coupon?: Coupon | null;
  readonly inflation?: Inflation | null;
}

/** The product of a charge line (order spec 2.5). */
export interface ChargedProduct extends HasExtra {
  readonly trigram?: string | null;
  readonly type: Coded | null;
  readonly number?: string | null;
  readonly name?: string | null;
  readonly dsOffering: Coded | null;
}

/** The coupon of a charge line (order spec 2.5). */
export interface Coupon extends HasExtra {
  readonly name?: string | null;
  readonly discountPercentage: string | null;
}

/** The inflation of a charge line (order spec 2.5). */
export interface Inflation extends HasExtra {
  readonly date?: string | null;
  readonly ratio: string | null;
  readonly exception?: string | null;
}
