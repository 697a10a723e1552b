import { z } from 'zod';
import { inputObject, queryInput } from '../schema/input.ts';
import type {
  CreateLeadOpportunityInput,
  CustomerContactInput,
  LeadOpportunityOptions,
  LeadOpportunityToCreate,
  LeadOpportunityToUpdate,
  LegalEntityInput,
  ModifiedPeriod,
  OfferLineInput,
  PartnerContactInput,
  ReadLeadOpportunityInput,
  SearchCriterion,
  SearchLeadOpportunitiesInput,
  SearchPortfolioItemsInput,
  UpdateLeadOpportunityInput,
} from './inputs.ts';
import type { ForecastCategory, LeadStatus, ReasonLost, ReasonWon } from './values.ts';

/**
 * Schema of an id. Every schema of this file checks an input, before its request is sent, against the documented field names and the strict
 * rules of the documents. If the documents show only some codes of a field, every code is accepted. Dates are not checked here, because the
 * vendor checks them (ERR805).
 */
const id = z.string().min(1);
const text = z.string();
const code = <Code extends string>() => text as z.ZodType<string> as z.ZodType<Code>;
const currency = z.string().regex(/^[A-Z]{3}$/);

type Options = {
  readonly [Name in Exclude<keyof LeadOpportunityOptions, 'extra'>]: z.ZodType<LeadOpportunityOptions[Name]>;
};

const options: Options = {
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

const coreToCreate = inputObject<LeadOpportunityToCreate>({
  partnerLeadOpportunityId: id,
  name: text,
  status: code<LeadStatus>(),
  closeDate: text,
  currency,
  ...options,
});

const coreToUpdate = inputObject<LeadOpportunityToUpdate>({
  partnerLeadOpportunityId: id,
  name: text.optional(),
  status: code<LeadStatus>().optional(),
  closeDate: text.optional(),
  currency: currency.optional(),
  ...options,
});

const offerLine = inputObject<OfferLineInput>({
  offerNameId: text,
  amount: z.number().optional(),
  revenueType: text.optional(),
});

const legalEntity = inputObject<LegalEntityInput>({
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

const customerContact = inputObject<CustomerContactInput>({
  email: text,
  firstName: text,
  lastName: text,
  phoneNumber: text.optional(),
  salutation: text.optional(),
  jobTitle: text.optional(),
});

const partnerContact = inputObject<PartnerContactInput>({
  salesRepEmail: text,
  salesRepFirstName: text,
  salesRepLastName: text,
});

const contacts = {
  customerContacts: z.array(customerContact).optional(),
  partnerContacts: z.array(partnerContact).optional(),
};

export const createInput = inputObject<CreateLeadOpportunityInput>({
  partnerId: id,
  leadOpportunity: coreToCreate,
  offerLines: z.array(offerLine).min(1),
  customerLegalEntity: legalEntity,
  ...contacts,
});

/** Schema of an id in a request's path. An id `.` or `..` is refused, because it would change the path even if encoded. */
const pathId = id.refine((value) => value !== '.' && value !== '..');

/** Schema of the input of an update. The vendor's `id` goes into the path, all other fields into the body. */
export const updateInput = inputObject<UpdateLeadOpportunityInput>({
  id: pathId,
  partnerId: text.optional(),
  leadOpportunity: coreToUpdate,
  offerLines: z.array(offerLine).optional(),
  customerLegalEntity: legalEntity.optional(),
  ...contacts,
});

export const readInput = queryInput<ReadLeadOpportunityInput>({ id: pathId });

type AnyCriterion = Pick<SearchCriterion, 'extra'> & {
  readonly modifiedDate?: unknown;
  readonly partnerLeadOpportunityId?: unknown;
};

/**
 * Schema of one criterion of a search: a period of modification, or ids. A criterion with both is refused, because the documents show none.
 */
const criterion = inputObject<AnyCriterion>({
  modifiedDate: inputObject<ModifiedPeriod>({ fromDate: id, toDate: id }).optional(),
  partnerLeadOpportunityId: z.union([z.array(text), z.literal('')]).optional(),
}).refine((value) => (value.modifiedDate === undefined) !== (value.partnerLeadOpportunityId === undefined));

export const searchInput = inputObject<SearchLeadOpportunitiesInput>({
  data: z.array(criterion as z.ZodType<unknown> as z.ZodType<SearchCriterion>).min(1),
});

/** Schema of the input that reads a page of the portfolio. Without `skip` and `top`, the vendor's defaults 0 and 9999 apply. */
export const portfolioInput = queryInput<SearchPortfolioItemsInput>({
  skip: z.number().int().min(0).optional(),
  top: z.number().int().min(1).optional(),
});
