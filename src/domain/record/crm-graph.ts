/**
 * The CRM's view of one deal as raw fields, exactly as Salesforce names them: what the adapter reads and writes,
 * and what `mapping/` translates. Field API names are those of `crm-package/`.
 */

export type CrmValue = string | number | boolean | null;

/** A flat row of Salesforce fields. A missing key is a field that the integration user may not see. */
export type CrmFields = Readonly<Record<string, CrmValue>>;

export type CrmGraph = {
  /** Opportunity fields, always with `Id`, `SystemModstamp`, `LastModifiedDate`, `LastModifiedById`, `CreatedById`, `IsDeleted`. */
  readonly opportunity: CrmFields;
  /** Account fields, with `Id`; null when the opportunity has no account. */
  readonly account: CrmFields | null;
  /** OpportunityLineItem fields in sort order, with `Id`; the product's fields flattened as `Product2.Vendor_Offer_Id__c`. */
  readonly lines: readonly CrmFields[];
  /** The same of lines that were deleted and that the CRM still tells of; absent where there are none. */
  readonly deletedLines?: readonly CrmFields[];
  /** Contact fields of each contact role, primary first, with the contact's `Id`. */
  readonly contacts: readonly CrmFields[];
  /** User fields of the owner: `Email`, `FirstName`, `LastName`. */
  readonly owner: CrmFields | null;
  /** The `Lockstep_Sync__c` child, or null while there is none. */
  readonly sync: CrmFields | null;
  /** When the answer was given, ISO instant by the CRM's clock (`Date` header); its own last change where that is not told. */
  readonly readAt: string;
  /** Id of the user that we read and write as; absent or null where the CRM did not tell it. */
  readonly readBy?: string | null;
};

/** One change of one field of an opportunity that somebody else than we made, from the CRM's field history. */
export type CrmFieldChange = {
  /** As Salesforce names it. */
  readonly field: string;
  /** ISO, whole seconds. */
  readonly at: string;
  /** Id of the user. */
  readonly by?: string;
};

/** One write to an existing opportunity and its lines and account; only what changes. */
export type CrmWrite = {
  readonly opportunityId: string;
  /** The version this write rests on; the CRM refuses with 412 when the record moved on. */
  readonly ifUnmodifiedSince: string;
  readonly opportunity: CrmFields;
  readonly lines: {
    readonly create: readonly CrmFields[];
    readonly update: readonly CrmFields[];
    readonly delete: readonly string[];
  };
  /** Fills of empty account fields (the vendor site id); never a rename. */
  readonly account: { readonly id: string; readonly fields: CrmFields } | null;
};

/** A vendor-created deal to be made in the CRM, repeatable by upsert on `Opportunity.Vendor_Id__c`. */
export type CrmCreate = {
  readonly vendorId: string;
  readonly opportunity: CrmFields;
  /** Matched by site id, DUNS, VAT or registration number, then by exact name and country; created when nothing matches. */
  readonly account: CrmFields | null;
  readonly lines: readonly CrmFields[];
  readonly contacts: readonly CrmFields[];
};

/** What Lockstep tells the CRM's users about a record: the child `Lockstep_Sync__c`, and what of it lives on the opportunity. */
export type CrmReport = {
  readonly opportunityId: string;
  /** Opportunity fields to write (`Vendor_Id__c`, `Vendor_Status__c`); empty when nothing of them changed. */
  readonly opportunity: CrmFields;
  /** Fields of `Lockstep_Sync__c`, upserted on `Opportunity_Key__c` = opportunity id. */
  readonly sync: CrmFields;
};
