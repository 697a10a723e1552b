import type { FieldName, Observed } from './canonical.ts';
import type { CrmGraph } from './crm-graph.ts';
import type { Issue } from './issue.ts';

/** The vendor's record as read, reduced to what the mapping knows plus what it must carry along unharmed. */
export type VendorObservation = {
  readonly record: Observed;
  readonly vendorId: string;
  /** `partnerLeadOpportunityId`, an opportunity's id in its 18-character form; null when unset. */
  readonly reference: string | null;
  /** The vendor holds it in another form than we write it: a person has entered it. */
  readonly isReferenceEntered?: true;
  /** The read-only fields of sales spec 2.8, raw. */
  readonly readOnly: Readonly<Record<string, string | null>>;
  /** Vendor fields that the specification does not show, by name only (reported, kept in the sealed raw copy). */
  readonly unknownFields: readonly string[];
  /** Fields that show what we have sent since the reading, and not what was read. */
  readonly optimistic?: readonly FieldName[];
  /** Not read for this decision: a search told that it holds still, or another writer had read it. What changed a moment ago it may not show. */
  readonly source?: 'search' | 'kept';
  /** What an earlier reading, on which nobody has decided, showed of fields that the vendor fills in. */
  readonly filledIn?: Observed;
  /** `modifiedDate` as sent by the vendor. */
  readonly version: string | null;
  readonly readAt: string;
};

/** The CRM's graph as read, with its canonical record and what of it could not be told. */
export type CrmObservation = {
  readonly graph: CrmGraph;
  readonly record: Observed;
  readonly issues: readonly Issue[];
};

/** The version stamp of a CRM observation. */
export function crmVersionOf(crm: CrmObservation): string | null {
  const stamp = crm.graph.opportunity['SystemModstamp'];
  return typeof stamp === 'string' ? stamp : null;
}
