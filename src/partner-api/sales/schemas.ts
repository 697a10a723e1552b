import { z } from 'zod';
import { answerObject, code, flag, list, listOf, numeral, part, text } from '../schema/answer.ts';
import type {
  CreatedLeadOpportunity,
  CustomerContact,
  FoundLeadOpportunity,
  LeadOpportunity,
  LegalEntity,
  OfferLine,
  PartnerContact,
  PortfolioItem,
  ReadLeadOpportunity,
  UpdatedLeadOpportunity,
} from './answers.ts';
import type { ForecastCategory, LeadStatus, ReasonLost, ReasonWon } from './values.ts';

/** Schema of a list of codes. The schemas of this file require only those fields of an answer that a caller certainly needs. */
const codes = <Code extends string>() => list(z.string() as z.ZodType<string> as z.ZodType<Code>);

/**
 * Schema of an amount: a number, or a string if the vendor sent a string or a double would lose digits. `String(amount)` is always the
 * exact decimal.
 */
const amount = z
  .union([numeral, z.literal(''), z.null()])
  .optional()
  .transform((value) => (value === '' ? null : value));

const offerLine = answerObject<OfferLine>({ amount, offerNameId: text, revenueType: text });

const legalEntity = answerObject<LegalEntity>({
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

const customerContact = answerObject<CustomerContact>({
  phoneNumber: text,
  salutation: text,
  jobTitle: text,
  email: text,
  firstName: text,
  lastName: text,
});

const partnerContact = answerObject<PartnerContact>({
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

/** Schema of a lead-opportunity in the answer to a read. In this answer, the lists of contacts have singular names (sales spec 2.7). */
const leadOpportunity = answerObject<LeadOpportunity>({
  ...core,
  ...readOnly,
  offerLines: list(offerLine),
  customerContact: list(customerContact),
  partnerContact: list(partnerContact),
  customerLegalEntity: part(legalEntity),
});

/** Schema of a portfolio item. The odd spelling of `salesPortfolioisOrderable` is the vendor's. */
const portfolioItem = answerObject<PortfolioItem>({
  salesPortfolioType: text,
  salesPortfolioInfrastructure: text,
  salesPortfolioisOrderable: flag,
  salesPortfolioLevel1: text,
  salesPortfolioLevel2: text,
  salesPortfolioLevel3: text,
  salesPortfolioId: text,
});

/**
 * Schema of the answer to a create. The ids of the new record are on the same level as `info` and `error`. An answer without a vendor id is
 * invalid.
 */
export const createAnswer = answerObject<CreatedLeadOpportunity>(
  { dsLeadOpportunityId: z.string().min(1), partnerLeadOpportunityId: text, action: text },
  ['info', 'error'],
);

const updated = answerObject<UpdatedLeadOpportunity>({
  partnerLeadOpportunityId: text,
  dsLeadOpportunityId: text,
  action: text,
});

export const updateAnswer = z
  .looseObject({ data: updated.nullish() })
  .transform(({ data }): UpdatedLeadOpportunity => data ?? {});

const read = answerObject<ReadLeadOpportunity>({ leadOpportunity });

/** The schema of the answer to a read of this id. An answer with another record's id is invalid (sales spec 4.3). */
export function readAnswer(id: string) {
  const path = ['data', 'leadOpportunity', 'dsLeadOpportunityId'];
  return z
    .looseObject({ data: read })
    .refine(({ data }) => isSameId(data.leadOpportunity.dsLeadOpportunityId ?? id, id), { path })
    .transform(({ data }) => data);
}

/**
 * Whether two ids are equal, regardless of letter case and spaces around them. The documents do not say whether letter case matters in ids.
 */
function isSameId(shown: string, asked: string): boolean {
  return shown.trim().toLowerCase() === asked.trim().toLowerCase();
}

/**
 * Schema of one entry of a search's answer. The list of ids is required. If a missing list counted as empty, Lockstep would miss changed
 * records.
 */
const found = answerObject<FoundLeadOpportunity>({ dsLeadOpportunityId: listOf(z.string()) });

export const searchAnswer = z.looseObject({ data: listOf(found) }).transform(({ data }) => data);

export const portfolioAnswer = z.looseObject({ data: listOf(portfolioItem) }).transform(({ data }) => data);
