import { z } from 'zod';
import type { ForecastCategory, LeadStatus, ReasonLost, ReasonWon } from './values.ts';

/**
 * What is checked before a request is spent: only the closed rules of the documents. Unknown members pass, open
 * sets are open, and dates are the vendor's to judge (ERR805).
 */
const id = z.string().min(1);
const text = z.string();
const code = <Code extends string>() => z.custom<Code>((value) => typeof value === 'string');
const currency = z.string().regex(/^[A-Z]{3}$/);

/** The optional members of `leadOpportunity` (sales spec 2.1). Dates are ISO 8601 instants. */
const optionalCore = {
  dsOwnerEmail: text.optional(),
  forecastCategory: code<ForecastCategory>().optional(),
  cometCampaignCode: text.optional(),
  reasonWon: z.array(code<ReasonWon>()).optional(),
  reasonLost: z.array(code<ReasonLost>()).optional(),
  competitors: z.array(text).optional(),
  reasonWonLostComment: text.optional(),
  gtmTacticId: text.optional(),
  description: text.optional(),
  nextMilestone: text.optional(),
  nextMilestoneDate: text.optional(),
};

const coreToCreate = z.looseObject({
  partnerLeadOpportunityId: id,
  name: text,
  status: code<LeadStatus>(),
  closeDate: text,
  currency,
  ...optionalCore,
});

const coreToUpdate = z.looseObject({
  partnerLeadOpportunityId: id,
  name: text.optional(),
  status: code<LeadStatus>().optional(),
  closeDate: text.optional(),
  currency: currency.optional(),
  ...optionalCore,
});

/** Sales spec 2.5. `amount` is a JSON number in the record's currency. */
const offerLine = z.looseObject({
  offerNameId: text,
  amount: z.number().optional(),
  revenueType: text.optional(),
});

/** Sales spec 2.6: name, city and country are required and may be null. */
const legalEntity = z.looseObject({
  name: text.nullable(),
  city: text.nullable(),
  country: text.nullable(),
  id: text.nullish(),
  dunsNumber: text.nullish(),
  vatNumber: text.nullish(),
  registrationId: text.nullish(),
  addressLine1: text.nullish(),
  addressLine2: text.nullish(),
  statePrefecture: text.nullish(),
  zipCode: text.nullish(),
  websiteUrl: text.nullish(),
});

/** Sales spec 2.7. */
const customerContact = z.looseObject({
  email: text,
  firstName: text,
  lastName: text,
  phoneNumber: text.optional(),
  salutation: text.optional(),
  jobTitle: text.optional(),
});

const partnerContact = z.looseObject({
  salesRepEmail: text,
  salesRepFirstName: text,
  salesRepLastName: text,
});

/** Sales spec 4.1. */
export const createInput = z.looseObject({
  partnerId: id,
  leadOpportunity: coreToCreate,
  offerLines: z.array(offerLine).min(1),
  customerLegalEntity: legalEntity,
  customerContacts: z.array(customerContact).optional(),
  partnerContacts: z.array(partnerContact).optional(),
});

/** `.` and `..` would change the path even when encoded. */
const pathId = id.refine((value) => value !== '.' && value !== '..');

/** Sales spec 4.2: `id` is the vendor's and goes into the path, all else is the body. */
export const updateInput = z.looseObject({
  id: pathId,
  partnerId: text.optional(),
  leadOpportunity: coreToUpdate,
  offerLines: z.array(offerLine).optional(),
  customerLegalEntity: legalEntity.optional(),
  customerContacts: z.array(customerContact).optional(),
  partnerContacts: z.array(partnerContact).optional(),
});

/** Sales spec 4.3. */
export const readInput = z.looseObject({ id: pathId });

const modifiedPeriod = z.looseObject({ modifiedDate: z.looseObject({ fromDate: id, toDate: id }) });

/** `''` selects the records without a partner id. */
const partnerIds = z.looseObject({ partnerLeadOpportunityId: z.union([z.array(text), z.literal('')]) });

/** Sales spec 4.4: criteria are joined by AND. */
export const searchInput = z.looseObject({ data: z.array(z.union([modifiedPeriod, partnerIds])).min(1) });

/** Sales spec 4.5: the vendor's defaults are 0 and 9999. */
export const portfolioInput = z.looseObject({
  skip: z.number().int().min(0).optional(),
  top: z.number().int().min(1).optional(),
});

export type CreateLeadOpportunityInput = z.input<typeof createInput>;
export type UpdateLeadOpportunityInput = z.input<typeof updateInput>;
export type ReadLeadOpportunityInput = z.input<typeof readInput>;
export type SearchLeadOpportunitiesInput = z.input<typeof searchInput>;
export type SearchPortfolioItemsInput = z.input<typeof portfolioInput>;
