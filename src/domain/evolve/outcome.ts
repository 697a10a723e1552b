/**
 * The possible outcomes of one step of work on a record, such as a read, a decision or the answer to a write. They are data without
 * functions.
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
 * How a side explained a refusal. `said`: the side's own text, which may quote values; null if none. `labels`: the CRM labels of the fields
 * that were written.
 */
type RefusalWords = { readonly said?: string | null; readonly labels?: ObjectLimits };

/**
 * A plan that was executed. `generation`: the link's count of reported changes when the work began. Changes that were counted later are not
 * synced yet.
 */
export type Planned<P> = { readonly plan: P; readonly generation: number };

export type ObservationOutcome =
  | { readonly type: 'vendor-read'; readonly observation: VendorObservation }
  /** The vendor's record was read. It shows nothing but Lockstep's own writes and the vendor's defaults. */
  | { readonly type: 'vendor-echoed'; readonly base: Base }
  /** The vendor restored the record to an older version. A read with this version does not count as stale any more. */
  | { readonly type: 'restored-at-vendor' }
  /**
   * A decision was made to write nothing. `trigger`: the side whose change caused the decision. `searched`: true if the decision is based
   * on a search at the vendor instead of a read. Such a search finds vendor records by the partner reference (the CRM record's id in the
   * vendor's record).
   */
  | ({
      readonly type: 'decided';
      readonly trigger: string;
      readonly searched?: true;
    } & Planned<NothingToWrite | Waiting>);

export type SearchOutcome =
  /**
   * Lockstep found the vendor record that has the deal's partner reference, and linked it. `uncertain`: the kind of vendor write that had
   * no answer until then (the link's `vendorInDoubt`).
   */
  | {
      readonly type: 'adopted';
      readonly vendorId: string;
      readonly uncertain: Link['vendorInDoubt'];
    }
  /** A search showed that a create whose answer was lost was not applied. */
  | { readonly type: 'create-not-applied' }
  /**
   * The deal has two vendor records, so a person has to decide which one remains. Either the opportunity that the vendor record names is
   * already linked to another vendor record, or a lead became a CRM record that is already linked to one.
   */
  | { readonly type: 'adoption-parked'; readonly issue: Issue }
  /** A second vendor record has the partner reference of this deal, too. */
  | { readonly type: 'rival-found'; readonly issue: Issue }
  /** After several vendor records had the deal's partner reference, only one still has it. */
  | { readonly type: 'rivals-gone' }
  /**
   * It is unclear which opportunity is the deal of a vendor-created record, so a person has to decide. `matchedOn`: the keys by which
   * opportunities match. `candidates`: how many opportunities match.
   */
  | {
      readonly type: 'match-parked';
      readonly issue: Issue;
      readonly matchedOn: string;
      readonly candidates: number;
    };

/**
 * What became of values that were only on a converted lead. `refused` is null if Lockstep wrote the values to the opportunity, or if the
 * opportunity has its own values there. Otherwise the CRM refused them: the fields, the error code, and the API names of fields that the
 * error contains.
 */
export type LeadEditsOutcome = { readonly type: 'left-on-lead'; readonly refused: Omit<LeftOnLead, 'leadId'> | null };

/**
 * Lockstep has judged whether a vendor id that a user entered may link the two records. `refused`: why it may not; null if the opportunity
 * does not contain the id any more.
 */
export type ClaimOutcome = { readonly type: 'claim-judged'; readonly refused: RefusedClaim | null };

/**
 * A reading of a lead has shown that Lockstep imported it, although the import's answer was lost. `base`: the base (last agreed values)
 * that follows from the reading.
 */
export type LeadImportOutcome = { readonly type: 'lead-imported'; readonly base: Base };

export type VendorWriteOutcome =
  | ({ readonly type: 'create-sending' } & Planned<VendorCreate>)
  /** The vendor created the record. `answeredAt`: when it answered, by its own clock, ISO; null if the answer has no time. */
  | ({
      readonly type: 'created';
      readonly traceId: string | null;
      readonly answeredAt: string | null;
    } & Planned<VendorCreate>)
  /** The vendor refused a create with ERR801, because it already has a record with this partner reference (the CRM record's id). */
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
      /** Ids of offers (vendor's products) that the vendor's error message names, to find the refused lines. */
      readonly offers: readonly string[];
      readonly traceId: string | null;
    } & RefusalWords &
      Planned<VendorWrite>)
  /**
   * A write to the vendor failed: the vendor gave no answer, or asked for a later retry. `applied`: whether the vendor may have applied the
   * write nevertheless. `what`: the failure in a few words.
   */
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
  /** Whether the side may have applied the write although it answered with an error. */
  readonly applied: 'no' | 'unknown';
  /** Whether the write exceeded a limit on the org's automation, such as its flows and triggers. */
  readonly isAutomation?: true;
} & RefusalWords &
  Planned<VendorWrite | CrmUpdate | CrmImport>;

/**
 * A side refuses the requests about this record, but accepts requests about others. The record is set aside (parked), and other records
 * continue. `why`: the codes of the answer.
 */
export type SetAsideOutcome = { readonly type: 'set-aside'; readonly why: string };

export type CrmWriteOutcome =
  /**
   * A CRM write is about to be sent. `base`: the base (last agreed values), which also contains the values of this write, because its
   * answer may get lost.
   */
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
   * An import (create of a vendor-created deal in the CRM) succeeded. `base`: the values that both sides had when the new opportunity was
   * read. `isFollowed`: Lockstep decides about the record again at once.
   */
  | ({ readonly type: 'imported'; readonly base: Base; readonly isFollowed: boolean } & Planned<CrmImport>)
  /**
   * An import (create of a vendor-created deal in the CRM) found that an earlier attempt had already created the opportunity. `base`: the
   * base (last agreed values). It also contains the values that this import sent, as a write in doubt (without an answer).
   */
  | ({ readonly type: 'import-found'; readonly base: Base | null } & Planned<CrmImport>)
  /**
   * The opportunity that an import (create of a vendor-created deal in the CRM) found or created already belongs to another link (pair of
   * CRM record and vendor record). `sameDeal`: both links belong to one deal. If false, the opportunity contains the vendor id by mistake.
   */
  | ({ readonly type: 'import-superseded'; readonly sameDeal: boolean } & Planned<CrmImport>)
  /**
   * An import (create of a vendor-created deal in the CRM) found or created an opportunity that already belongs to another link (pair of
   * CRM record and vendor record) of the same deal. This outcome is applied to that other link, which keeps the deal. `base`: the base
   * (last agreed values) of the link that made the import; null if it had none. The other link gets this base.
   */
  | { readonly type: 'import-taken-over'; readonly base: Base | null };

/** No attempt to sync the record has succeeded since `failingSince` (ISO). `reason`: the last failure, as codes and names. */
export type UnansweredOutcome = {
  readonly type: 'unanswered';
  readonly failingSince: string;
  readonly reason: string;
};

export type ReportOutcome =
  /**
   * A status report to CRM users is about to be sent. `shows`: what CRM users see if it arrives, which is not known until the answer comes.
   */
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
       * The hold (part of an issue) about the last attempt to write the vendor id to the opportunity. It keeps Lockstep from sending the id
       * again. Null if no attempt failed.
       */
      readonly tried: Held | null;
    }
  /**
   * The opportunity shows the id of a vendor record, although an operator separated the two. Lockstep's next report to CRM users empties
   * the field.
   */
  | { readonly type: 'separated-id-shown' }
  /**
   * The CRM answered a report that wrote the vendor id to the opportunity. `taken`: it refused the id, because another opportunity has it.
   */
  | { readonly type: 'vendor-id-reported'; readonly taken: boolean };

export type Outcome =
  | ObservationOutcome
  | SearchOutcome
  | LeadEditsOutcome
  | LeadImportOutcome
  | ClaimOutcome
  | VendorWriteOutcome
  | CrmWriteOutcome
  | UnansweredOutcome
  | RefusedForNowOutcome
  | SetAsideOutcome
  | ReportOutcome;
