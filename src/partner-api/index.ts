export type { CallOptions, Result } from './call.ts';
export { createPartnerApi, type PartnerApi } from './client.ts';
export type { DeprecatedUse } from './deprecation.ts';
export type { Info } from './envelope.ts';
export { PartnerApiError, type PartnerApiErrorKind, type Sent } from './errors.ts';
export type { OpenCode } from './open-set.ts';
export type { PartnerApiOptions } from './options.ts';
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
