import type { FieldName, Observed } from './canonical.ts';
import type { CrmGraph } from './crm-graph.ts';
import type { Issue } from './issue.ts';

/** The vendor's record as Lockstep knows it from a read: the mapped fields, and other facts that a decision needs, such as the version. */
export type VendorObservation = {
  readonly record: Observed;
  readonly vendorId: string;
  /**
   * The vendor record's `partnerLeadOpportunityId`: normally the id of our opportunity or lead, here in its 18-character form. A text of
   * another form is unchanged. Null if unset.
   */
  readonly reference: string | null;
  /**
   * Set if the partner reference does not have the form in which Lockstep writes it (for example, an id of 15 characters), so that a vendor
   * user must have entered it.
   */
  readonly isReferenceEntered?: true;
  /** The values of the vendor's read-only fields (sales spec 2.8), as the vendor sent them. */
  readonly readOnly: Readonly<Record<string, string | null>>;
  /**
   * Names of fields in the vendor's answer that the specification does not list, or whose value has another type than specified. The values
   * of these fields are stored only in the encrypted copy of the whole answer.
   */
  readonly unknownFields: readonly string[];
  /**
   * Fields that Lockstep sent to the vendor after it read the record. In `record`, the sent values of these fields replace the read values.
   */
  readonly optimistic?: readonly FieldName[];
  /**
   * Where the observation comes from if the record was not read for this decision. `search`: an earlier snapshot, and a search showed that
   * it is still current. `kept`: a snapshot that another worker read and stored within the last minute. Absent if the record was read.
   */
  readonly source?: 'search' | 'kept';
  /**
   * For fields that the vendor fills in when a create leaves them unset: the first value that the vendor showed. Lockstep must decide
   * whether such a field shows the vendor's default or a user's edit. The first value counts as the default, and any other value as an
   * edit. A value is kept here only until Lockstep has decided about its field.
   */
  readonly filledIn?: Observed;
  /** The version of the vendor's record: its `modifiedDate` as the vendor sent it. Null if the answer contained none. */
  readonly version: string | null;
  readonly readAt: string;
};

/**
 * The CRM's records of a deal as read (`graph`), their canonical form (`record`), and issues about values that Lockstep cannot translate.
 */
export type CrmObservation = {
  readonly graph: CrmGraph;
  readonly record: Observed;
  readonly issues: readonly Issue[];
};

export function crmVersionOf(crm: CrmObservation): string | null {
  const stamp = crm.graph.opportunity['SystemModstamp'];
  return typeof stamp === 'string' ? stamp : null;
}
