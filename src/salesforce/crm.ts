import type { MatchCriteria } from '../domain/decide/match-deal.ts';
import type {
  CrmCreate,
  CrmFieldChange,
  CrmFields,
  CrmGraph,
  CrmReport,
  CrmWrite,
} from '../domain/record/crm-graph.ts';
import type { CrmLimits } from '../domain/record/crm-limits.ts';
import type { CrmSchema } from '../domain/record/crm-schema.ts';
import type { CrmPosition } from '../domain/streams/crm-cursor.ts';
import type { CrmError } from './errors.ts';
import type { CrmSetup } from './setup.ts';

/** The object streams whose changes can touch a shared opportunity. */
export const CRM_STREAMS = [
  'Opportunity',
  'OpportunityLineItem',
  'OpportunityContactRole',
  'Account',
  'Contact',
  'Lockstep_Sync__c',
] as const;
export type CrmStream = (typeof CRM_STREAMS)[number];

export type CrmChange = {
  /** The opportunity to look at, 18 characters. */
  readonly opportunityId: string;
  readonly rowId: string;
  /** `SystemModstamp` of the row, ISO. */
  readonly stamp: string;
  /** False for an opportunity that is neither ticked nor known to the vendor: it matters only if it was shared before. */
  readonly mayBeShared: boolean;
};

/** A page that is asked for. */
export type ChangesAsk = { readonly stream: CrmStream; readonly position: CrmPosition };

export type CrmChangePage = {
  readonly changes: readonly CrmChange[];
  /** Position of the last row read, or the given one when there was none. */
  readonly position: CrmPosition;
  readonly more: boolean;
  /** The CRM's own time of the answer; of the caller where it tells none. */
  readonly now: string;
};

/** Which rows are looked for: of an object, those that others than we changed last or deleted, or all. */
export type ChangedRows = {
  readonly object: string;
  /** What to read of them. */
  readonly fields: readonly string[];
  readonly byOthers?: boolean;
};

export type ChangedRow = {
  readonly rowId: string;
  /** `SystemModstamp` of the row, ISO. */
  readonly stamp: string;
  readonly isDeleted: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
};

export type ChangedRowPage = {
  readonly rows: readonly ChangedRow[];
  /** Position of the last row, or the given one when there was none. */
  readonly position: CrmPosition;
  readonly more: boolean;
  /** The CRM's own time of the answer; of the caller where it tells none. */
  readonly now: string;
};

/** The field of an object that tells its records apart; `isExact`: also by capitals and small letters. */
export type UniqueBy = { readonly object: string; readonly by: string; readonly isExact?: boolean };

export type RowsWith = {
  readonly object: string;
  /** The field that has one of the values. */
  readonly key: string;
  readonly values: readonly string[];
  /** What to read besides the key. */
  readonly fields: readonly string[];
};

/** A row that tells people something; `key` is unlike that of every other. */
export type CrmNotice = {
  readonly key: string;
  readonly object: 'Task' | 'FeedItem';
  readonly fields: CrmFields;
};

/** One page of deals that are, or were, shared. */
export type CrmGraphPage = {
  readonly graphs: readonly CrmGraph[];
  /** Position of the last one, or the given one where there was none. */
  readonly position: CrmPosition;
  readonly more: boolean;
};

/** Every call takes the abort signal of the activity that makes it. */
export type CrmCall = { readonly signal?: AbortSignal };

/** `mayWait`: the call may wait for others of a burst to travel with, for seconds; absent, nobody is waited for. */
export type CrmSharedCall = CrmCall & { readonly mayWait?: boolean };

/** A field that leads to another row, and the external id of the object that it leads to: of a detail, its master. */
export type CrmMaster = { readonly field: string; readonly externalId: string };

/** What the org's price books rest on. `currencies`: those that are active; null in an org of one currency. */
export type CrmPriceBooks = {
  readonly standardBookId: string;
  readonly currencies: readonly string[] | null;
};

/** What a write may take with it. */
export type CrmWriteContext = {
  /** When the version that it rests on was read, by the CRM's clock; absent counts as at the version's own stamp. */
  readonly readAt?: string | null;
  /** Fields of `Lockstep_Sync__c` to go along; whether they are taken holds nothing up. */
  readonly sync?: CrmFields | null;
};

/** The opportunity of a vendor-created deal; `isNew` is false where an earlier try made it. */
export type ImportAnswer = { readonly opportunityId: string; readonly isNew: boolean };

/**
 * One tenant's CRM. Calls throw `CrmError` (see errors.ts) for every failure; which calls travel together is the
 * adapter's own affair.
 */
export interface Crm {
  /** The whole graph of one opportunity in one request; null when it does not exist. Deleted records have `IsDeleted` true. */
  readGraph(opportunityId: string, call?: CrmSharedCall): Promise<CrmGraph | null>;
  /**
   * Whole graphs of the opportunities that are, or were, shared, in the order (SystemModstamp, Id) after a position, deleted ones
   * included: at most `limit`, and 2,000 in one request.
   */
  graphsAfter(position: CrmPosition, limit: number, call?: CrmCall): Promise<CrmGraphPage>;
  /**
   * When others than we changed these fields of an opportunity, from an instant on, where the org tracks them; the newest
   * first. Empty where it does not, or does not show it. One query.
   */
  fieldChanges(
    opportunityId: string,
    fields: readonly string[],
    since: string | null,
    call?: CrmCall,
  ): Promise<readonly CrmFieldChange[]>;
  /**
   * Whether an account was merged into another, directly or by way of others. False where the recycle bin does not show it any more. One
   * query a step.
   */
  isMergedInto(formerId: string, accountId: string, call?: CrmCall): Promise<boolean>;
  /**
   * Applies one write all-or-none. Throws `CrmError` kind `stale` when the version moved on, and with `retryAfterMs` when it
   * was read too early to tell.
   */
  applyWrite(write: CrmWrite, call?: CrmSharedCall & CrmWriteContext): Promise<void>;
  /** Makes a vendor-created deal, or finds it when an earlier try made it. Repeating it changes nothing. */
  createFromVendor(create: CrmCreate, call?: CrmCall): Promise<ImportAnswer>;
  /** Writes the sync state on the child record, and the report's opportunity fields when it has any. Repeatable. */
  report(report: CrmReport, call?: CrmSharedCall): Promise<void>;
  /**
   * Makes or changes rows of any object, told apart by an external id field that each of them has. Each is answered by
   * itself, null or its error, in the order given; none undoes another. Repeatable. Rows that lead to others hold the other's
   * external id in the field that `master` or one of `references` names.
   */
  upsertRows(
    object: string,
    externalId: string,
    rows: readonly CrmFields[],
    call?: CrmCall & { readonly master?: CrmMaster; readonly references?: readonly CrmMaster[] },
  ): Promise<readonly (null | CrmError)[]>;
  /** Changes rows of any object, told apart by their `Id`; answered as `upsertRows` answers. Repeatable. */
  updateRows(
    object: string,
    rows: readonly CrmFields[],
    call?: CrmCall,
  ): Promise<readonly (null | CrmError)[]>;
  /** Makes a row that tells people something, once, however often and by how many it is tried. */
  notifyOnce(notice: CrmNotice, call?: CrmCall): Promise<void>;
  /** The org's standard price book and its currencies, remembered for some minutes. */
  priceBooks(call?: CrmCall): Promise<CrmPriceBooks>;
  /**
   * Those of the offer ids that can be lines: an active product with an active entry in the price book of the
   * opportunity (the standard one when none is given), in its currency where the org has several.
   */
  knownOffers(
    offerIds: readonly string[],
    call?: CrmCall & { readonly pricebookId?: string | null; readonly currency?: string | null },
  ): Promise<ReadonlySet<string>>;
  /**
   * What the fields of these objects can be given. Described once for all records and kept for an hour; not older than
   * `maxAgeMs` where that is given. An object that the user may not see is missing.
   */
  limits(objects: readonly string[], call?: CrmCall & { readonly maxAgeMs?: number }): Promise<CrmLimits>;
  /** What of the org's setup decides about the integration, as far as our user sees it; `flow` by its API name. */
  setup(flow: string, call?: CrmCall): Promise<CrmSetup>;
  /**
   * How the org describes these objects now; one that the user may not see is missing. One request each, and one for each active
   * record type of opportunities.
   */
  schema(objects: readonly string[], call?: CrmCall): Promise<CrmSchema>;
  /**
   * Rows for `matchDeal`: open opportunities without a vendor id that meet the criteria; and any that carries `vendorId`. One
   * query.
   */
  findCandidates(
    criteria: MatchCriteria,
    call?: CrmCall & { readonly vendorId?: string },
  ): Promise<readonly CrmFields[]>;
  /** One page of a stream's changes after a position, deleted rows included; at most `limit` rows. */
  changesAfter(
    stream: CrmStream,
    position: CrmPosition,
    limit: number,
    call?: CrmCall,
  ): Promise<CrmChangePage>;
  /**
   * The same of several streams, each five of them in one request. Each page is taken by itself, when it is asked for, and what one
   * is refused is no other's.
   */
  changesTogether(
    asks: readonly ChangesAsk[],
    limit: number,
    call?: CrmCall,
  ): Promise<readonly (() => Promise<CrmChangePage>)[]>;
  /** One page of an object's rows after a position, deleted ones included; at most `limit` rows, and 2,000 in one request. */
  changedRows(of: ChangedRows, position: CrmPosition, limit: number, call?: CrmCall): Promise<ChangedRowPage>;
  /** All rows of an object, not deleted, whose field is one of these values. */
  rowsWith(of: RowsWith, call?: CrmCall): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /**
   * The ids of records that are the only ones of their object whose field is one of these values, by the value: one that is spelled
   * the same, else in other capitals. Empty where the org has no such field, or hides it. Not older than ten minutes; read anew
   * where `isFresh` says so.
   */
  findUnique(
    of: UniqueBy,
    values: readonly string[],
    call?: CrmCall & { readonly isFresh?: boolean },
  ): Promise<ReadonlyMap<string, string>>;
  /** The organization id the session belongs to, 18 characters, and the CRM's clock. A cheap probe. */
  probe(call?: CrmCall): Promise<{ readonly organizationId: string; readonly now: string }>;
  close(): Promise<void>;
}
