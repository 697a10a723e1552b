import type { TakesExtra } from '../extra.ts';
import type { ForecastCategory, LeadStatus, ReasonLost, ReasonWon } from './values.ts';

/** The body of a create (sales spec 4.1). */
export interface CreateLeadOpportunityInput extends TakesExtra {
  /** Id of the partner's legal entity in the vendor's system. Required on create. (sales spec 4.1) */
  readonly partnerId: string;
  /** The main fields of the lead-opportunity (2.1). Required. (sales spec 4.1) */
  readonly leadOpportunity: LeadOpportunityToCreate;
  /** The offer lines of the deal (2.5). Required on create, one at least. (sales spec 4.1) */
  readonly offerLines: readonly OfferLineInput[];
  /** The end customer's company (2.6). Required on create. (sales spec 4.1) */
  readonly customerLegalEntity: LegalEntityInput;
  /** Contacts at the end customer (2.7). (sales spec 4.1) */
  readonly customerContacts?: readonly CustomerContactInput[] | undefined;
  /** Contacts at the partner (2.7). (sales spec 4.1) */
  readonly partnerContacts?: readonly PartnerContactInput[] | undefined;
}

/** The input of an update (sales spec 4.2): the record's id, and the fields to change. Omitted fields keep their values. */
export interface UpdateLeadOpportunityInput extends TakesExtra {
  /** The vendor's id of the lead-opportunity; goes into the path. (sales spec 4.2, 4.3) */
  readonly id: string;
  /** Id of the partner's legal entity in the vendor's system. Required on create. (sales spec 4.1) */
  readonly partnerId?: string | undefined;
  /** The main fields of the lead-opportunity (2.1). Required. (sales spec 4.1) */
  readonly leadOpportunity: LeadOpportunityToUpdate;
  /** The offer lines of the deal (2.5). Required on create, one at least. (sales spec 4.1) */
  readonly offerLines?: readonly OfferLineInput[] | undefined;
  /** The end customer's company (2.6). Required on create. (sales spec 4.1) */
  readonly customerLegalEntity?: LegalEntityInput | undefined;
  /** Contacts at the end customer (2.7). (sales spec 4.1) */
  readonly customerContacts?: readonly CustomerContactInput[] | undefined;
  /** Contacts at the partner (2.7). (sales spec 4.1) */
  readonly partnerContacts?: readonly PartnerContactInput[] | undefined;
}

/** The fields that a create and an update may leave out (sales spec 2.1). */
export interface LeadOpportunityOptions extends TakesExtra {
  /** E-mail of the vendor's partner sales manager. If a create names none, the primary one. (sales spec 2.1) */
  readonly dsOwnerEmail?: string | undefined;
  /**
   * `UPSIDE`, `COMMIT`, `SAFE` or `WON`. The document does not show the codes of Longshot and Lost, so other codes are possible. The vendor
   * ignores the category of a new deal with the status `LEAD_OPEN`, `QUALIFIED` or `ACCEPTED`. A new open deal without a category gets
   * Upside. The vendor itself sets Won and Lost (2.3). (sales spec 2.1)
   */
  readonly forecastCategory?: ForecastCategory | undefined;
  /** Code of a campaign; the document does not explain it. (sales spec 2.1) */
  readonly cometCampaignCode?: string | undefined;
  /**
   * Why the deal was won, as codes: `SOLUTION_FUNCT`, `STRNG_VAL_PROP`, `LWR_CST_OF_OWNRSHIP`, `LWR_IMPL_COST`; the list is partial (2.4).
   * If a create gives none, `STRNG_VAL_PROP`. (sales spec 2.1)
   */
  readonly reasonWon?: readonly ReasonWon[] | undefined;
  /**
   * Why the deal was lost, as codes: `BETTER_COMP_OFFER`, `CLIENT_DOES_NOT_SEE_VALUE`, `LACK_OR_LOSS_OF_CHAMPION`, `FUNC_GAP`,
   * `CLIENT_HAS_NO_MORE_BUDGET`, `EMPTY`; the list is partial (2.4). If a create gives none, the reason 'No Project', whose code is not
   * shown. (sales spec 2.1)
   */
  readonly reasonLost?: readonly ReasonLost[] | undefined;
  /** Competitors in the deal. The vendor gives the valid values to each partner directly. (sales spec 2.1) */
  readonly competitors?: readonly string[] | undefined;
  /** Comment on why the deal was won or lost. (sales spec 2.1) */
  readonly reasonWonLostComment?: string | undefined;
  /** Go-to-market identification; the document does not explain it. (sales spec 2.1) */
  readonly gtmTacticId?: string | undefined;
  /** Description of the deal. (sales spec 2.1) */
  readonly description?: string | undefined;
  /** Next activity that is planned for the deal. (sales spec 2.1) */
  readonly nextMilestone?: string | undefined;
  /** Date of the next activity: an ISO 8601 date-time, `YYYY-MM-DDThh:mm:ss.sssZ`. Another form is refused (ERR805). (sales spec 2.1) */
  readonly nextMilestoneDate?: string | undefined;
}

/** The main fields of a lead-opportunity to create (sales spec 2.1). */
export interface LeadOpportunityToCreate extends LeadOpportunityOptions {
  /**
   * Unique id of the record in the partner's CRM. Required on create and update; a duplicate on create is refused (ERR801). (sales spec
   * 2.1)
   */
  readonly partnerLeadOpportunityId: string;
  /** Name of the deal. Required on create. (sales spec 2.1) */
  readonly name: string;
  /**
   * Stage in the sales process: `LEAD_OPEN` (-6), `QUALIFIED` (-5), `ACCEPTED` (-4), `OPPY_OPEN` (-3); a won record reads `WON`. The codes
   * of further stages (-2 validated, -1 established, Lost) are not shown, so the set is open. Required on create. (sales spec 2.1)
   */
  readonly status: LeadStatus;
  /**
   * Expected closing date: an ISO 8601 date-time, `YYYY-MM-DDThh:mm:ss.sssZ`. Another form is refused (ERR805). Required on create. (sales
   * spec 2.1)
   */
  readonly closeDate: string;
  /** Currency of all amounts: exactly 3 uppercase letters (ISO 4217). Required on create. (sales spec 2.1) */
  readonly currency: string;
}

/** The main fields of a lead-opportunity to update (sales spec 2.1). Omitted fields keep their values. */
export interface LeadOpportunityToUpdate extends LeadOpportunityOptions {
  /**
   * Unique id of the record in the partner's CRM. Required on create and update; a duplicate on create is refused (ERR801). (sales spec
   * 2.1)
   */
  readonly partnerLeadOpportunityId: string;
  /** Name of the deal. Required on create. (sales spec 2.1) */
  readonly name?: string | undefined;
  /**
   * Stage in the sales process: `LEAD_OPEN` (-6), `QUALIFIED` (-5), `ACCEPTED` (-4), `OPPY_OPEN` (-3); a won record reads `WON`. The codes
   * of further stages (-2 validated, -1 established, Lost) are not shown, so the set is open. Required on create. (sales spec 2.1)
   */
  readonly status?: LeadStatus | undefined;
  /**
   * Expected closing date: an ISO 8601 date-time, `YYYY-MM-DDThh:mm:ss.sssZ`. Another form is refused (ERR805). Required on create. (sales
   * spec 2.1)
   */
  readonly closeDate?: string | undefined;
  /** Currency of all amounts: exactly 3 uppercase letters (ISO 4217). Required on create. (sales spec 2.1) */
  readonly currency?: string | undefined;
}

/** An offer line to send (sales spec 2.5). */
export interface OfferLineInput extends TakesExtra {
  /** The vendor's id of the offer that the line names. Required in requests. (sales spec 2.5) */
  readonly offerNameId: string;
  /** Amount of the line, in the currency of the lead-opportunity. (sales spec 2.5) */
  readonly amount?: number | undefined;
  /**
   * Type of revenue. v0: `UPFRONT`, `RENTAL_BOOKING`, `SUPPORT_SERVICES`, `SERVICES_SIGNING`. v1 separates yearly and quarterly rental
   * booking; its values are not shown, so the set is open. (sales spec 2.5)
   */
  readonly revenueType?: string | undefined;
}

/**
 * The end customer's company to send (sales spec 2.6). The fields `name`, `city` and `country` are required, and their values may be null.
 */
export interface LegalEntityInput extends TakesExtra {
  /** Name of the company. The key is required; its value may be null. (sales spec 2.6) */
  readonly name: string | null;
  /** City of the company. The key is required; its value may be null. (sales spec 2.6) */
  readonly city: string | null;
  /** Country of the company. The key is required; its value may be null. (sales spec 2.6) */
  readonly country: string | null;
  /** The vendor's id of the company (site id). (sales spec 2.6) */
  readonly id?: string | null | undefined;
  /** DUNS number of the company. (sales spec 2.6) */
  readonly dunsNumber?: string | null | undefined;
  /** VAT number of the company. (sales spec 2.6) */
  readonly vatNumber?: string | null | undefined;
  /** Registration id of the company. (sales spec 2.6) */
  readonly registrationId?: string | null | undefined;
  /** First line of the company's address. (sales spec 2.6) */
  readonly addressLine1?: string | null | undefined;
  /** State or prefecture in the company's address. (sales spec 2.6) */
  readonly statePrefecture?: string | null | undefined;
  /** Second line of the company's address. (sales spec 2.6) */
  readonly addressLine2?: string | null | undefined;
  /** Postal code in the company's address. (sales spec 2.6) */
  readonly zipCode?: string | null | undefined;
  /** Address of the company's web site. (sales spec 2.6) */
  readonly websiteUrl?: string | null | undefined;
}

/** A contact at the end customer, to send (sales spec 2.7). */
export interface CustomerContactInput extends TakesExtra {
  /** E-mail address of the contact. Required in requests. (sales spec 2.7) */
  readonly email: string;
  /** First name of the contact. Required in requests. (sales spec 2.7) */
  readonly firstName: string;
  /** Last name of the contact. Required in requests. (sales spec 2.7) */
  readonly lastName: string;
  /** Telephone number of the contact. (sales spec 2.7) */
  readonly phoneNumber?: string | undefined;
  /** Salutation of the contact. (sales spec 2.7) */
  readonly salutation?: string | undefined;
  /** Job title of the contact. (sales spec 2.7) */
  readonly jobTitle?: string | undefined;
}

/** A contact at the partner, to send (sales spec 2.7). */
export interface PartnerContactInput extends TakesExtra {
  /** E-mail address of the sales representative. Required in requests. (sales spec 2.7) */
  readonly salesRepEmail: string;
  /** First name of the sales representative. Required in requests. (sales spec 2.7) */
  readonly salesRepFirstName: string;
  /** Last name of the sales representative. Required in requests. (sales spec 2.7) */
  readonly salesRepLastName: string;
}

/** Which record to read (sales spec 4.3). */
export interface ReadLeadOpportunityInput {
  /** The vendor's id of the lead-opportunity; goes into the path. (sales spec 4.2, 4.3) */
  readonly id: string;
}

/** The input of a search (sales spec 4.4) for records that meet all its criteria. At least one criterion is required. */
export interface SearchLeadOpportunitiesInput extends TakesExtra {
  /** The criteria of the search, one at least. A record must meet all of them. (sales spec 4.4) */
  readonly data: readonly SearchCriterion[];
}

/** One criterion of a search: the time of the last modification, or ids in the partner's CRM. */
export type SearchCriterion = ModifiedCriterion | ReferenceCriterion;

/** A criterion that selects records by the time of their last modification. */
export interface ModifiedCriterion extends TakesExtra {
  /** Period in which the record was last modified; both bounds are required (ERROR_043). (sales spec 4.4) */
  readonly modifiedDate: ModifiedPeriod;
  /** Must be absent, because a criterion by ids is a separate criterion (`ReferenceCriterion`). */
  readonly partnerLeadOpportunityId?: undefined;
}

/** A criterion that selects records by their ids in the partner's CRM. */
export interface ReferenceCriterion extends TakesExtra {
  /** Ids in the partner's CRM; an empty string instead of a list selects the records that have none. (sales spec 4.4) */
  readonly partnerLeadOpportunityId: readonly string[] | '';
  /** Must be absent, because a criterion by a period is a separate criterion (`ModifiedCriterion`). */
  readonly modifiedDate?: undefined;
}

/** A period in which records were last modified (sales spec 4.4). */
export interface ModifiedPeriod extends TakesExtra {
  /** Begin of the period: a date-time. Required. (sales spec 4.4) */
  readonly fromDate: string;
  /** End of the period: a date-time. Required. (sales spec 4.4) */
  readonly toDate: string;
}

/** Which page of the portfolio to read (sales spec 4.5). */
export interface SearchPortfolioItemsInput {
  /** How many items to skip: an integer from 0; default 0. (sales spec 4.5) */
  readonly skip?: number | undefined;
  /** How many items to give at most: an integer from 1; default 9999. (sales spec 4.5) */
  readonly top?: number | undefined;
}
