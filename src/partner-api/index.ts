import './check-node.ts';

export type { List, Operation, OptionalInputOperation, OrderApi, PartnerApi, SalesApi } from './api.ts';
export { createPartnerApi } from './client.ts';
export type { DeprecatedUse } from './deprecation.ts';
export { type NearestFields, PartnerApiError, type PartnerApiErrorKind, type Sent } from './errors.ts';
export { type ExtraFields, flattenExtra, type HasExtra, type TakesExtra } from './extra.ts';
export type { OpenCode } from './open-set.ts';
export type { PartnerApiOptions } from './options.ts';
export type {
  Accreditation,
  GeneratedApiKey,
  IdAndName,
  PackageContent,
  Price,
  PriceList,
  PriceListCountry,
  ProductInformation,
  ProductPrice,
} from './order/catalog-answers.ts';
export type {
  ChargedProduct,
  Coupon,
  Inflation,
  LicenseChargeBreakdown,
  LicenseChargeCondition,
  Promotion,
  Waiver,
} from './order/charge-answers.ts';
export type {
  NoInput,
  ReadOrderInput,
  SearchAccreditationsInput,
  SearchOrdersInput,
  SearchPackageContentInput,
  SearchProductInformationInput,
  SearchProductPricesInput,
  TimeRange,
} from './order/inputs.ts';
export type {
  Agreement,
  BusinessUnit,
  OrderDetail,
  OrderSummary,
  OrderTransaction,
  Site,
} from './order/order-answers.ts';
export { BILLING_CYCLES, ORDER_TYPES, REVENUE_TYPES, SUB_ORDER_TYPES } from './order/values/charges.ts';
export {
  type Coded,
  codeOfName,
  findUnknownValues,
  nameOfCode,
  type UnknownValue,
  type ValueRow,
  type ValueTable,
} from './order/values/coded.ts';
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
export { type PageStart, pageAfter } from './page-after.ts';
export type { RepeatReads } from './repeat-reads.ts';
export type { CallOptions, Info, RateLimit, Result } from './result.ts';
export type {
  CreatedLeadOpportunity,
  CustomerContact,
  FoundLeadOpportunities,
  FoundLeadOpportunity,
  LeadOpportunity,
  LegalEntity,
  OfferLine,
  PartnerContact,
  PortfolioItem,
  ReadLeadOpportunity,
  UpdatedLeadOpportunity,
} from './sales/answers.ts';
export { foundIds } from './sales/found-ids.ts';
export { toCreateInput, toUpdateInput } from './sales/from-body.ts';
export type {
  CreateLeadOpportunityInput,
  CustomerContactInput,
  LeadOpportunityOptions,
  LeadOpportunityToCreate,
  LeadOpportunityToUpdate,
  LegalEntityInput,
  ModifiedCriterion,
  ModifiedPeriod,
  OfferLineInput,
  PartnerContactInput,
  ReadLeadOpportunityInput,
  ReferenceCriterion,
  SearchCriterion,
  SearchLeadOpportunitiesInput,
  SearchPortfolioItemsInput,
  UpdateLeadOpportunityInput,
} from './sales/inputs.ts';
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
