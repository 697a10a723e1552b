/**
 * The canonical record: the common form of a deal, into which Lockstep translates both sides before it compares them. Dates are ISO dates,
 * amounts are decimal strings, and `null` is the only form of "unset".
 */
import type { FIELDS } from './fields.ts';

/** A text, code, date (`YYYY-MM-DD`) or decimal string; `null` if unset, never the empty string. */
export type Text = string | null;

/** A set of codes in first-seen order, without duplicates; `[]` if unset. */
export type Codes = readonly string[];

/** One product or service of the deal (sales spec 2.5). `crmLineId`, an OpportunityLineItem id, pairs lines and is not compared. */
export type OfferLine = {
  readonly offerNameId: Text;
  /** Decimal string in the record's currency, with that currency's number of decimals. */
  readonly amount: Text;
  readonly revenueType: Text;
  readonly crmLineId?: string;
};

/**
 * The end customer's company (sales spec 2.6). The vendor's site id is not in it, but in the field `customerSiteId`. `crmAccountId`: for a
 * company from the CRM, the Account id. It distinguishes another account from a changed one, and is not part of the content.
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

/** A contact at the customer (sales spec 2.7). The vendor requires e-mail, first and last name. */
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

/** The canonical values of all fields of a deal (`FIELDS`), each of the field's kind. */
export type CanonicalRecord = { readonly [F in FieldName]: KindValue[(typeof FIELDS)[F]['kind']] };

/**
 * The fields that one side shows of a record. A missing key is *unknown*: the side did not show the field, or its value has no translation.
 * It never means "cleared". `null` and `[]` mean unset.
 */
export type Observed = { readonly [F in FieldName]?: CanonicalRecord[F] };
