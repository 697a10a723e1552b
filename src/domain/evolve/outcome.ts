/**
 * The possible outcomes of one step of work on a record: an observation, a decision or a remote's answer. They are data without functions.
 */
import type { Base, LeftOnLead } from '../record/base.ts';
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

/**
 * How a side explained its refusal. `said`: its own text, which may quote values; null if none. `labels`: the labels of the fields that
 * were written.
 */
type RefusalWords = { readonly said?: string | null; readonly labels?: ObjectLimits };

/**
 * A plan that was executed. `generation`: the link's count of reported changes when the work began; changes that were counted later are
 * still to be synced.
 */
export type Planned<P> = { readonly plan: P; readonly generation: number };

export type ObservationOutcome =
  | { readonly type: 'vendor-read'; readonly observation: VendorObservation }
  /** A vendor reading was made that contains nothing but Lockstep's own writes and the vendor's defaults. */
  | { readonly type: 'vendor-echoed'; readonly base: Base }
  /** The vendor restored the record to an older version. Readings with this version do not count as stale any more. */
  | { readonly type: 'restored-at-vendor' }
  /**
   * A decision was made that writes nothing. `trigger`: the side whose change caused it. `searched`: whether it is based on a search by the
   * partner reference.
   */
  | ({
      readonly type: 'decided';
      readonly trigger: string;
      readonly searched?: true;
    } & Planned<NothingToWrite | Waiting>);

export type SearchOutcome =
  /**
   * Lockstep linked a vendor record with the partner reference. `uncertain`: the kind of vendor write whose answer was missing until then
   * (the link's `vendorInDoubt`).
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
  /** Only one vendor record still carries the partner reference, after several did. */
  | { readonly type: 'rivals-gone' }
  /** Several opportunities match a vendor-created record. `matchedOn`: the keys by which they match. */
  | {
      readonly type: 'match-parked';
      readonly issue: Issue;
      readonly matchedOn: string;
      readonly candidates: number;
    };

/**
 * Edits of a converted lead were written to its opportunity, or the opportunity has values of its own there (`refused` is null), or the CRM
 * refused them. `refused`: the CRM's error code, and the API names of fields that its error contains.
 */
export type LeadEditsOutcome = { readonly type: 'left-on-lead'; readonly refused: Omit<LeftOnLead, 'leadId'> | null };

/**
 * Lockstep has judged a vendor id that a user entered. `refused`: why the two records are not linked; null if the opportunity no longer
 * contains the id.
 */
export type ClaimOutcome = { readonly type: 'claim-judged'; readonly refused: RefusedClaim | null };

export type VendorWriteOutcome =
  | ({ readonly type: 'create-sending' } & Planned<VendorCreate>)
  /** The vendor created the record. `answeredAt`: when it answered, by its own clock, ISO; null if the answer has no time. */
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
  /** The vendor refused the content of a write permanently. `code`: the vendor's error code, or `HTTP <status>`. */
  | ({
      readonly type: 'vendor-refused';
      readonly code: string;
      /** The paths of fields that the vendor's error contains. */
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

/** A side refused a write temporarily, or gave an undocumented answer. The write is sent again according to a retry schedule. */
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
  /** A CRM write is about to be sent. `base`: the base (last agreed values), in which this write is noted as unanswered. */
  | { readonly type: 'crm-write-sending'; readonly base: Base; readonly plan: CrmUpdate | CrmImport }
  | ({ readonly type: 'crm-written' } & Planned<CrmUpdate>)
  /** The CRM answered a write with an error that is no refusal. The CRM applied nothing, because a CRM write is all or none. */
  | { readonly type: 'crm-write-not-applied' }
  /** The CRM refused the content of a write permanently. `code`: Salesforce's error code. */
  | ({
      readonly type: 'crm-refused';
      readonly code: string;
      readonly fields: readonly string[];
      /**
       * The part of the write that was refused, if it was an account, a line or a contact. `created`: the index of a new line or contact
       * among those that the write creates; null for an account or an existing row, or if the index is unknown.
       */
      readonly part?: { readonly of: 'account' | 'line' | 'contact'; readonly created: number | null } | null;
    } & RefusalWords &
      Planned<CrmUpdate | CrmImport>)
  /**
   * The import succeeded. `base`: the values that both sides had when the new opportunity was read. `isFollowed`: Lockstep decides about
   * the record again at once.
   */
  | ({ readonly type: 'imported'; readonly base: Base; readonly isFollowed: boolean } & Planned<CrmImport>)
  /** An import found that an earlier attempt had already created the opportunity. `base`: the base with the import in doubt. */
  | ({ readonly type: 'import-found'; readonly base: Base | null } & Planned<CrmImport>)
  /**
   * Another link already has the opportunity of this import. `sameDeal`: both links belong to one deal. If not, the opportunity contains
   * the vendor id by mistake.
   */
  | ({ readonly type: 'import-superseded'; readonly sameDeal: boolean } & Planned<CrmImport>)
  /**
   * A link takes over an import: the deal's opportunity already had this link, which gets the base (last agreed values) from the link that
   * made the import.
   */
  | { readonly type: 'import-taken-over'; readonly base: Base | null };

/** No attempt has succeeded since `failingSince`. `reason`: the last failure, as codes and names. */
export type UnansweredOutcome = {
  readonly type: 'unanswered';
  readonly failingSince: string;
  readonly reason: string;
};

export type ReportOutcome =
  /** A report is about to be sent to the CRM. `shows`: what users may see once it is sent. */
  | { readonly type: 'reporting'; readonly shows: Reported }
  | {
      readonly type: 'reported';
      readonly shows: Reported;
      /** How the CRM answered the report: `reported`, or the code of a permanent refusal. */
      readonly answer: string;
    }
  /** Other users changed fields of the opportunity that only Lockstep may write. */
  | {
      readonly type: 'owned-changed';
      readonly fields: readonly string[];
      /**
       * A hold (mark on an issue) about the last attempt to write the vendor id, which prevents the next one; null if no attempt failed.
       */
      readonly tried: Held | null;
    }
  /** The opportunity shows the id of a vendor record that a person separated from it. The next report empties the field. */
  | { readonly type: 'separated-id-shown' }
  /** The CRM answered the write of the vendor id. `taken`: it refused the id, because another opportunity has it. */
  | { readonly type: 'vendor-id-reported'; readonly taken: boolean };

export type Outcome =
  | ObservationOutcome
  | SearchOutcome
  | LeadEditsOutcome
  | ClaimOutcome
  | VendorWriteOutcome
  | CrmWriteOutcome
  | UnansweredOutcome
  | RefusedForNowOutcome
  | SetAsideOutcome
  | ReportOutcome;
