import type { TakesExtra } from '../extra.ts';

/**
 * Criteria of an order search (order spec 4.2). An order must meet all of them. At least one criterion besides `transactionType` is
 * required, because `transactionType` only narrows the result.
 */
export interface SearchOrdersInput extends TakesExtra {
  /** When the order was created: a window of at most 7 days. (order spec 4.2) */
  readonly creationDateTime?: TimeRange | undefined;
  /** When the finance department approved the order: a window of at most 7 days. (order spec 4.2) */
  readonly bookingDateTime?: TimeRange | undefined;
  /** When the order was last modified: a window of at most 3 days. (order spec 4.2) */
  readonly lastUpdateDateTime?: TimeRange | undefined;
  /** Id of an installed base: at most 40 characters. (order spec 4.2) */
  readonly installedBaseNumber?: string | undefined;
  /** Id of a cloud platform instance or of a user's seat: at most 15 characters. (order spec 4.2) */
  readonly onlineInstanceSeatId?: string | undefined;
  /** Order ids of the bill-to site's own system: one at least, each at most 60 characters. (order spec 4.2) */
  readonly billToPoReferences?: readonly string[] | undefined;
  /** `PO` or `RN`; if absent, both. (order spec 4.2) */
  readonly transactionType?: 'PO' | 'RN' | undefined;
  /** How many orders to skip: an integer from 0; default 0. (order spec 4.2) */
  readonly skip?: number | undefined;
  /** How many orders to give at most: an integer from 1 to 100; default 10. (order spec 4.2) */
  readonly top?: number | undefined;
}

/** A range of instants (order spec 4.2). One of the two bounds may be absent. */
export interface TimeRange extends TakesExtra {
  /** Begin of the time window: a date-time in UTC, not in the future. If absent, computed from `to`. (order spec 4.2) */
  readonly from?: string | undefined;
  /** End of the time window: a date-time in UTC, later than `from`. If absent, computed from `from`, up to now. (order spec 4.2) */
  readonly to?: string | undefined;
}

/** Which order to read (order spec 4.3). */
export interface ReadOrderInput {
  /** The vendor's reference of the order; goes into the path. (order spec 4.3) */
  readonly id: string;
}

/** Which page of accreditations to read (order spec 4.5). */
export interface SearchAccreditationsInput {
  /** How many rows to skip: an integer from 0; default 0. (order spec 4.5 to 4.7) */
  readonly skip?: number | undefined;
  /** How many rows to give at most: an integer from 1 to 100; default 100. (order spec 4.5 to 4.7) */
  readonly top?: number | undefined;
}

/** Which products to list (order spec 4.7): those of an accreditation of the partner. */
export interface SearchProductInformationInput extends TakesExtra {
  /** `R` (portfolio) or `I` (industry process experience). Required. (order spec 4.6, 4.7) */
  readonly accreditationType: 'R' | 'I';
  /** Id of the accreditation: at most 15 uppercase letters and digits. Required. (order spec 4.6, 4.7) */
  readonly accreditationId: string;
  /** How many rows to skip: an integer from 0; default 0. (order spec 4.5 to 4.7) */
  readonly skip?: number | undefined;
  /** How many rows to give at most: an integer from 1 to 100; default 100. (order spec 4.5 to 4.7) */
  readonly top?: number | undefined;
}

/** Which product prices to list (order spec 4.6): those of an accreditation and a price list. */
export interface SearchProductPricesInput extends SearchProductInformationInput {
  /** Id of the price list: at most 2 digits. Required. (order spec 4.6) */
  readonly priceListId: number;
  /** Selects the price list by its status, 1 character: default `C`; examples also use `F`. The meanings are not shown. (order spec 4.6) */
  readonly priceListStatus?: string | undefined;
}

/** The package or offer whose components are read (order spec 4.8). */
export interface SearchPackageContentInput extends TakesExtra {
  /** Product number of the package or offer: at most 20 characters. Required. (order spec 4.8) */
  readonly number: string;
  /** Name of the release: at most 50 characters. Required. (order spec 4.8) */
  readonly release: string;
  /** How many rows to skip: an integer from 0; default 0. (order spec 4.8) */
  readonly skip?: number | undefined;
  /** How many rows to give at most: an integer from 1 to 10; default 10. (order spec 4.8) */
  readonly top?: number | undefined;
}

/** The input of an operation without parameters. */
export type NoInput = Readonly<Record<string, never>>;
