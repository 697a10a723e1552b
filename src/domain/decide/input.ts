import type { OffersLeftOut } from '../lines/lines-with-product.ts';
import type { CrmFieldChange } from '../record/crm-graph.ts';
import type { CrmLimits } from '../record/crm-limits.ts';
import type { Issue } from '../record/issue.ts';
import type { Link } from '../record/link.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { CrmObservation, VendorObservation } from '../record/observation.ts';

/**
 * The CRM's record of a deal, as an input of a decision. `observed`: it was read. `unlinked`: the deal has no CRM record yet. `missing`:
 * the linked CRM record does not exist any more.
 */
export type CrmSide =
  | { readonly kind: 'observed'; readonly observation: CrmObservation }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unlinked' };

/**
 * The vendor's record of a deal, as an input of a decision. `observed`: it was read. `unread`: it was not read for this decision.
 * `missing`: a search confirmed that the vendor has no such record. `unclear`: a search by the partner reference found several records, as
 * `issue` says.
 */
export type VendorSide =
  | { readonly kind: 'observed'; readonly observation: VendorObservation }
  | { readonly kind: 'unread' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unclear'; readonly issue: Issue };

/** The vendor's record in a decision about a linked deal: either the record as read, or `unread`. */
export type VendorReading = Exclude<VendorSide, { kind: 'missing' | 'unclear' }>;

export type DecideInput = OffersLeftOut & {
  readonly link: Pick<
    Link,
    | 'crmId'
    | 'vendorId'
    | 'base'
    | 'state'
    | 'vendorInDoubt'
    | 'adoptingSince'
    | 'issues'
    | 'firstPick'
    | 'restoredAt'
    | 'formerIds'
  > & {
    /** The vendor record's `partnerLeadOpportunityId` (normally the CRM record's id) when Lockstep last read the record; null if unset. */
    readonly reference: string | null;
  };
  readonly crm: CrmSide;
  readonly vendor: VendorSide;
  /**
   * Changes of the opportunity's fields since the sides last agreed, from Salesforce's field history; null if the history was not queried.
   */
  readonly crmHistory: readonly CrmFieldChange[] | null;
  readonly config: MappingConfig;
  /** Whether Lockstep sends values again that a side has refused, because the time for a retry has come. */
  readonly sendsRefusedAgain: boolean;
  /**
   * Whether a person requested this work on the record. CRM users then do not see overruled values (values that lost a conflict by rule)
   * any more, because the person counts as having reviewed them.
   */
  readonly isManual: boolean;
  readonly importFromVendor: boolean;
  /** Limits of the CRM's fields, such as lengths. Fields are missing here if the CRM's description of its objects does not contain them. */
  readonly crmLimits: CrmLimits;
  /** True if the CRM has answered that the missing opportunity belongs to another org; absent if it was not asked or answered otherwise. */
  readonly isOfAnotherOrg?: true;
  /** Why Lockstep cannot tell which record of the other side belongs to a record that is not linked yet. Null if nothing is ambiguous. */
  readonly ambiguity: Ambiguity | null;
};

/**
 * Why Lockstep cannot match a CRM record with a vendor record. `may-be`: several vendor records may be this opportunity. `one-of`: a vendor
 * record may be this opportunity or another one. `id-of-another`: the opportunity contains the id of a vendor record that is linked with
 * another opportunity. `separated`: an operator separated the opportunity from these vendor records. `unproven-claim`: a user entered a
 * vendor record's id, and nothing proves that the two belong together.
 */
export type Ambiguity =
  | { readonly kind: 'may-be'; readonly vendorIds: readonly string[] }
  | { readonly kind: 'one-of'; readonly vendorId: string; readonly crmIds: readonly string[] }
  | { readonly kind: 'id-of-another' }
  | { readonly kind: 'unproven-claim' }
  | { readonly kind: 'separated'; readonly from: readonly string[] };
