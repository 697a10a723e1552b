import type { HasExtra } from '../extra.ts';
import type { LicenseChargeCondition } from './charge-answers.ts';
import type { Coded } from './values/coded.ts';

/** An order as a search shows it (order spec 2.2), in the names of v1. */
export interface OrderSummary extends HasExtra {
  readonly transaction: OrderTransaction;
  readonly businessUnit: BusinessUnit;
  readonly billToSite: Site;
  readonly soldToSite: Site;
  readonly creationDateTime: string;
  readonly dsReceivedPoDate?: string | null;
  readonly bookingDateTime?: string | null;
  readonly lastUpdateDateTime?: string | null;
  readonly currency: string;
  readonly onlineConsentStatus: Coded | null;
  readonly billToSalesRepresentative?: string | null;
  readonly billToPoReference?: string | null;
}

/** An order with its charges (order spec 2.3), in the names of v1. */
export interface OrderDetail extends OrderSummary {
  readonly agreement: Agreement;
  readonly billToContact?: string | null;
  readonly sboNumber?: string | null;
  readonly customerRequestedArrivalDate?: string | null;
  readonly dsSalesRepresentative?: string | null;
  readonly isMultiYear?: boolean | null;
  readonly hasExitClause?: boolean | null;
  readonly recurringChargeBillingCycle: Coded | null;
  readonly opportunityId?: string | null;
  readonly paymentTerms?: string | null;
  readonly licenseChargeConditions: readonly LicenseChargeCondition[];
}

/** What an order is: a purchase order or a renewal notification (order spec 2.2). */
export interface OrderTransaction extends HasExtra {
  readonly id: string;
  readonly type?: string | null;
  readonly status: Coded | null;
  readonly description?: string | null;
}

/** The vendor's business unit of an order (order spec 2.2). */
export interface BusinessUnit extends HasExtra {
  readonly id: string;
  readonly name: string;
  readonly localTimezone: string;
}

/** A legal entity of an order (order spec 2.2). */
export interface Site extends HasExtra {
  readonly id: string;
  readonly name: string;
  readonly localName?: string | null;
  readonly locationId: number;
}

/** The agreement of an order (order spec 2.3). */
export interface Agreement extends HasExtra {
  readonly type: string;
  readonly reference?: string | null;
}
