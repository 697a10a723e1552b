import type { HasExtra } from '../extra.ts';
import type { LicenseChargeCondition } from './charge-answers.ts';
import type { Coded } from './values/coded.ts';

/** An order as a search returns it (order spec 2.2). Its fields have the names of v1, whichever API version was called. */
export interface OrderSummary extends HasExtra {
  /** What the order is: a purchase order or a renewal notification. (order spec 2.2) */
  readonly transaction: OrderTransaction;
  /** The vendor's business unit of the order. (order spec 2.2) */
  readonly businessUnit: BusinessUnit;
  /** The legal entity that is invoiced. (order spec 2.2) */
  readonly billToSite: Site;
  /** The legal entity of the final customer. (order spec 2.2) */
  readonly soldToSite: Site;
  /** When the order was created: a date-time in UTC. (order spec 2.2) */
  readonly creationDateTime: string;
  /** When the vendor received the order: a date, `YYYY-MM-DD`. (order spec 2.2) */
  readonly dsReceivedPoDate?: string | null;
  /** When the finance department approved the order: a date-time in UTC. (order spec 2.2) */
  readonly bookingDateTime?: string | null;
  /** When the order was last modified: a date-time in UTC, set by the system on every modification. (order spec 2.2) */
  readonly lastUpdateDateTime?: string | null;
  /** Currency of all amounts: exactly 3 uppercase letters (ISO 4217). (order spec 2.2) */
  readonly currency: string;
  /**
   * Status of the online consent request: `A` accepted, `T` expired, `X` not applicable, `N` not requested, `R` refused, `S` requested. v0
   * shows names instead of these letters (2.6). Default: an empty string. (order spec 2.2)
   */
  readonly onlineConsentStatus: Coded | null;
  /** Name of the sales representative of the bill-to site. (order spec 2.2) */
  readonly billToSalesRepresentative?: string | null;
  /** The order's id in the bill-to site's own ordering system; shown on the vendor's invoice, if there is one. (order spec 2.2) */
  readonly billToPoReference?: string | null;
}

/** An order with its charges, as a read returns it (order spec 2.3). Its fields have the names of v1, whichever API version was called. */
export interface OrderDetail extends OrderSummary {
  /** The agreement of the order. (order spec 2.3) */
  readonly agreement: Agreement;
  /** Contact at the bill-to site, as `LASTNAME, Firstname`. (order spec 2.3) */
  readonly billToContact?: string | null;
  /** Number of the special bid offer that the order is based on: at most 10 characters. (order spec 2.3) */
  readonly sboNumber?: string | null;
  /**
   * Requested delivery date, not binding: a date. Support never starts before it; license keys stay inactive until support starts. (order
   * spec 2.3)
   */
  readonly customerRequestedArrivalDate?: string | null;
  /** The vendor's sales representative, as `LASTNAME, Firstname`. (order spec 2.3) */
  readonly dsSalesRepresentative?: string | null;
  /** Whether the order is part of a multi-year deal. (order spec 2.3) */
  readonly isMultiYear?: boolean | null;
  /** Whether the agreement has an exit clause that asks for early-termination fees. (order spec 2.3) */
  readonly hasExitClause?: boolean | null;
  /**
   * How often charges of type ALC and ASC are invoiced: a code in v1, a name in v0 (2.8). Proration uses months of 30 days. (order spec
   * 2.3)
   */
  readonly recurringChargeBillingCycle: Coded | null;
  /** Id of the sales opportunity that is linked to the order. v0 calls it `opportunity`. (order spec 2.3) */
  readonly opportunityId?: string | null;
  /** Terms of payment, from the finance department: at most 50 characters. (order spec 2.3) */
  readonly paymentTerms?: string | null;
  /** The license charge conditions of the order (2.4). (order spec 2.3) */
  readonly licenseChargeConditions: readonly LicenseChargeCondition[];
}

/** What an order is: a purchase order or a renewal notification (order spec 2.2). */
export interface OrderTransaction extends HasExtra {
  /** Id of the purchase order or renewal notification: at most 13 characters. (order spec 2.2) */
  readonly id: string;
  /** `PO` (purchase order) or `RN` (renewal notification). (order spec 2.2) */
  readonly type?: string | null;
  /** Status of the order: a code in v1, a name in v0 (2.6). (order spec 2.2) */
  readonly status: Coded | null;
  /** Description of the order: at most 30 characters. (order spec 2.2) */
  readonly description?: string | null;
}

/** The vendor's business unit of an order (order spec 2.2). */
export interface BusinessUnit extends HasExtra {
  /** Id of the business unit: exactly 5 characters. (order spec 2.2) */
  readonly id: string;
  /** Name of the business unit: at most 25 characters. (order spec 2.2) */
  readonly name: string;
  /** Abbreviation of the time zone of the business unit (2.7). (order spec 2.2) */
  readonly localTimezone: string;
}

/** A legal entity of an order (order spec 2.2). */
export interface Site extends HasExtra {
  /** Id of the legal entity: at most 15 characters. (order spec 2.2) */
  readonly id: string;
  /** Registered name of the legal entity in English: at most 120 characters. (order spec 2.2) */
  readonly name: string;
  /** Registered name of the legal entity in the local language: at most 120 characters. (order spec 2.2) */
  readonly localName?: string | null;
  /** Id of the location of the legal entity: an integer from 1 to 999. (order spec 2.2) */
  readonly locationId: number;
}

/** The agreement of an order (order spec 2.3). */
export interface Agreement extends HasExtra {
  /** Type of the agreement: at most 100 characters. (order spec 2.3) */
  readonly type: string;
  /** Title of the agreement: at most 254 characters. Only for types whose sub-group is instantiated. (order spec 2.3) */
  readonly reference?: string | null;
}
