/**
 * The CRM's records of one deal as raw fields with Salesforce's names. The CRM adapter (`src/salesforce`) reads and writes these records.
 * `mapping/` translates them to the canonical form (one form for both sides), and `crm-package/` defines the API names.
 */

export type CrmValue = string | number | boolean | null;

/** A flat row of Salesforce fields. A missing key is a field that the integration user may not see. */
export type CrmFields = Readonly<Record<string, CrmValue>>;

/** Whether a lead was converted or merged, and into which record. */
export type LeadState = {
  readonly isConverted: boolean;
  /** The opportunity that a converted lead became; null if it was converted without one. */
  readonly opportunityId: string | null;
  /** The lead into which this lead was merged; null if it was not merged. Salesforce shows a merged lead as deleted. */
  readonly mergedInto: string | null;
  /**
   * Whether the lead has a product or an amount of its own. If not, its only line is the tenant's default offer. Lockstep sends the default
   * offer because the vendor requires an offer when a record is created.
   */
  readonly namesOffer: boolean;
};

export type CrmGraph = {
  /** Opportunity fields, always with `Id`, `SystemModstamp`, `LastModifiedDate`, `LastModifiedById`, `CreatedById`, `IsDeleted`. */
  readonly opportunity: CrmFields;
  /** Account fields, with `Id`; null when the opportunity has no account. */
  readonly account: CrmFields | null;
  /**
   * The opportunity's lines, in sort order, as OpportunityLineItem fields with `Id`. Fields of the product have keys such as
   * `Product2.Vendor_Offer_Id__c`.
   */
  readonly lines: readonly CrmFields[];
  /**
   * Deleted OpportunityLineItem rows that the CRM still returns, in the form of `lines`; absent if there are none. Lockstep needs them
   * after a CRM write whose answer was lost. A user may have deleted a line that this write created. The deleted row shows that the line
   * existed, so that Lockstep treats its deletion as a user's edit.
   */
  readonly deletedLines?: readonly CrmFields[];
  /** The fields of each contact that has a role in the deal, with the contact's `Id`. The primary contact comes first. */
  readonly contacts: readonly CrmFields[];
  /** Fields of the opportunity's owner: `Email`, `FirstName`, `LastName`. Null if the owner is no user or cannot be read. */
  readonly owner: CrmFields | null;
  /** The child record of type `Lockstep_Sync__c`; null if there is none yet. */
  readonly sync: CrmFields | null;
  /** When the CRM answered, ISO, by its own clock (the `Date` header). Without that header, the time of the opportunity's last change. */
  readonly readAt: string;
  /**
   * Present if the record is a lead. `leads/lead-graph.ts` then represents the lead's fields as the fields of an opportunity, account,
   * contact and line.
   */
  readonly lead?: LeadState;
  /** The id of the integration user; absent or null if the CRM did not report it. */
  readonly readBy?: string | null;
};

/**
 * A change of one opportunity field, from the CRM's field history. Changes that the integration user made are not included, because they
 * are Lockstep's own.
 */
export type CrmFieldChange = {
  readonly field: string;
  /** When the user saved the change, ISO in whole seconds. */
  readonly at: string;
  /** The id of the user who made the change. */
  readonly by?: string;
};

/** One write to an existing opportunity with its lines and account. It contains only the values that change. */
export type CrmWrite = {
  readonly opportunityId: string;
  /**
   * The opportunity's `SystemModstamp` in the read on which the write is based. If the opportunity has changed since, the CRM refuses the
   * write with 412.
   */
  readonly ifUnmodifiedSince: string;
  readonly opportunity: CrmFields;
  readonly lines: {
    readonly create: readonly CrmFields[];
    readonly update: readonly CrmFields[];
    readonly delete: readonly string[];
  };
  /** Values for empty fields of the account: only the vendor's site id is ever filled in. Null if no account field is written. */
  readonly account: { readonly id: string; readonly fields: CrmFields } | null;
};

/**
 * A vendor-created deal (entered by the vendor's users) to create in the CRM. The request may be sent again without a duplicate: Lockstep
 * first searches for a record that an earlier attempt created, and the CRM refuses a second opportunity, or a second lead, with the same
 * `Vendor_Id__c`.
 */
export type CrmCreate = {
  readonly vendorId: string;
  /** `lead` if the record becomes a lead; absent for an opportunity. */
  readonly as?: 'lead';
  /**
   * Set if the answer to an earlier attempt was lost. That attempt may have created the record as the other object (lead instead of
   * opportunity, or the reverse), so Lockstep searches both objects.
   */
  readonly isRepeated?: true;
  readonly opportunity: CrmFields;
  /**
   * The deal's account. An existing account is found by site id, DUNS, VAT or registration number, then by exact name and country. If none
   * fits, the account is created.
   */
  readonly account: CrmFields | null;
  readonly lines: readonly CrmFields[];
  readonly contacts: readonly CrmFields[];
};

/**
 * What Lockstep writes to the CRM to show sales persons the state of a deal: the child record `Lockstep_Sync__c`, and a few fields of the
 * opportunity.
 */
export type CrmReport = {
  readonly opportunityId: string;
  /** Opportunity fields to write (`Vendor_Id__c`, `Vendor_Status__c`); empty if none of these fields changed. */
  readonly opportunity: CrmFields;
  /** Fields of the child record `Lockstep_Sync__c`. The child record is upserted: its key `Opportunity_Key__c` is the opportunity's id. */
  readonly sync: CrmFields;
  /**
   * Whether the child record `Lockstep_Sync__c` exists, as far as Lockstep knows. If it exists, the write leaves out the master-detail
   * field `Opportunity__c` with the child's parent, because Salesforce refuses to set the parent of an existing child again. Absent: as
   * false.
   */
  readonly hasRow?: boolean;
};
