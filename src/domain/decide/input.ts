import type { CrmFieldChange } from '../record/crm-graph.ts';
import type { CrmLimits } from '../record/crm-limits.ts';
import type { Issue } from '../record/issue.ts';
import type { Link } from '../record/link.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { CrmObservation, VendorObservation } from '../record/observation.ts';

/** `unlinked`: the link has no CRM record yet; `missing`: it names one that does not exist. */
export type CrmSide =
  | { readonly kind: 'observed'; readonly observation: CrmObservation }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unlinked' };

/**
 * `unread`: nothing current is known; `missing`: the vendor does not show the record to us, confirmed by a search; `unclear`: a
 * search by our reference does not tell which record is the deal's, as `issue` says.
 */
export type VendorSide =
  | { readonly kind: 'observed'; readonly observation: VendorObservation }
  | { readonly kind: 'unread' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unclear'; readonly issue: Issue };

/** What was read of the vendor, or nothing. */
export type VendorReading = Exclude<VendorSide, { kind: 'missing' | 'unclear' }>;

/** All that a decision rests on. */
export type DecideInput = {
  readonly link: Pick<
    Link,
    | 'crmId'
    | 'vendorId'
    | 'base'
    | 'state'
    | 'vendorInDoubt'
    | 'adoptingSince'
    | 'issues'
    | 'refusedFingerprint'
    | 'crmRefusedFingerprint'
    | 'firstPick'
    | 'restoredAt'
  > & {
    /** `partnerLeadOpportunityId` as last seen at the vendor. */
    readonly reference: string | null;
  };
  readonly crm: CrmSide;
  readonly vendor: VendorSide;
  /** What the CRM's field history tells of changes since the base; null where it was not asked. */
  readonly crmHistory: readonly CrmFieldChange[] | null;
  readonly config: MappingConfig;
  /** What a side refused is sent again, because it was long ago. */
  readonly sendsRefusedAgain: boolean;
  /** A person has told Lockstep to look at the record: what lost by rule was seen, and is told no longer. */
  readonly isManual: boolean;
  readonly importFromVendor: boolean;
  /** Offers of the vendor's lines that no product of the CRM carries; their lines are parked alone. */
  readonly unknownOffers: ReadonlySet<string>;
  /** What is told of those of them whose line is held back for another reason. */
  readonly heldOffers?: ReadonlyMap<string, Issue>;
  /** What fields of the CRM can be given, as far as it has described them. */
  readonly crmLimits: CrmLimits;
  /** Why it is not known which record of the other side one without a link is; null where it is new. */
  readonly ambiguity: Ambiguity | null;
};

/**
 * `may-be`: vendor records that wait because they may be it; `one-of`: a vendor record waits that it or another shared opportunity
 * is; `id-of-another`: it carries the id of a record that is linked elsewhere; `separated`: a person has separated it from these of
 * the other side.
 */
export type Ambiguity =
  | { readonly kind: 'may-be'; readonly vendorIds: readonly string[] }
  | { readonly kind: 'one-of'; readonly vendorId: string; readonly crmIds: readonly string[] }
  | { readonly kind: 'id-of-another' }
  | { readonly kind: 'separated'; readonly from: readonly string[] };
