import type { HasExtra } from '../extra.ts';
import type { ForecastCategory, LeadStatus, ReasonLost, ReasonWon } from './values.ts';

/**
 * A lead-opportunity as a read returns it (sales spec 2.8). The documents require none of its fields, so each may be missing. A field
 * without a value is null, or an empty list.
 */
export interface LeadOpportunity extends HasExtra {
  /** The vendor's id of the record. Read-only. (sales spec 2.8) */
  readonly dsLeadOpportunityId?: string | null;
  /**
   * Unique id of the record in the partner's CRM. Required on create and update; a duplicate on create is refused (ERR801). (sales spec
   * 2.1)
   */
  readonly partnerLeadOpportunityId?: string | null;
  /** Name of the deal. Required on create. (sales spec 2.1) */
  readonly name?: string | null;
  /** E-mail of the vendor's partner sales manager. If a create names none, the primary one. (sales spec 2.1) */
  readonly dsOwnerEmail?: string | null;
  /**
   * Stage in the sales process: `LEAD_OPEN` (-6), `QUALIFIED` (-5), `ACCEPTED` (-4), `OPPY_OPEN` (-3); a won record reads `WON`. The codes
   * of further stages (-2 validated, -1 established, Lost) are not shown, so the set is open. Required on create. (sales spec 2.1)
   */
  readonly status?: LeadStatus | null;
  /**
   * `UPSIDE`, `COMMIT`, `SAFE` or `WON`. The document does not show the codes of Longshot and Lost, so other codes are possible. The vendor
   * ignores the category of a new deal with the status `LEAD_OPEN`, `QUALIFIED` or `ACCEPTED`. A new open deal without a category gets
   * Upside. The vendor itself sets Won and Lost (2.3). (sales spec 2.1)
   */
  readonly forecastCategory?: ForecastCategory | null;
  /**
   * Expected closing date: an ISO 8601 date-time, `YYYY-MM-DDThh:mm:ss.sssZ`. Another form is refused (ERR805). Required on create. (sales
   * spec 2.1)
   */
  readonly closeDate?: string | null;
  /** Code of a campaign; the document does not explain it. (sales spec 2.1) */
  readonly cometCampaignCode?: string | null;
  /**
   * Why the deal was won, as codes: `SOLUTION_FUNCT`, `STRNG_VAL_PROP`, `LWR_CST_OF_OWNRSHIP`, `LWR_IMPL_COST`; the list is partial (2.4).
   * If a create gives none, `STRNG_VAL_PROP`. (sales spec 2.1)
   */
  readonly reasonWon?: readonly ReasonWon[];
  /**
   * Why the deal was lost, as codes: `BETTER_COMP_OFFER`, `CLIENT_DOES_NOT_SEE_VALUE`, `LACK_OR_LOSS_OF_CHAMPION`, `FUNC_GAP`,
   * `CLIENT_HAS_NO_MORE_BUDGET`, `EMPTY`; the list is partial (2.4). If a create gives none, the reason 'No Project', whose code is not
   * shown. (sales spec 2.1)
   */
  readonly reasonLost?: readonly ReasonLost[];
  /** Competitors in the deal. The vendor gives the valid values to each partner directly. (sales spec 2.1) */
  readonly competitors?: readonly string[];
  /** Comment on why the deal was won or lost. (sales spec 2.1) */
  readonly reasonWonLostComment?: string | null;
  /** Go-to-market identification; the document does not explain it. (sales spec 2.1) */
  readonly gtmTacticId?: string | null;
  /** Description of the deal. (sales spec 2.1) */
  readonly description?: string | null;
  /** Next activity that is planned for the deal. (sales spec 2.1) */
  readonly nextMilestone?: string | null;
  /** Date of the next activity: an ISO 8601 date-time, `YYYY-MM-DDThh:mm:ss.sssZ`. Another form is refused (ERR805). (sales spec 2.1) */
  readonly nextMilestoneDate?: string | null;
  /** Currency of all amounts: exactly 3 uppercase letters (ISO 4217). Required on create. (sales spec 2.1) */
  readonly currency?: string | null;
  /**
   * Whether the vendor approves the deal, as a text; the document lists no values. Read-only; may be null, empty or `EMPTY`. (sales spec
   * 2.8)
   */
  readonly approvalStatus?: string | null;
  /** Type of engagement; the document lists no values. Read-only; may be null, empty or `EMPTY`. (sales spec 2.8) */
  readonly engagementType?: string | null;
  /** Information about the purchase order of the deal. Read-only; may be null, empty or `EMPTY`. (sales spec 2.8) */
  readonly poInformation?: string | null;
  /** Status of the purchase order of the deal. Read-only; may be null, empty or `EMPTY`. (sales spec 2.8) */
  readonly poStatus?: string | null;
  /** Number of the purchase order of the deal. Read-only; may be null, empty or `EMPTY`. (sales spec 2.8) */
  readonly poNumber?: string | null;
  /** Indicator of the special bid offer; the document lists no values. Read-only; may be null, empty or `EMPTY`. (sales spec 2.8) */
  readonly sboIndicator?: string | null;
  /** Status of the special bid offer. Read-only; may be null, empty or `EMPTY`. (sales spec 2.8) */
  readonly sboStatus?: string | null;
  /** Number of the special bid offer. Read-only; may be null, empty or `EMPTY`. (sales spec 2.8) */
  readonly sboNumber?: string | null;
  /** Type of growth; the document lists no values. Read-only; may be null, empty or `EMPTY`. (sales spec 2.8) */
  readonly growthType?: string | null;
  /** Priority of the lead; the document lists no values. Read-only; may be null, empty or `EMPTY`. (sales spec 2.8) */
  readonly leadPriority?: string | null;
  /** Level of interest in the deal; the document lists no values. Read-only; may be null, empty or `EMPTY`. (sales spec 2.8) */
  readonly levelOfInterest?: string | null;
  /** The vendor's comment on the deal. Read-only; may be null, empty or `EMPTY`. (sales spec 2.8) */
  readonly dsComment?: string | null;
  /** Import mode of the partner; the document lists no values. Read-only; may be null, empty or `EMPTY`. (sales spec 2.8) */
  readonly partnerImportMode?: string | null;
  /** When the record was created: a date-time. Read-only. (sales spec 2.8) */
  readonly createdDate?: string | null;
  /** When the record was last modified: a date-time. Read-only. (sales spec 2.8) */
  readonly modifiedDate?: string | null;
  /** The offer lines (2.5). (sales spec 2.8) */
  readonly offerLines?: readonly OfferLine[];
  /** Contacts at the end customer (2.7), under a singular name in a read. (sales spec 2.8) */
  readonly customerContact?: readonly CustomerContact[];
  /** Contacts at the partner (2.7), under a singular name in a read; may be null. (sales spec 2.8) */
  readonly partnerContact?: readonly PartnerContact[];
  /** The end customer's company (2.6). (sales spec 2.8) */
  readonly customerLegalEntity?: LegalEntity | null;
}

/** An offer line of a lead-opportunity (sales spec 2.5). */
export interface OfferLine extends HasExtra {
  /**
   * Amount of the line, in the currency of the lead-opportunity. (sales spec 2.5) A number; the text that was sent where a double would
   * lose digits: `String(amount)` is the exact decimal.
   */
  readonly amount?: number | string | null;
  /** The vendor's id of the offer that the line names. Required in requests. (sales spec 2.5) */
  readonly offerNameId?: string | null;
  /**
   * Type of revenue. v0: `UPFRONT`, `RENTAL_BOOKING`, `SUPPORT_SERVICES`, `SERVICES_SIGNING`. v1 separates yearly and quarterly rental
   * booking; its values are not shown, so the set is open. (sales spec 2.5)
   */
  readonly revenueType?: string | null;
}

/** The end customer's company (sales spec 2.6). */
export interface LegalEntity extends HasExtra {
  /** The vendor's id of the company (site id). (sales spec 2.6) */
  readonly id?: string | null;
  /** DUNS number of the company. (sales spec 2.6) */
  readonly dunsNumber?: string | null;
  /** VAT number of the company. (sales spec 2.6) */
  readonly vatNumber?: string | null;
  /** Registration id of the company. (sales spec 2.6) */
  readonly registrationId?: string | null;
  /** Name of the company. The key is required; its value may be null. (sales spec 2.6) */
  readonly name?: string | null;
  /** City of the company. The key is required; its value may be null. (sales spec 2.6) */
  readonly city?: string | null;
  /** Country of the company. The key is required; its value may be null. (sales spec 2.6) */
  readonly country?: string | null;
  /** First line of the company's address. (sales spec 2.6) */
  readonly addressLine1?: string | null;
  /** State or prefecture in the company's address. (sales spec 2.6) */
  readonly statePrefecture?: string | null;
  /** Second line of the company's address. (sales spec 2.6) */
  readonly addressLine2?: string | null;
  /** Postal code in the company's address. (sales spec 2.6) */
  readonly zipCode?: string | null;
  /** Address of the company's web site. (sales spec 2.6) */
  readonly websiteUrl?: string | null;
}

/** A contact at the end customer (sales spec 2.7). */
export interface CustomerContact extends HasExtra {
  /** Telephone number of the contact. (sales spec 2.7) */
  readonly phoneNumber?: string | null;
  /** Salutation of the contact. (sales spec 2.7) */
  readonly salutation?: string | null;
  /** Job title of the contact. (sales spec 2.7) */
  readonly jobTitle?: string | null;
  /** E-mail address of the contact. Required in requests. (sales spec 2.7) */
  readonly email?: string | null;
  /** First name of the contact. Required in requests. (sales spec 2.7) */
  readonly firstName?: string | null;
  /** Last name of the contact. Required in requests. (sales spec 2.7) */
  readonly lastName?: string | null;
}

/** A contact at the partner (sales spec 2.7). */
export interface PartnerContact extends HasExtra {
  /** E-mail address of the sales representative. Required in requests. (sales spec 2.7) */
  readonly salesRepEmail?: string | null;
  /** First name of the sales representative. Required in requests. (sales spec 2.7) */
  readonly salesRepFirstName?: string | null;
  /** Last name of the sales representative. Required in requests. (sales spec 2.7) */
  readonly salesRepLastName?: string | null;
}

/** The answer to a create (sales spec 4.1). */
export interface CreatedLeadOpportunity extends HasExtra {
  /** The vendor's id of the new record. (sales spec 4.1) */
  readonly dsLeadOpportunityId: string;
  /** The record's id in the partner's CRM, as the request gave it. (sales spec 4.1) */
  readonly partnerLeadOpportunityId?: string | null;
  /** What the request did: always `create`. (sales spec 4.1) */
  readonly action?: string | null;
}

/** The answer to an update (sales spec 4.2). The documents require none of its fields. */
export interface UpdatedLeadOpportunity extends HasExtra {
  /** The record's id in the partner's CRM. (sales spec 4.2) */
  readonly partnerLeadOpportunityId?: string | null;
  /** The vendor's id of the record. (sales spec 4.2) */
  readonly dsLeadOpportunityId?: string | null;
  /** What the request did: always `update`. (sales spec 4.2) */
  readonly action?: string | null;
}

/** The answer to a read (sales spec 4.3). */
export interface ReadLeadOpportunity extends HasExtra {
  /** The record that was read (2.8). (sales spec 4.3) */
  readonly leadOpportunity: LeadOpportunity;
}

/** The answer to a search (sales spec 4.4); `foundIds` gives the ids of all its entries. */
export type FoundLeadOpportunities = readonly FoundLeadOpportunity[];

/** One entry of the answer to a search (sales spec 4.4). */
export interface FoundLeadOpportunity extends HasExtra {
  /** The vendor's ids of the records that meet all criteria. (sales spec 4.4) */
  readonly dsLeadOpportunityId: readonly string[];
}

/** An item of the sales portfolio: an offer that the lines of a deal can name (sales spec 2.10). */
export interface PortfolioItem extends HasExtra {
  /** Type of the portfolio item; the document lists no values. (sales spec 2.10) */
  readonly salesPortfolioType?: string | null;
  /** Infrastructure of the portfolio item; the document lists no values. (sales spec 2.10) */
  readonly salesPortfolioInfrastructure?: string | null;
  /** Whether the portfolio item can be ordered. The odd spelling is the vendor's. (sales spec 2.10) */
  readonly salesPortfolioisOrderable?: boolean | null;
  /** Name of the first level of the portfolio in which the item is. (sales spec 2.10) */
  readonly salesPortfolioLevel1?: string | null;
  /** Name of the second level of the portfolio in which the item is. (sales spec 2.10) */
  readonly salesPortfolioLevel2?: string | null;
  /** Name of the third level of the portfolio in which the item is. (sales spec 2.10) */
  readonly salesPortfolioLevel3?: string | null;
  /** Id of the portfolio item. (sales spec 2.10) */
  readonly salesPortfolioId?: string | null;
}
