import type { FieldName, Observed } from './canonical.ts';
import type { CrmGraph } from './crm-graph.ts';
import type { Issue } from './issue.ts';

/** The vendor's record as read: the mapped fields, and what else Lockstep needs for a decision, such as the version. */
export type VendorObservation = {
  readonly record: Observed;
  readonly vendorId: string;
  /** `partnerLeadOpportunityId`, an opportunity id in its 18-character form; null if unset. */
  readonly reference: string | null;
  /** Set if the vendor has the reference in another form than Lockstep writes, because a vendor user entered it. */
  readonly isReferenceEntered?: true;
  /** The vendor's read-only fields (sales spec 2.8), untranslated. */
  readonly readOnly: Readonly<Record<string, string | null>>;
  /** Names of vendor fields that the specification does not list. Their values are kept only in the encrypted raw copy. */
  readonly unknownFields: readonly string[];
  /** Fields that Lockstep sent after the read. The sent values replace the values that were read. */
  readonly optimistic?: readonly FieldName[];
  /**
   * Why the record was not read for this decision: a search confirmed the snapshot, or another writer had read the record. Absent if it was
   * read.
   */
  readonly source?: 'search' | 'kept';
  /** The vendor's defaults as an earlier read showed them, before any decision. */
  readonly filledIn?: Observed;
  /** `modifiedDate` as sent by the vendor. */
  readonly version: string | null;
  readonly readAt: string;
};

/** The CRM's records as read, the canonical record made of them, and issues about values that could not be translated. */
export type CrmObservation = {
  readonly graph: CrmGraph;
  readonly record: Observed;
  readonly issues: readonly Issue[];
};

export function crmVersionOf(crm: CrmObservation): string | null {
  const stamp = crm.graph.opportunity['SystemModstamp'];
  return typeof stamp === 'string' ? stamp : null;
}
