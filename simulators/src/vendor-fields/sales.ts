import type { FieldGroup } from './field-group.ts';

/** The fields of the sales domain, by the object that has them. */
export const SALES_FIELDS = {
  leadOpportunity: {
    section: 'sales spec 2.1',
    fields: {
      partnerLeadOpportunityId:
        "Unique id of the record in the partner's CRM. Required on create and update; a duplicate on create is refused (ERR801).",
      name: 'Name of the deal. Required on create.',
      dsOwnerEmail: "E-mail of the vendor's partner sales manager. If a create names none, the primary one.",
      status:
        'Stage in the sales process: `LEAD_OPEN` (-6), `QUALIFIED` (-5), `ACCEPTED` (-4), `OPPY_OPEN` (-3); a won record reads `WON`. The codes of further stages (-2 validated, -1 established, Lost) are not shown, so the set is open. Required on create.',
      forecastCategory:
        '`UPSIDE`, `COMMIT`, `SAFE` or `WON`. The document does not show the codes of Longshot and Lost, so other codes are possible. The vendor ignores the category of a new deal with the status `LEAD_OPEN`, `QUALIFIED` or `ACCEPTED`. A new open deal without a category gets Upside. The vendor itself sets Won and Lost (2.3).',
      closeDate:
        'Expected closing date: an ISO 8601 date-time, `YYYY-MM-DDThh:mm:ss.sssZ`. Another form is refused (ERR805). Required on create.',
      cometCampaignCode: 'Code of a campaign; the document does not explain it.',
      reasonWon:
        'Why the deal was won, as codes: `SOLUTION_FUNCT`, `STRNG_VAL_PROP`, `LWR_CST_OF_OWNRSHIP`, `LWR_IMPL_COST`; the list is partial (2.4). If a create gives none, `STRNG_VAL_PROP`.',
      reasonLost:
        "Why the deal was lost, as codes: `BETTER_COMP_OFFER`, `CLIENT_DOES_NOT_SEE_VALUE`, `LACK_OR_LOSS_OF_CHAMPION`, `FUNC_GAP`, `CLIENT_HAS_NO_MORE_BUDGET`, `EMPTY`; the list is partial (2.4). If a create gives none, the reason 'No Project', whose code is not shown.",
      competitors: 'Competitors in the deal. The vendor gives the valid values to each partner directly.',
      reasonWonLostComment: 'Comment on why the deal was won or lost.',
      gtmTacticId: 'Go-to-market identification; the document does not explain it.',
      description: 'Description of the deal.',
      nextMilestone: 'Next activity that is planned for the deal.',
      nextMilestoneDate:
        'Date of the next activity: an ISO 8601 date-time, `YYYY-MM-DDThh:mm:ss.sssZ`. Another form is refused (ERR805).',
      currency: 'Currency of all amounts: exactly 3 uppercase letters (ISO 4217). Required on create.',
    },
  },
  leadOpportunityReadOnly: {
    section: 'sales spec 2.8',
    fields: {
      dsLeadOpportunityId: "The vendor's id of the record. Read-only.",
      approvalStatus:
        'Whether the vendor approves the deal, as a text; the document lists no values. Read-only; may be null, empty or `EMPTY`.',
      engagementType: 'Type of engagement; the document lists no values. Read-only; may be null, empty or `EMPTY`.',
      poInformation: 'Information about the purchase order of the deal. Read-only; may be null, empty or `EMPTY`.',
      poStatus: 'Status of the purchase order of the deal. Read-only; may be null, empty or `EMPTY`.',
      poNumber: 'Number of the purchase order of the deal. Read-only; may be null, empty or `EMPTY`.',
      sboIndicator:
        'Indicator of the special bid offer; the document lists no values. Read-only; may be null, empty or `EMPTY`.',
      sboStatus: 'Status of the special bid offer. Read-only; may be null, empty or `EMPTY`.',
      sboNumber: 'Number of the special bid offer. Read-only; may be null, empty or `EMPTY`.',
      growthType: 'Type of growth; the document lists no values. Read-only; may be null, empty or `EMPTY`.',
      leadPriority: 'Priority of the lead; the document lists no values. Read-only; may be null, empty or `EMPTY`.',
      levelOfInterest:
        'Level of interest in the deal; the document lists no values. Read-only; may be null, empty or `EMPTY`.',
      dsComment: "The vendor's comment on the deal. Read-only; may be null, empty or `EMPTY`.",
      partnerImportMode:
        'Import mode of the partner; the document lists no values. Read-only; may be null, empty or `EMPTY`.',
      createdDate: 'When the record was created: a date-time. Read-only.',
      modifiedDate: 'When the record was last modified: a date-time. Read-only.',
      offerLines: 'The offer lines (2.5).',
      customerContact: 'Contacts at the end customer (2.7), under a singular name in a read.',
      partnerContact: 'Contacts at the partner (2.7), under a singular name in a read; may be null.',
      customerLegalEntity: "The end customer's company (2.6).",
    },
  },
  offerLine: {
    section: 'sales spec 2.5',
    fields: {
      amount: 'Amount of the line, in the currency of the lead-opportunity.',
      offerNameId: "The vendor's id of the offer that the line names. Required in requests.",
      revenueType:
        'Type of revenue. v0: `UPFRONT`, `RENTAL_BOOKING`, `SUPPORT_SERVICES`, `SERVICES_SIGNING`. v1 separates yearly and quarterly rental booking; its values are not shown, so the set is open.',
    },
  },
  legalEntity: {
    section: 'sales spec 2.6',
    fields: {
      id: "The vendor's id of the company (site id).",
      dunsNumber: 'DUNS number of the company.',
      vatNumber: 'VAT number of the company.',
      registrationId: 'Registration id of the company.',
      name: 'Name of the company. The key is required; its value may be null.',
      city: 'City of the company. The key is required; its value may be null.',
      country: 'Country of the company. The key is required; its value may be null.',
      addressLine1: "First line of the company's address.",
      statePrefecture: "State or prefecture in the company's address.",
      addressLine2: "Second line of the company's address.",
      zipCode: "Postal code in the company's address.",
      websiteUrl: "Address of the company's web site.",
    },
  },
  customerContact: {
    section: 'sales spec 2.7',
    fields: {
      phoneNumber: 'Telephone number of the contact.',
      salutation: 'Salutation of the contact.',
      jobTitle: 'Job title of the contact.',
      email: 'E-mail address of the contact. Required in requests.',
      firstName: 'First name of the contact. Required in requests.',
      lastName: 'Last name of the contact. Required in requests.',
    },
  },
  partnerContact: {
    section: 'sales spec 2.7',
    fields: {
      salesRepEmail: 'E-mail address of the sales representative. Required in requests.',
      salesRepFirstName: 'First name of the sales representative. Required in requests.',
      salesRepLastName: 'Last name of the sales representative. Required in requests.',
    },
  },
  portfolioItem: {
    section: 'sales spec 2.10',
    fields: {
      salesPortfolioType: 'Type of the portfolio item; the document lists no values.',
      salesPortfolioInfrastructure: 'Infrastructure of the portfolio item; the document lists no values.',
      salesPortfolioisOrderable: "Whether the portfolio item can be ordered. The odd spelling is the vendor's.",
      salesPortfolioLevel1: 'Name of the first level of the portfolio in which the item is.',
      salesPortfolioLevel2: 'Name of the second level of the portfolio in which the item is.',
      salesPortfolioLevel3: 'Name of the third level of the portfolio in which the item is.',
      salesPortfolioId: 'Id of the portfolio item.',
    },
  },
  createRequest: {
    section: 'sales spec 4.1',
    fields: {
      partnerId: "Id of the partner's legal entity in the vendor's system. Required on create.",
      leadOpportunity: 'The main fields of the lead-opportunity (2.1). Required.',
      offerLines: 'The offer lines of the deal (2.5). Required on create, one at least.',
      customerLegalEntity: "The end customer's company (2.6). Required on create.",
      customerContacts: 'Contacts at the end customer (2.7).',
      partnerContacts: 'Contacts at the partner (2.7).',
    },
  },
  createAnswer: {
    section: 'sales spec 4.1',
    fields: {
      dsLeadOpportunityId: "The vendor's id of the new record.",
      partnerLeadOpportunityId: "The record's id in the partner's CRM, as the request gave it.",
      action: 'What the request did: always `create`.',
    },
  },
  updateAnswer: {
    section: 'sales spec 4.2',
    fields: {
      partnerLeadOpportunityId: "The record's id in the partner's CRM.",
      dsLeadOpportunityId: "The vendor's id of the record.",
      action: 'What the request did: always `update`.',
    },
  },
  recordPath: {
    section: 'sales spec 4.2, 4.3',
    fields: { id: "The vendor's id of the lead-opportunity; goes into the path." },
  },
  readAnswer: {
    section: 'sales spec 4.3',
    fields: { leadOpportunity: 'The record that was read (2.8).' },
  },
  searchRequest: {
    section: 'sales spec 4.4',
    fields: {
      data: 'The criteria of the search, one at least. A record must meet all of them.',
      modifiedDate: 'Period in which the record was last modified; both bounds are required (ERROR_043).',
      partnerLeadOpportunityId:
        "Ids in the partner's CRM; an empty string instead of a list selects the records that have none.",
      fromDate: 'Begin of the period: a date-time. Required.',
      toDate: 'End of the period: a date-time. Required.',
    },
  },
  searchAnswer: {
    section: 'sales spec 4.4',
    fields: { dsLeadOpportunityId: "The vendor's ids of the records that meet all criteria." },
  },
  portfolioQuery: {
    section: 'sales spec 4.5',
    fields: {
      skip: 'How many items to skip: an integer from 0; default 0.',
      top: 'How many items to give at most: an integer from 1; default 9999.',
    },
  },
} as const satisfies Readonly<Record<string, FieldGroup>>;
