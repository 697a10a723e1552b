import type {
  Accreditation,
  GeneratedApiKey,
  PackageContent,
  PriceListCountry,
  ProductInformation,
  ProductPrice,
} from './order/catalog-answers.ts';
import type {
  NoInput,
  ReadOrderInput,
  SearchAccreditationsInput,
  SearchOrdersInput,
  SearchPackageContentInput,
  SearchProductInformationInput,
  SearchProductPricesInput,
} from './order/inputs.ts';
import type { OrderDetail, OrderSummary } from './order/order-answers.ts';
import type { CallOptions, Result } from './result.ts';
import type {
  CreatedLeadOpportunity,
  FoundLeadOpportunities,
  PortfolioItem,
  ReadLeadOpportunity,
  UpdatedLeadOpportunity,
} from './sales/answers.ts';
import type {
  CreateLeadOpportunityInput,
  ReadLeadOpportunityInput,
  SearchLeadOpportunitiesInput,
  SearchPortfolioItemsInput,
  UpdateLeadOpportunityInput,
} from './sales/inputs.ts';
import type { VersionedOperation } from './versions.ts';

/** An operation of the vendor's API that exists in one version only. Rejects with no other error than PartnerApiError. */
export type Operation<Input, Data> = (input: Input, options?: CallOptions) => Promise<Result<Data>>;

/**
 * An operation of the vendor's API that exists in one version only, and whose input may be left out. Rejects with no other error than
 * PartnerApiError.
 */
export type OptionalInputOperation<Input, Data> = (input?: Input, options?: CallOptions) => Promise<Result<Data>>;

/** Yields every row of a list that the vendor returns page by page. The paging parameters `skip` and `top` are set automatically. */
export type List<Input, Item> = (input: Input, options?: CallOptions) => AsyncGenerator<Item, void>;

/**
 * A client of the vendor's API, with one method per operation. Methods do not use `this`, and reject with no other error than
 * PartnerApiError.
 */
export interface PartnerApi extends SalesApi, OrderApi {}

/** The five operations of the vendor's sales API, and an async iterable over all rows of its paged list. */
export interface SalesApi {
  /** Creates a lead-opportunity (sales spec 4.1). Rejects with kind `duplicate` if a record with this partner reference exists (ERR801). */
  readonly createLeadOpportunity: VersionedOperation<CreateLeadOpportunityInput, CreatedLeadOpportunity>;
  /**
   * Changes some fields of the record with the vendor's `id` (sales spec 4.2). Fields that are left out keep their values. Send each array
   * complete, because the documents do not say whether the vendor keeps items that an array leaves out.
   */
  readonly updateLeadOpportunity: VersionedOperation<UpdateLeadOpportunityInput, UpdatedLeadOpportunity>;
  /** Reads a record (sales spec 4.3). Rejects with kind `out-of-scope` for an id that does not exist or belongs to another partner. */
  readonly readLeadOpportunity: VersionedOperation<ReadLeadOpportunityInput, ReadLeadOpportunity>;
  /**
   * Searches for records that meet all criteria, and returns their vendor ids (sales spec 4.4). Exists in version 0 only, which is not
   * deprecated for this operation.
   */
  readonly searchLeadOpportunities: Operation<SearchLeadOpportunitiesInput, FoundLeadOpportunities>;
  /** Lists a page of the portfolio (sales spec 4.5); without `top` the vendor gives up to 9999 items. */
  readonly searchPortfolioItems: OptionalInputOperation<SearchPortfolioItemsInput, PortfolioItem[]>;
  /** Yields every item of the portfolio. */
  readonly allPortfolioItems: List<SearchPortfolioItemsInput, PortfolioItem>;
}

/** The eight operations of the vendor's order API, and async iterables over all rows of its paged lists. */
export interface OrderApi {
  /**
   * Generates an API key and its hash (order spec 4.1). The vendor shows the key only this once. The key works only after the vendor has
   * registered the hash.
   */
  readonly generateApiKey: OptionalInputOperation<NoInput, GeneratedApiKey>;
  /** Searches for orders and returns one page of summaries (order spec 4.2). A page has `top` orders: 10 by default, 100 at most. */
  readonly searchOrders: VersionedOperation<SearchOrdersInput, OrderSummary[]>;
  /** Reads an order with its charges (order spec 4.3). The result has the same form in both API versions. */
  readonly readOrder: VersionedOperation<ReadOrderInput, OrderDetail>;
  /** Lists the partner's price lists per country (order spec 4.4). */
  readonly searchPriceLists: OptionalInputOperation<NoInput, PriceListCountry[]>;
  /** Lists a page of the partner's accreditations, at most 100 (order spec 4.5). */
  readonly searchAccreditations: VersionedOperation<SearchAccreditationsInput, Accreditation[]>;
  /** Lists a page of product prices by ascending product number, at most 100 (order spec 4.6). */
  readonly searchProductPrices: Operation<SearchProductPricesInput, ProductPrice[]>;
  /** Lists a page of product information by ascending product number, at most 100 (order spec 4.7). */
  readonly searchProductInformation: Operation<SearchProductInformationInput, ProductInformation[]>;
  /** Lists a page of the components of a package or offer, at most 10 (order spec 4.8). */
  readonly searchPackageContent: Operation<SearchPackageContentInput, PackageContent[]>;
  /**
   * Yields every order that meets the criteria. A time range may be longer than the documents allow for one search, because it is split
   * into several searches.
   */
  readonly allOrders: List<SearchOrdersInput, OrderSummary>;
  /** Yields every accreditation of the partner. */
  readonly allAccreditations: List<SearchAccreditationsInput, Accreditation>;
  /** Yields the prices of every product of an accreditation. */
  readonly allProductPrices: List<SearchProductPricesInput, ProductPrice>;
  /** Yields the product information of every product of an accreditation. */
  readonly allProductInformation: List<SearchProductInformationInput, ProductInformation>;
  /** Yields all components of a package or offer. */
  readonly allPackageContent: List<SearchPackageContentInput, PackageContent>;
}
