/** What came of one step of work on a record: an observation, a decision, a remote's answer. Data only. */
import type { Base } from '../record/base.ts';
import type { FieldName } from '../record/canonical.ts';
import type { Issue } from '../record/issue.ts';
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
import type { WaitClass } from './retry-schedule.ts';

/** A plan under way. `generation`: the link's count when its work began; what was marked since stays due. */
export type Planned<P> = { readonly plan: P; readonly generation: number };

export type ObservationOutcome =
  /** The vendor's record was read. */
  | { readonly type: 'vendor-read'; readonly observation: VendorObservation }
  /** A reading showed nothing but our own writes and defaults. */
  | { readonly type: 'vendor-echoed'; readonly base: Base }
  /** The vendor shows an older state of the record than was read of it: its next reading is no late one. */
  | { readonly type: 'restored-at-vendor' }
  /** A decision that writes nothing. `trigger`: which side it was made for; `searched`: it rests on a search by our reference. */
  | ({
      readonly type: 'decided';
      readonly trigger: string;
      readonly searched?: true;
    } & Planned<NothingToWrite | Waiting>);

export type SearchOutcome =
  /** A vendor record with our reference was linked. `uncertain`: what was not known of our writes before. */
  | {
      readonly type: 'adopted';
      readonly vendorId: string;
      readonly uncertain: Link['vendorInDoubt'];
    }
  /** The search shows no trace of a create whose answer was lost. */
  | { readonly type: 'create-not-applied' }
  /** The opportunity that it names has another record already: a person has to say. */
  | { readonly type: 'adoption-parked'; readonly issue: Issue }
  /** Another vendor record carries our reference as well. */
  | { readonly type: 'rival-found'; readonly issue: Issue }
  /** No other carries it any more. */
  | { readonly type: 'rivals-gone' }
  /** Several opportunities may be a vendor-created record, by these keys. */
  | {
      readonly type: 'match-parked';
      readonly issue: Issue;
      readonly matchedOn: string;
      readonly candidates: number;
    };

export type VendorWriteOutcome =
  | ({ readonly type: 'create-sending' } & Planned<VendorCreate>)
  /** `answeredAt`: by the vendor's clock; null where it told no time. */
  | ({
      readonly type: 'created';
      readonly traceId: string | null;
      readonly answeredAt: string | null;
    } & Planned<VendorCreate>)
  /** ERR801: the reference exists at the vendor. */
  | ({ readonly type: 'create-duplicate'; readonly traceId: string | null } & Planned<VendorCreate>)
  | ({ readonly type: 'update-sending' } & Planned<VendorUpdate>)
  | ({
      readonly type: 'updated';
      readonly traceId: string | null;
      readonly answeredAt: string | null;
    } & Planned<VendorUpdate>)
  /** The vendor refused the content for good. `code`: its error code or `HTTP <status>`. */
  | ({
      readonly type: 'vendor-refused';
      readonly code: string;
      /** Paths as the vendor gives them. */
      readonly fields: readonly string[];
      /** Fields that its words name. */
      readonly named: readonly FieldName[];
      /** Offers of its lines that its words name. */
      readonly offers: readonly string[];
      readonly traceId: string | null;
    } & Planned<VendorWrite>)
  /** No answer, or one that says to try later. `applied`: whether the write may have reached the vendor. */
  | ({
      readonly type: 'vendor-write-failed';
      readonly what: string;
      readonly applied: 'no' | 'unknown';
    } & Planned<VendorWrite>);

/** A side refused a write for now, or gave an answer that nobody documents: it is tried again by the retry schedule. */
export type RefusedForNowOutcome = {
  readonly type: 'refused-for-now';
  readonly side: 'vendor' | 'crm';
  readonly waits: WaitClass;
  /** What was answered, in codes. */
  readonly code: string;
  readonly fields: readonly string[];
  /** Whether the write may have been applied. */
  readonly applied: 'no' | 'unknown';
  /** A limit of the org's automation was met. */
  readonly isAutomation?: true;
} & Planned<VendorWrite | CrmUpdate | CrmImport>;

/** A side refuses this record alone: it is set aside, and the others go on. `why`: what was answered, in codes. */
export type SetAsideOutcome = { readonly type: 'set-aside'; readonly why: string };

export type CrmWriteOutcome =
  /** `base`: with what the write would make both sides agree on, should its answer be lost. */
  | { readonly type: 'crm-write-sending'; readonly base: Base; readonly plan: CrmUpdate | CrmImport }
  | ({ readonly type: 'crm-written' } & Planned<CrmUpdate>)
  /** The CRM answered with an error other than a refusal: as it is all or none, nothing was applied. */
  | { readonly type: 'crm-write-not-applied' }
  /** The CRM refused the content for good. `code`: Salesforce's error code. */
  | ({
      readonly type: 'crm-refused';
      readonly code: string;
      readonly fields: readonly string[];
      /** Present where one of its lines or contacts was refused: which of the new ones, if it can be told. */
      readonly part?: { readonly of: 'line' | 'contact'; readonly created: number | null } | null;
    } & Planned<CrmUpdate | CrmImport>)
  /** `base`: by the first observation of what was made. */
  /** `isFollowed`: the vendor has yet to be told our reference, or something else is to be decided next. */
  | ({ readonly type: 'imported'; readonly base: Base; readonly isFollowed: boolean } & Planned<CrmImport>)
  /** An earlier try had made the opportunity. */
  | ({ readonly type: 'import-found' } & Planned<CrmImport>)
  /** Another link has the opportunity: of the same deal, or of another one by mistake. */
  | ({ readonly type: 'import-superseded'; readonly sameDeal: boolean } & Planned<CrmImport>)
  /** The link that had the opportunity takes over what both sides agreed on. */
  | { readonly type: 'import-taken-over'; readonly base: Base | null };

/** Nothing but failures since then. `reason`: the last of them, in codes and names. */
export type UnansweredOutcome = {
  readonly type: 'unanswered';
  readonly failingSince: string;
  readonly reason: string;
};

export type ReportOutcome =
  /** Users are about to be told. */
  | { readonly type: 'reporting'; readonly digest: string }
  | {
      readonly type: 'reported';
      readonly digest: string;
      /** `reported`, or why the CRM refused it for good. */
      readonly answer: string;
    }
  /** Somebody changed fields of the opportunity that Lockstep owns. */
  | {
      readonly type: 'owned-changed';
      readonly fields: readonly string[];
      /** Mark of this try, where the vendor id could not be written before; see `triedDigest`. */
      readonly tried: string | null;
    }
  /** The opportunity names the vendor record that a person has separated it from: it is emptied again. */
  | { readonly type: 'separated-id-shown' }
  /** The CRM refused the vendor id because another opportunity has it, or took it after that. */
  | { readonly type: 'vendor-id-told'; readonly taken: boolean };

export type Outcome =
  | ObservationOutcome
  | SearchOutcome
  | VendorWriteOutcome
  | CrmWriteOutcome
  | UnansweredOutcome
  | RefusedForNowOutcome
  | SetAsideOutcome
  | ReportOutcome;
