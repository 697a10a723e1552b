/**
 * The canonical record: the one normal form of a lead-opportunity that both sides are translated into
 * before anything is compared. ISO dates, decimal strings, `null` as the only spelling of "unset".
 */
import type { FIELDS } from './fields.ts';

/** A text, code, date (`YYYY-MM-DD`) or decimal string; `null` when unset. Never the empty string. */
export type Text = string | null;

/** A set of codes, in first-seen order without doubles; `[]` when unset. */
export type Codes = readonly string[];

/**
 * One product or service of the deal (sales spec 2.5). `crmLineId` is the OpportunityLineItem id where the
 * line comes from the CRM; it pairs lines, and is no part of their content.
 */
export type OfferLine = {
  readonly offerNameId: Text;
  /** Decimal string in the record's currency, at that currency's precision. */
  readonly amount: Text;
  readonly revenueType: Text;
  readonly crmLineId?: string;
};

/**
 * The end customer's company (sales spec 2.6) without its vendor site id, which is the field `customerSiteId`. `crmAccountId` is the
 * Account id where the company comes from the CRM; it tells another account from a changed one, and is no part of the content.
 */
export type LegalEntity = {
  readonly crmAccountId?: string;
  readonly name: Text;
  readonly city: Text;
  readonly country: Text;
  readonly addressLine1: Text;
  readonly addressLine2: Text;
  readonly statePrefecture: Text;
  readonly zipCode: Text;
  readonly websiteUrl: Text;
  readonly dunsNumber: Text;
  readonly vatNumber: Text;
  readonly registrationId: Text;
};

/** A contact at the customer (sales spec 2.7). E-mail, first and last name are required by the vendor. */
export type CustomerContact = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: Text;
  readonly salutation: Text;
  readonly jobTitle: Text;
};

/** The partner's sales person on the deal (sales spec 2.7); in the CRM, the opportunity's owner. */
export type PartnerContact = {
  readonly salesRepEmail: string;
  readonly salesRepFirstName: string;
  readonly salesRepLastName: string;
};

/** What a value of each kind is. */
export type KindValue = {
  readonly text: Text;
  readonly email: Text;
  readonly code: Text;
  readonly date: Text;
  readonly codes: Codes;
  readonly entity: LegalEntity | null;
  readonly lines: readonly OfferLine[];
  readonly 'customer-contacts': readonly CustomerContact[];
  readonly 'partner-contacts': readonly PartnerContact[];
};

export type FieldName = keyof typeof FIELDS;

/** Every field of the table with a value of its kind. */
export type CanonicalRecord = { readonly [F in FieldName]: KindValue[(typeof FIELDS)[F]['kind']] };

/**
 * What one side shows of a record. A missing key is *unknown* (the side did not show the field, or its value
 * has no translation) and never means "cleared"; `null` and `[]` mean unset.
 */
export type Observed = { readonly [F in FieldName]?: CanonicalRecord[F] };
