import type { FieldName, Observed } from './canonical.ts';
import type { CrmGraph } from './crm-graph.ts';
import type { Issue } from './issue.ts';

/** The vendor's record as read: the mapped fields, and what else Lockstep needs for a decision, such as the version. */
export type VendorObservation = {
  readonly record: Observed;
  readonly vendorId: string;
  /** `partnerLeadOpportunityId`, an opportunity id in its 18-character form; null if unset. */
  readonly reference: string | null;
  /** Set if the reference is not spelled as Lockstep writes it, so that a vendor user must have entered it. */
  readonly isReferenceEntered?: true;
  /** The values of the vendor's read-only fields (sales spec 2.8), as the vendor sent them. */
  readonly readOnly: Readonly<Record<string, string | null>>;
  /**
   * Names of vendor fields that the specification does not list, or whose value has another type than specified. Their values are stored
   * only in the encrypted copy of the whole answer.
   */
  readonly unknownFields: readonly string[];
  /** Fields that Lockstep sent after the record was read. In the observation, the sent values replace the read values. */
  readonly optimistic?: readonly FieldName[];
  /**
   * Where the observation comes from if the record was not read for this decision. `search`: a search showed that an earlier snapshot is
   * still current. `kept`: another writer read the record and stored a snapshot. Absent if the record was read.
   */
  readonly source?: 'search' | 'kept';
  /** The first values that the vendor showed in fields that it fills in. Present until Lockstep has decided about these fields. */
  readonly filledIn?: Observed;
  /** `modifiedDate` as sent by the vendor. */
  readonly version: string | null;
  readonly readAt: string;
};

/**
 * The CRM's records as read (`graph`), the canonical record made from them (`record`), and issues about values that have no translation.
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
