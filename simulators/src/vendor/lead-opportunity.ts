/** The vendor's pipeline record as the simulator stores it. `null`: unset; `''`: cleared by a client. */
export type LeadOpportunity = {
  readonly dsLeadOpportunityId: string;
  /** The partner that the record belongs to; keys of other partners cannot see the record. */
  readonly partnerId: string;
  readonly core: CoreFields;
  readonly readOnly: ReadOnlyFields;
  readonly createdDate: string;
  readonly modifiedDate: string;
  readonly offerLines: readonly OfferLine[];
  readonly customerLegalEntity: LegalEntity;
  readonly customerContacts: readonly CustomerContact[];
  readonly partnerContacts: readonly PartnerContact[];
};

/** Texts and dates of sales spec 2.1, each with its unset value in a read (2.8: null or ''). */
export const CORE_TEXTS = {
  partnerLeadOpportunityId: null,
  name: '',
  dsOwnerEmail: '',
  status: '',
  forecastCategory: '',
  closeDate: null,
  cometCampaignCode: null,
  reasonWonLostComment: '',
  gtmTacticId: null,
  description: '',
  nextMilestone: '',
  nextMilestoneDate: null,
  currency: '',
} as const;

/** Lists of codes of sales spec 2.1. */
export const CORE_LISTS = ['reasonWon', 'reasonLost', 'competitors'] as const;

export const CORE_DATES = ['closeDate', 'nextMilestoneDate'] as const;

export type CoreText = keyof typeof CORE_TEXTS;
export type CoreList = (typeof CORE_LISTS)[number];
export type CoreFields = Readonly<Record<CoreText, string | null> & Record<CoreList, readonly string[] | null>>;

/** Read-only texts of sales spec 2.8, with their values until a vendor user sets them (several: `EMPTY`). */
export const READ_ONLY_TEXTS = {
  approvalStatus: 'EMPTY',
  engagementType: 'EMPTY',
  poInformation: '',
  poStatus: 'EMPTY',
  poNumber: null,
  sboIndicator: 'EMPTY',
  sboStatus: 'EMPTY',
  sboNumber: null,
  growthType: 'EMPTY',
  leadPriority: '',
  levelOfInterest: '',
  dsComment: null,
  partnerImportMode: '',
} as const;

export type ReadOnlyText = keyof typeof READ_ONLY_TEXTS;
export type ReadOnlyFields = Readonly<Record<ReadOnlyText, string | null>>;

/** An offer line (sales spec 2.5). */
export type OfferLine = {
  readonly amount: number | null;
  readonly offerNameId: string;
  readonly revenueType: string | null;
};

export const LEGAL_ENTITY_KEYS = [
  'id',
  'dunsNumber',
  'vatNumber',
  'registrationId',
  'name',
  'city',
  'country',
  'addressLine1',
  'statePrefecture',
  'addressLine2',
  'zipCode',
  'websiteUrl',
] as const;

/** The end customer's company (sales spec 2.6). */
export type LegalEntity = Readonly<Record<(typeof LEGAL_ENTITY_KEYS)[number], string | null>>;

/** A contact at the customer (sales spec 2.7). */
export type CustomerContact = {
  readonly phoneNumber: string | null;
  readonly salutation: string | null;
  readonly jobTitle: string | null;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
};

/** A contact at the partner (sales spec 2.7). */
export type PartnerContact = {
  readonly salesRepEmail: string;
  readonly salesRepFirstName: string;
  readonly salesRepLastName: string;
};

export const UNSET_CORE: CoreFields = {
  ...(Object.fromEntries(Object.keys(CORE_TEXTS).map((field) => [field, null])) as Record<CoreText, null>),
  reasonWon: null,
  reasonLost: null,
  competitors: null,
};

export const UNSET_LEGAL_ENTITY = Object.fromEntries(LEGAL_ENTITY_KEYS.map((key) => [key, null])) as LegalEntity;

/** The record as a read answers it (sales spec 2.8): arrays under their singular names, no partner id. */
export function toReadShape(record: LeadOpportunity): Readonly<Record<string, unknown>> {
  const texts = Object.entries(CORE_TEXTS).map(([field, unset]) => [field, record.core[field as CoreText] ?? unset]);
  return {
    dsLeadOpportunityId: record.dsLeadOpportunityId,
    ...Object.fromEntries(texts),
    reasonWon: record.core.reasonWon,
    reasonLost: record.core.reasonLost,
    competitors: record.core.competitors,
    ...record.readOnly,
    createdDate: record.createdDate,
    modifiedDate: record.modifiedDate,
    offerLines: record.offerLines,
    customerContact: record.customerContacts,
    partnerContact: record.partnerContacts.length === 0 ? null : record.partnerContacts,
    customerLegalEntity: record.customerLegalEntity,
  };
}
