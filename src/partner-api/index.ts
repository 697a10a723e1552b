export type { CallOptions, Result } from './call.ts';
export { createPartnerApi, type PartnerApi } from './client.ts';
export type { DeprecatedUse } from './deprecation.ts';
export type { Info } from './envelope.ts';
export { PartnerApiError, type PartnerApiErrorKind, type Sent } from './errors.ts';
export type { OpenCode } from './open-set.ts';
export type { PartnerApiOptions } from './options.ts';
export type {
  Accreditation,
  GeneratedApiKey,
  PackageContent,
  PriceListCountry,
  ProductInformation,
  ProductPrice,
} from './order/catalog-schemas.ts';
export {
  type Coded,
  codeOfName,
  findUnknownValues,
  nameOfCode,
  type UnknownValue,
  type ValueRow,
  type ValueTable,
} from './order/coded.ts';
export type {
  ReadOrderInput,
  SearchAccreditationsInput,
  SearchOrdersInput,
  SearchPackageContentInput,
  SearchProductInformationInput,
  SearchProductPricesInput,
} from './order/criteria.ts';
export type { OrderDetail, OrderSummary } from './order/order-schemas.ts';
export { BILLING_CYCLES, ORDER_TYPES, REVENUE_TYPES, SUB_ORDER_TYPES } from './order/values/charges.ts';
export { CONSENT_STATUSES, ORDER_STATUSES } from './order/values/order-statuses.ts';
export {
  ACCREDITATION_TYPES,
  AVAILABILITY_STATUSES,
  DEPLOYMENT_TYPES,
  LICENSING_SCHEMES,
  OFFERINGS,
  PRODUCT_TYPES,
  SUPPORT_LEVELS,
} from './order/values/products.ts';
export { LOCAL_TIMEZONES } from './order/values/time-zones.ts';
export type { RateLimit } from './rate-limit.ts';
export type {
  CreateLeadOpportunityInput,
  ReadLeadOpportunityInput,
  SearchLeadOpportunitiesInput,
  SearchPortfolioItemsInput,
  UpdateLeadOpportunityInput,
} from './sales/input.ts';
export type {
  CreatedLeadOpportunity,
  CustomerContact,
  FoundLeadOpportunities,
  LeadOpportunity,
  LegalEntity,
  OfferLine,
  PartnerContact,
  PortfolioItem,
  ReadLeadOpportunity,
  UpdatedLeadOpportunity,
} from './sales/schemas.ts';
export { foundIds } from './sales/search.ts';
export {
  FORECAST_CATEGORIES,
  type ForecastCategory,
  LEAD_STATUSES,
  type LeadStatus,
  REASONS_LOST,
  REASONS_WON,
  REVENUE_TYPES_V0,
  type ReasonLost,
  type ReasonWon,
  type RevenueTypeV0,
} from './sales/values.ts';
export type {
  ApiVersion,
  CurrentCallOptions,
  DeprecatedCallOptions,
  VersionedCallOptions,
  VersionedOperation,
} from './versions.ts';
