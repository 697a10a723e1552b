import type { OffersLeftOut } from '../lines/lines-with-product.ts';
import type { CrmFieldChange } from '../record/crm-graph.ts';
import type { CrmLimits } from '../record/crm-limits.ts';
import type { Issue } from '../record/issue.ts';
import type { Link } from '../record/link.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { CrmObservation, VendorObservation } from '../record/observation.ts';

/**
 * The CRM's side of a link. `unlinked`: the link has no CRM record yet. `missing`: the linked CRM record does not
 * exist.
 */
export type CrmSide =
  | { readonly kind: 'observed'; readonly observation: CrmObservation }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unlinked' };

/**
 * The vendor's side of a link. `unread`: there is no current reading. `missing`: a search confirmed that the vendor shows no such record.
 * `unclear`: a search by the partner reference found several candidates, which `issue` names.
 */
export type VendorSide =
  | { readonly kind: 'observed'; readonly observation: VendorObservation }
  | { readonly kind: 'unread' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unclear'; readonly issue: Issue };

/** The vendor's side in a decision about a linked deal: either its reading, or `unread`. */
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
    /** `partnerLeadOpportunityId` as the last vendor reading showed it. */
    readonly reference: string | null;
  };
  readonly crm: CrmSide;
  readonly vendor: VendorSide;
  /** Changes in the CRM since the base (the last agreement), from Salesforce's field history; null if the history was not queried. */
  readonly crmHistory: readonly CrmFieldChange[] | null;
  readonly config: MappingConfig;
  /** Whether refused values are sent again, because the retry time has come. */
  readonly sendsRefusedAgain: boolean;
  /**
   * Whether a person requested this work on the record. Overruled values (losers of conflicts) then count as reviewed and are no longer
   * shown to CRM users.
   */
  readonly isManual: boolean;
  readonly importFromVendor: boolean;
  /** Limits of the CRM's fields, such as lengths. Fields that the CRM has not described are missing. */
  readonly crmLimits: CrmLimits;
  /** Whether the CRM has answered that the missing opportunity belongs to another org; see `isElsewhere`. */
  readonly isOfAnotherOrg?: true;
  /** Why a record without a link cannot be matched to a record of the other side; null if nothing is ambiguous. */
  readonly ambiguity: Ambiguity | null;
};

/**
 * Why a record cannot be matched. `may-be`: several vendor records may be this opportunity. `one-of`: a vendor record may be this
 * opportunity or another. `id-of-another`: the opportunity contains the id of a vendor record that is linked with another opportunity.
 * `separated`: an operator separated the opportunity from these records. `unproven-claim`: a user entered a vendor record's id, and nothing
 * proves that the two belong together.
 */
export type Ambiguity =
  | { readonly kind: 'may-be'; readonly vendorIds: readonly string[] }
  | { readonly kind: 'one-of'; readonly vendorId: string; readonly crmIds: readonly string[] }
  | { readonly kind: 'id-of-another' }
  | { readonly kind: 'unproven-claim' }
  | { readonly kind: 'separated'; readonly from: readonly string[] };
