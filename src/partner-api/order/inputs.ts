import type { TakesExtra } from '../extra.ts';

/** A page of a list. */
export interface Page {
  readonly skip?: number | undefined;
  readonly top?: number | undefined;
}

/**
 * Criteria of an order search (order spec 4.2), joined by AND. At least one is needed beside `transactionType`, which
 * only narrows them.
 */
export interface SearchOrdersInput extends Page, TakesExtra {
  readonly creationDateTime?: TimeRange | undefined;
  readonly bookingDateTime?: TimeRange | undefined;
  readonly lastUpdateDateTime?: TimeRange | undefined;
  readonly installedBaseNumber?: string | undefined;
  readonly onlineInstanceSeatId?: string | undefined;
  readonly billToPoReferences?: readonly string[] | undefined;
  readonly transactionType?: 'PO' | 'RN' | undefined;
}

/** A range of instants (order spec 4.2), of which one bound may be left out. */
export interface TimeRange extends TakesExtra {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Which order to read (order spec 4.3). */
export interface ReadOrderInput {
  readonly id: string;
}

/** A page of accreditations (order spec 4.5). */
export interface SearchAccreditationsInput extends Page {}

/** An accreditation of the partner, whose products are asked for (order spec 4.6, 4.7). */
export interface AccreditationCriteria {
  readonly accreditationType: 'R' | 'I';
  readonly accreditationId: string;
}

/** Which product prices to list (order spec 4.6). */
export interface SearchProductPricesInput extends AccreditationCriteria, Page, TakesExtra {
  readonly priceListId: number;
  readonly priceListStatus?: string | undefined;
}

/** Which products to list (order spec 4.7). */
export interface SearchProductInformationInput extends AccreditationCriteria, Page, TakesExtra {}

/** Which package or offer to look into (order spec 4.8). */
export interface SearchPackageContentInput extends Page, TakesExtra {
  readonly number: string;
  readonly release: string;
}

/** The input of an operation that takes none. */
export type NoInput = Readonly<Record<string, never>>;
