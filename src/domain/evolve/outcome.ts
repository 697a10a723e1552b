/** Results of one step of work on a record: an observation, a decision or a remote's answer. Data only. */
import type { Base } from '../record/base.ts';
import type { FieldName } from '../record/canonical.ts';
import type { RefusedClaim } from '../record/claim.ts';
import type { ObjectLimits } from '../record/crm-limits.ts';
import type { Held, Issue } from '../record/issue.ts';
import type { Link } from '../record/link.ts';
import type { VendorObservation } from '../record/observation.ts';
import type {
  CrmImport,
  CrmUpdate,
  NothingToWrite,
  VendorCreate,
  VendorUpdate,
  VendorWrite,
  Waiting,
} from '../record/plan.ts';
import type { Reported } from '../record/reported.ts';
import type { WaitClass } from './retry-schedule.ts';

/** A side's refusal. `said`: its own text, which may quote values; null if none. `labels`: the written fields' labels. */
type RefusalWords = { readonly said?: string | null; readonly labels?: ObjectLimits };

/**
 * A plan that was executed. `generation`: the link's `generation` (count of reported changes) when the work began. Changes counted later
 * are still to be synced.
 */
export type Planned<P> = { readonly plan: P; readonly generation: number };

export type ObservationOutcome =
  | { readonly type: 'vendor-read'; readonly observation: VendorObservation }
  /** A vendor reading that contains nothing but Lockstep's own writes and the vendor's defaults. */
  | { readonly type: 'vendor-echoed'; readonly base: Base }
  /** The vendor restored the record to an older version. The next reading with this version does not count as stale. */
  | { readonly type: 'restored-at-vendor' }
  /**
   * A decision without a write. `trigger`: the side that caused it. `searched`: whether it is based on a search by the partner reference.
   */
  | ({
      readonly type: 'decided';
      readonly trigger: string;
      readonly searched?: true;
    } & Planned<NothingToWrite | Waiting>);

export type SearchOutcome =
  /**
   * A vendor record with the partner reference was linked. `uncertain`: which kind of vendor write had no answer before (the link's
   * `vendorInDoubt`).
   */
  | {
      readonly type: 'adopted';
      readonly vendorId: string;
      readonly uncertain: Link['vendorInDoubt'];
    }
  /** A search showed that a create whose answer was lost was not applied. */
  | { readonly type: 'create-not-applied' }
  /** The opportunity that the vendor record names is linked to another vendor record, so a person has to decide. */
  | { readonly type: 'adoption-parked'; readonly issue: Issue }
  /** Another vendor record carries the partner reference too. */
  | { readonly type: 'rival-found'; readonly issue: Issue }
  /** No other vendor record carries the partner reference any longer. */
  | { readonly type: 'rivals-gone' }
  /** Several opportunities match a vendor-created record. `matchedOn`: the keys that match. */
  | {
      readonly type: 'match-parked';
      readonly issue: Issue;
      readonly matchedOn: string;
      readonly candidates: number;
    };

/**
 * The judgment of a vendor id that a user entered. `refused`: why the two records are not linked; null if the opportunity no longer
 * contains the id.
 */
export type ClaimOutcome = { readonly type: 'claim-judged'; readonly refused: RefusedClaim | null };

export type VendorWriteOutcome =
  | ({ readonly type: 'create-sending' } & Planned<VendorCreate>)
  /** The vendor created the record. `answeredAt`: by the vendor's clock, ISO; null if the answer has no time. */
  | ({
      readonly type: 'created';
      readonly traceId: string | null;
      readonly answeredAt: string | null;
    } & Planned<VendorCreate>)
  /** The vendor refused a create with ERR801, because a record with the partner reference exists. */
  | ({ readonly type: 'create-duplicate'; readonly traceId: string | null } & Planned<VendorCreate>)
  | ({ readonly type: 'update-sending' } & Planned<VendorUpdate>)
  | ({
      readonly type: 'updated';
      readonly traceId: string | null;
      readonly answeredAt: string | null;
    } & Planned<VendorUpdate>)
  /** The vendor refused the content permanently. `code`: its error code or `HTTP <status>`. */
  | ({
      readonly type: 'vendor-refused';
      readonly code: string;
      /** Paths of fields in the vendor's error. */
      readonly fields: readonly string[];
      /** Fields that the vendor's error message names. */
      readonly named: readonly FieldName[];
      /** Offer ids of lines that the vendor's error message names. */
      readonly offers: readonly string[];
      readonly traceId: string | null;
    } & RefusalWords &
      Planned<VendorWrite>)
  /** The vendor gave no answer to a write, or asked for a later retry. `applied`: whether the vendor may have applied the write. */
  | ({
      readonly type: 'vendor-write-failed';
      readonly what: string;
      readonly applied: 'no' | 'unknown';
    } & Planned<VendorWrite>);

/** A side refused a write temporarily, or gave an undocumented answer. The write is sent again by a retry schedule. */
export type RefusedForNowOutcome = {
  readonly type: 'refused-for-now';
  readonly side: 'vendor' | 'crm';
  readonly waits: WaitClass;
  /** The error codes of the side's answer. */
  readonly code: string;
  readonly fields: readonly string[];
  /** Whether the write may have been applied. */
  readonly applied: 'no' | 'unknown';
  /** Whether the write exceeded a limit on the org's automation, such as its flows and triggers. */
  readonly isAutomation?: true;
} & RefusalWords &
  Planned<VendorWrite | CrmUpdate | CrmImport>;

/** A side refuses only this record. The record is set aside, and other records continue. `why`: the codes of the answer. */
export type SetAsideOutcome = { readonly type: 'set-aside'; readonly why: string };

export type CrmWriteOutcome =
  /** A CRM write is being sent. `base`: the last agreed values, with this write noted as unanswered. */
  | { readonly type: 'crm-write-sending'; readonly base: Base; readonly plan: CrmUpdate | CrmImport }
  | ({ readonly type: 'crm-written' } & Planned<CrmUpdate>)
  /** The CRM answered with an error that is no refusal. It applied nothing, because a CRM write is all or none. */
  | { readonly type: 'crm-write-not-applied' }
  /** The CRM refused the content permanently. `code`: Salesforce's error code. */
  | ({
      readonly type: 'crm-refused';
      readonly code: string;
      readonly fields: readonly string[];
      /** The refused part, if it was an account, a line or a contact. `created`: its index among new rows; null if unknown or not new. */
      readonly part?: { readonly of: 'account' | 'line' | 'contact'; readonly created: number | null } | null;
    } & RefusalWords &
      Planned<CrmUpdate | CrmImport>)
  /** The import succeeded. `base`: the values that both sides had when the new opportunity was read. `isFollowed`: another decision follows. */
  | ({ readonly type: 'imported'; readonly base: Base; readonly isFollowed: boolean } & Planned<CrmImport>)
  /** The import found an opportunity that an earlier attempt had created. */
  | ({ readonly type: 'import-found' } & Planned<CrmImport>)
  /**
   * Another link already has the opportunity. `sameDeal`: both links belong to one deal; if not, the opportunity carries the vendor id by
   * mistake.
   */
  | ({ readonly type: 'import-superseded'; readonly sameDeal: boolean } & Planned<CrmImport>)
  /** The deal's opportunity already had a link. This link takes over the base (last agreed values) from the link that made the import. */
  | { readonly type: 'import-taken-over'; readonly base: Base | null };

/** Every attempt since `failingSince` failed. `reason`: the last failure, as codes and names. */
export type UnansweredOutcome = {
  readonly type: 'unanswered';
  readonly failingSince: string;
  readonly reason: string;
};

export type ReportOutcome =
  /** A report is about to be sent to the CRM. `shows`: what users may see from then on. */
  | { readonly type: 'reporting'; readonly shows: Reported }
  | {
      readonly type: 'reported';
      readonly shows: Reported;
      /** How the CRM answered the report: `reported`, or its final refusal. */
      readonly answer: string;
    }
  /** Other users changed fields of the opportunity that only Lockstep may write. */
  | {
      readonly type: 'owned-changed';
      readonly fields: readonly string[];
      /** The issue that stops another attempt to write the vendor id; null if no attempt failed before. */
      readonly tried: Held | null;
    }
  /** The opportunity shows the id of a vendor record that a person separated from it. The next report empties the field. */
  | { readonly type: 'separated-id-shown' }
  /** The CRM's answer to the vendor id. `taken`: it refused the id, because another opportunity has it. */
  | { readonly type: 'vendor-id-reported'; readonly taken: boolean };

export type Outcome =
  | ObservationOutcome
  | SearchOutcome
  | ClaimOutcome
  | VendorWriteOutcome
  | CrmWriteOutcome
  | UnansweredOutcome
  | RefusedForNowOutcome
  | SetAsideOutcome
  | ReportOutcome;
