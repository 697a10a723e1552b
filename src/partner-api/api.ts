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

/** An operation that has only one API version. Rejects with a PartnerApiError only. */
export type Operation<Input, Data> = (input: Input, options?: CallOptions) => Promise<Result<Data>>;

/** Like `Operation`, but the input may be left out. */
export type OptionalInputOperation<Input, Data> = (input?: Input, options?: CallOptions) => Promise<Result<Data>>;

/** An operation that yields every row of a paged list. It sets the paging parameters `skip` and `top`. */
export type List<Input, Item> = (input: Input, options?: CallOptions) => AsyncGenerator<Item, void>;

/** The vendor's API, one method per operation. Methods do not use `this`, and reject with a PartnerApiError only. */
export interface PartnerApi extends SalesApi, OrderApi {}

/** The five operations of the sales domain, and its paged list as an async iterable. */
export interface SalesApi {
  /** Creates a lead-opportunity (sales spec 4.1). A taken partner reference rejects with kind `duplicate` (ERR801). */
  readonly createLeadOpportunity: VersionedOperation<CreateLeadOpportunityInput, CreatedLeadOpportunity>;
  /**
   * Updates the record with the vendor's `id` in part (sales spec 4.2); omitted fields stay. Send arrays complete, because the documents do
   * not say what a partial array does.
   */
  readonly updateLeadOpportunity: VersionedOperation<UpdateLeadOpportunityInput, UpdatedLeadOpportunity>;
  /** Reads a record (sales spec 4.3). An id that does not exist or is not ours rejects with kind `out-of-scope`. */
  readonly readLeadOpportunity: VersionedOperation<ReadLeadOpportunityInput, ReadLeadOpportunity>;
  /** Searches the vendor ids that meet all criteria (sales spec 4.4). Exists as v0 only, and is not deprecated. */
  readonly searchLeadOpportunities: Operation<SearchLeadOpportunitiesInput, FoundLeadOpportunities>;
  /** Lists a page of the portfolio (sales spec 4.5); without `top` the vendor gives up to 9999 items. */
  readonly searchPortfolioItems: OptionalInputOperation<SearchPortfolioItemsInput, PortfolioItem[]>;
  /** Every item of the portfolio. */
  readonly allPortfolioItems: List<SearchPortfolioItemsInput, PortfolioItem>;
}

/** The eight operations of the order API, and its paged lists as async iterables. */
export interface OrderApi {
  /** Generates a key and its hash (order spec 4.1), which the vendor shows only once. The key works once its hash is registered. */
  readonly generateApiKey: OptionalInputOperation<NoInput, GeneratedApiKey>;
  /** Searches orders: one page of summaries, at most 100, 10 without `top` (order spec 4.2). */
  readonly searchOrders: VersionedOperation<SearchOrdersInput, OrderSummary[]>;
  /** Reads an order with its charges, in one model for both versions (order spec 4.3). */
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
  /** Every order that meets the criteria. A time range may be longer than the documented limit. */
  readonly allOrders: List<SearchOrdersInput, OrderSummary>;
  /** Every accreditation of the partner. */
  readonly allAccreditations: List<SearchAccreditationsInput, Accreditation>;
  /** The prices of every product of an accreditation. */
  readonly allProductPrices: List<SearchProductPricesInput, ProductPrice>;
  /** The product information of every product of an accreditation. */
  readonly allProductInformation: List<SearchProductInformationInput, ProductInformation>;
  /** All components of a package or offer. */
  readonly allPackageContent: List<SearchPackageContentInput, PackageContent>;
}
