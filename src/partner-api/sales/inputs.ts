import type { TakesExtra } from '../extra.ts';
import type { ForecastCategory, LeadStatus, ReasonLost, ReasonWon } from './values.ts';

/** The body of a create (sales spec 4.1). */
export interface CreateLeadOpportunityInput extends TakesExtra {
  readonly partnerId: string;
  readonly leadOpportunity: LeadOpportunityToCreate;
  readonly offerLines: readonly OfferLineInput[];
  readonly customerLegalEntity: LegalEntityInput;
  readonly customerContacts?: readonly CustomerContactInput[] | undefined;
  readonly partnerContacts?: readonly PartnerContactInput[] | undefined;
}

/** The record to update, and the body of the update (sales spec 4.2): only what is given changes. */
export interface UpdateLeadOpportunityInput extends TakesExtra {
  readonly id: string;
  readonly partnerId?: string | undefined;
  readonly leadOpportunity: LeadOpportunityToUpdate;
  readonly offerLines?: readonly OfferLineInput[] | undefined;
  readonly customerLegalEntity?: LegalEntityInput | undefined;
  readonly customerContacts?: readonly CustomerContactInput[] | undefined;
  readonly partnerContacts?: readonly PartnerContactInput[] | undefined;
}

/** What both a create and an update may leave out (sales spec 2.1). */
export interface LeadOpportunityOptions extends TakesExtra {
  readonly dsOwnerEmail?: string | undefined;
  readonly forecastCategory?: ForecastCategory | undefined;
  readonly cometCampaignCode?: string | undefined;
  readonly reasonWon?: readonly ReasonWon[] | undefined;
  readonly reasonLost?: readonly ReasonLost[] | undefined;
  readonly competitors?: readonly string[] | undefined;
  readonly reasonWonLostComment?: string | undefined;
  readonly gtmTacticId?: string | undefined;
  readonly description?: string | undefined;
  readonly nextMilestone?: string | undefined;
  readonly nextMilestoneDate?: string | undefined;
}

/** The core of a lead-opportunity to create (sales spec 2.1). */
export interface LeadOpportunityToCreate extends LeadOpportunityOptions {
  readonly partnerLeadOpportunityId: string;
  readonly name: string;
  readonly status: LeadStatus;
  readonly closeDate: string;
  readonly currency: string;
}

/** The core of a lead-opportunity to update (sales spec 2.1): what is left out stays as it is. */
export interface LeadOpportunityToUpdate extends LeadOpportunityOptions {
  readonly partnerLeadOpportunityId: string;
  readonly name?: string | undefined;
  readonly status?: LeadStatus | undefined;
  readonly closeDate?: string | undefined;
  readonly currency?: string | undefined;
}

/** An offer line to send (sales spec 2.5). */
export interface OfferLineInput extends TakesExtra {
  readonly offerNameId: string;
  readonly amount?: number | undefined;
  readonly revenueType?: string | undefined;
}

/** The end customer's company to send (sales spec 2.6): three keys are required, and their values may be null. */
export interface LegalEntityInput extends TakesExtra {
  readonly name: string | null;
  readonly city: string | null;
  readonly country: string | null;
  readonly id?: string | null | undefined;
  readonly dunsNumber?: string | null | undefined;
  readonly vatNumber?: string | null | undefined;
  readonly registrationId?: string | null | undefined;
  readonly addressLine1?: string | null | undefined;
  readonly statePrefecture?: string | null | undefined;
  readonly addressLine2?: string | null | undefined;
  readonly zipCode?: string | null | undefined;
  readonly websiteUrl?: string | null | undefined;
}

/** A contact at the end customer, to send (sales spec 2.7). */
export interface CustomerContactInput extends TakesExtra {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber?: string | undefined;
  readonly salutation?: string | undefined;
  readonly jobTitle?: string | undefined;
}

/** A contact at the partner, to send (sales spec 2.7). */
export interface PartnerContactInput extends TakesExtra {
  readonly salesRepEmail: string;
  readonly salesRepFirstName: string;
  readonly salesRepLastName: string;
}

/** Which record to read (sales spec 4.3). */
export interface ReadLeadOpportunityInput {
  readonly id: string;
}

/** What to search for (sales spec 4.4): records that meet all criteria, of which there is one at least. */
export interface SearchLeadOpportunitiesInput extends TakesExtra {
  readonly data: readonly SearchCriterion[];
}

/** One criterion of a search, of one of two kinds. */
export type SearchCriterion = ModifiedCriterion | ReferenceCriterion;

/** Selects by the time of the last modification. */
export interface ModifiedCriterion extends TakesExtra {
  readonly modifiedDate: ModifiedPeriod;
  readonly partnerLeadOpportunityId?: undefined;
}

/** Selects by the ids in the partner's CRM. */
export interface ReferenceCriterion extends TakesExtra {
  readonly partnerLeadOpportunityId: readonly string[] | '';
  readonly modifiedDate?: undefined;
}

/** A period of modification (sales spec 4.4). */
export interface ModifiedPeriod extends TakesExtra {
  readonly fromDate: string;
  readonly toDate: string;
}

/** A page of the portfolio (sales spec 4.5). */
export interface SearchPortfolioItemsInput {
  readonly skip?: number | undefined;
  readonly top?: number | undefined;
}
