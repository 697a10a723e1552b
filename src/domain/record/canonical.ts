/**
 * The canonical record: one form of a deal for both sides. Lockstep translates each side into it before it compares them. Dates are ISO
 * dates, amounts are decimal strings, and `null` is the only form of "unset".
 */
import type { FIELDS } from './fields.ts';

/** A text, code, date (`YYYY-MM-DD`) or decimal string; `null` if unset, never the empty string. */
export type Text = string | null;

/** A set of codes in the order in which they were first seen, without duplicates; `[]` if unset. */
export type Codes = readonly string[];

/**
 * One product or service of the deal (sales spec 2.5). `crmLineId`: the id of the OpportunityLineItem, by which Lockstep pairs lines. The
 * id is ignored when the contents of two lines are compared.
 */
export type OfferLine = {
  readonly offerNameId: Text;
  /** Decimal string in the record's currency, with that currency's number of decimals. */
  readonly amount: Text;
  readonly revenueType: Text;
  readonly crmLineId?: string;
};

/**
 * The end customer's company (sales spec 2.6). Its site id at the vendor is a field of its own: `customerSiteId`. `crmAccountId`: the
 * Account's id, for a company from the CRM. The id shows whether the deal got another account or its account was edited. It is ignored when
 * two companies are compared.
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

/** All fields of a deal (`FIELDS`) in the canonical form (one form for both sides). The kind of a field decides the type of its value. */
export type CanonicalRecord = { readonly [F in FieldName]: KindValue[(typeof FIELDS)[F]['kind']] };

/**
 * The fields of a record as one side (CRM or vendor) shows them. A missing key means *unknown*, never "cleared": the side did not show the
 * field, or the value has no translation. An unset field has `null` or `[]`.
 */
export type Observed = { readonly [F in FieldName]?: CanonicalRecord[F] };
