import type { HasExtra } from '../extra.ts';
import type { ForecastCategory, LeadStatus, ReasonLost, ReasonWon } from './values.ts';

/**
 * A lead-opportunity as read (sales spec 2.8). The documents require no field of it, so each may be missing; unset is
 * null, or an empty list.
 */
export interface LeadOpportunity extends HasExtra {
  readonly dsLeadOpportunityId?: string | null;
  readonly partnerLeadOpportunityId?: string | null;
  readonly name?: string | null;
  readonly dsOwnerEmail?: string | null;
  readonly status?: LeadStatus | null;
  readonly forecastCategory?: ForecastCategory | null;
  readonly closeDate?: string | null;
  readonly cometCampaignCode?: string | null;
  readonly reasonWon?: readonly ReasonWon[];
  readonly reasonLost?: readonly ReasonLost[];
  readonly competitors?: readonly string[];
  readonly reasonWonLostComment?: string | null;
  readonly gtmTacticId?: string | null;
  readonly description?: string | null;
  readonly nextMilestone?: string | null;
  readonly nextMilestoneDate?: string | null;
  readonly currency?: string | null;
  readonly approvalStatus?: string | null;
  readonly engagementType?: string | null;
  readonly poInformation?: string | null;
  readonly poStatus?: string | null;
  readonly poNumber?: string | null;
  readonly sboIndicator?: string | null;
  readonly sboStatus?: string | null;
  readonly sboNumber?: string | null;
  readonly growthType?: string | null;
  readonly leadPriority?: string | null;
  readonly levelOfInterest?: string | null;
  readonly dsComment?: string | null;
  readonly partnerImportMode?: string | null;
  readonly createdDate?: string | null;
  readonly modifiedDate?: string | null;
  readonly offerLines?: readonly OfferLine[];
  readonly customerContact?: readonly CustomerContact[];
  readonly partnerContact?: readonly PartnerContact[];
  readonly customerLegalEntity?: LegalEntity | null;
}

/** An offer line of a lead-opportunity (sales spec 2.5). */
export interface OfferLine extends HasExtra {
  readonly amount?: number | string | null;
  readonly offerNameId?: string | null;
  readonly revenueType?: string | null;
}

/** The end customer's company (sales spec 2.6). */
export interface LegalEntity extends HasExtra {
  readonly id?: string | null;
  readonly dunsNumber?: string | null;
  readonly vatNumber?: string | null;
  readonly registrationId?: string | null;
  readonly name?: string | null;
  readonly city?: string | null;
  readonly country?: string | null;
  readonly addressLine1?: string | null;
  readonly statePrefecture?: string | null;
  readonly addressLine2?: string | null;
  readonly zipCode?: string | null;
  readonly websiteUrl?: string | null;
}

/** A contact at the end customer (sales spec 2.7). */
export interface CustomerContact extends HasExtra {
  readonly phoneNumber?: string | null;
  readonly salutation?: string | null;
  readonly jobTitle?: string | null;
  readonly email?: string | null;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
}

/** A contact at the partner (sales spec 2.7). */
export interface PartnerContact extends HasExtra {
  readonly salesRepEmail?: string | null;
  readonly salesRepFirstName?: string | null;
  readonly salesRepLastName?: string | null;
}

/** The answer to a create (sales spec 4.1). */
export interface CreatedLeadOpportunity extends HasExtra {
  readonly dsLeadOpportunityId: string;
  readonly partnerLeadOpportunityId?: string | null;
  readonly action?: string | null;
}

/** The answer to an update (sales spec 4.2). The documents require no field of it. */
export interface UpdatedLeadOpportunity extends HasExtra {
  readonly partnerLeadOpportunityId?: string | null;
  readonly dsLeadOpportunityId?: string | null;
  readonly action?: string | null;
}

/** The answer to a read (sales spec 4.3). */
export interface ReadLeadOpportunity extends HasExtra {
  readonly leadOpportunity: LeadOpportunity;
}

/** The answer to a search (sales spec 4.4); `foundIds` gives the ids of all its entries. */
export type FoundLeadOpportunities = readonly FoundLeadOpportunity[];

/** One entry of the answer to a search (sales spec 4.4). */
export interface FoundLeadOpportunity extends HasExtra {
  readonly dsLeadOpportunityId: readonly string[];
}

/** An item of the sales portfolio (sales spec 2.10). */
export interface PortfolioItem extends HasExtra {
  readonly salesPortfolioType?: string | null;
  readonly salesPortfolioInfrastructure?: string | null;
  readonly salesPortfolioisOrderable?: boolean | null;
  readonly salesPortfolioLevel1?: string | null;
  readonly salesPortfolioLevel2?: string | null;
  readonly salesPortfolioLevel3?: string | null;
  readonly salesPortfolioId?: string | null;
}
