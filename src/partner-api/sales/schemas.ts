import { z } from 'zod';
import type { ForecastCategory, LeadStatus, ReasonLost, ReasonWon } from './values.ts';

/**
 * What the vendor answers. The documents mark no member of a read as required, and unset is null or `''` (sales
 * spec 2.8): so every member may be missing, null or `''`, and unknown members are kept.
 */
const text = z.string().nullish();
const code = <Code extends string>() => z.custom<Code>((value) => typeof value === 'string').nullish();
const list = <Item extends z.ZodType>(item: Item) =>
  z.union([z.array(item), z.literal(''), z.null()]).optional();
const codes = <Code extends string>() => list(z.custom<Code>((value) => typeof value === 'string'));

/**
 * A number as sent. It is a string where the vendor sent one, or where a double would lose digits (from 16
 * significant ones): `String(amount)` is the exact decimal either way.
 */
const amount = z
  .union([z.number(), z.string().regex(/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/), z.literal(''), z.null()])
  .optional();

/** Sales spec 2.5. */
const offerLine = z.looseObject({ amount, offerNameId: text, revenueType: text });

/** Sales spec 2.6; `id` is the vendor's site id. */
const legalEntity = z.looseObject({
  id: text,
  dunsNumber: text,
  vatNumber: text,
  registrationId: text,
  name: text,
  city: text,
  country: text,
  addressLine1: text,
  statePrefecture: text,
  addressLine2: text,
  zipCode: text,
  websiteUrl: text,
});

/** Sales spec 2.7. */
const customerContact = z.looseObject({
  phoneNumber: text,
  salutation: text,
  jobTitle: text,
  email: text,
  firstName: text,
  lastName: text,
});

const partnerContact = z.looseObject({
  salesRepEmail: text,
  salesRepFirstName: text,
  salesRepLastName: text,
});

const core = {
  partnerLeadOpportunityId: text,
  name: text,
  dsOwnerEmail: text,
  status: code<LeadStatus>(),
  forecastCategory: code<ForecastCategory>(),
  closeDate: text,
  cometCampaignCode: text,
  reasonWon: codes<ReasonWon>(),
  reasonLost: codes<ReasonLost>(),
  competitors: list(z.string()),
  reasonWonLostComment: text,
  gtmTacticId: text,
  description: text,
  nextMilestone: text,
  nextMilestoneDate: text,
  currency: text,
};

const readOnly = {
  dsLeadOpportunityId: text,
  approvalStatus: text,
  engagementType: text,
  poInformation: text,
  poStatus: text,
  poNumber: text,
  sboIndicator: text,
  sboStatus: text,
  sboNumber: text,
  growthType: text,
  leadPriority: text,
  levelOfInterest: text,
  dsComment: text,
  partnerImportMode: text,
  createdDate: text,
  modifiedDate: text,
};

/** A lead-opportunity as read (sales spec 2.8); contacts carry their singular names. */
const leadOpportunity = z.looseObject({
  ...core,
  ...readOnly,
  offerLines: list(offerLine),
  customerContact: list(customerContact),
  partnerContact: list(partnerContact),
  customerLegalEntity: z.union([legalEntity, z.literal(''), z.null()]).optional(),
});

/** Sales spec 2.10; the odd spelling of `salesPortfolioisOrderable` is the vendor's. */
const portfolioItem = z.looseObject({
  salesPortfolioType: text,
  salesPortfolioInfrastructure: text,
  salesPortfolioisOrderable: z.boolean().nullish(),
  salesPortfolioLevel1: text,
  salesPortfolioLevel2: text,
  salesPortfolioLevel3: text,
  salesPortfolioId: text,
});

/** Sales spec 4.1: the created ids, beside `info` and `error`. A create that names no vendor id is no answer. */
export const createAnswer = z
  .looseObject({ dsLeadOpportunityId: z.string().min(1), partnerLeadOpportunityId: text, action: text })
  .transform(({ info: _info, error: _error, ...data }) => data);

const updated = z.looseObject({ partnerLeadOpportunityId: text, dsLeadOpportunityId: text, action: text });

/** Sales spec 4.2. */
export const updateAnswer = z
  .looseObject({ data: updated.nullish() })
  .transform(({ data }): z.output<typeof updated> => data ?? {});

/** Sales spec 4.3. */
export const readAnswer = z
  .looseObject({ data: z.looseObject({ leadOpportunity }) })
  .transform(({ data }) => data);

/** Sales spec 4.4. The list of ids must be there: a search that silently found nothing would lose changes. */
export const searchAnswer = z
  .looseObject({ data: z.array(z.looseObject({ dsLeadOpportunityId: z.array(z.string()) })) })
  .transform(({ data }) => data);

/** Sales spec 4.5. */
export const portfolioAnswer = z.looseObject({ data: z.array(portfolioItem) }).transform(({ data }) => data);

export type LeadOpportunity = z.output<typeof leadOpportunity>;
export type OfferLine = z.output<typeof offerLine>;
export type LegalEntity = z.output<typeof legalEntity>;
export type CustomerContact = z.output<typeof customerContact>;
export type PartnerContact = z.output<typeof partnerContact>;
export type PortfolioItem = z.output<typeof portfolioItem>;
export type CreatedLeadOpportunity = z.output<typeof createAnswer>;
export type UpdatedLeadOpportunity = z.output<typeof updateAnswer>;
export type ReadLeadOpportunity = z.output<typeof readAnswer>;
export type FoundLeadOpportunities = z.output<typeof searchAnswer>;
