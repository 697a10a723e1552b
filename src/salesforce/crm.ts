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
import type { ChangeFollower } from './pubsub/follow-changes.ts';
import type { CrmSetup } from './setup.ts';

/** The objects whose changes can affect a shared opportunity, such as its lines. Each has its own stream. */
export const CRM_STREAMS = [
  'Opportunity',
  'Lead',
  'OpportunityLineItem',
  'OpportunityContactRole',
  'Account',
  'Contact',
  'Lockstep_Sync__c',
  'Lockstep_Lead_Sync__c',
] as const;
export type CrmStream = (typeof CRM_STREAMS)[number];

export type CrmChange = {
  /** The opportunity or lead to observe, 18 characters. */
  readonly opportunityId: string;
  readonly rowId: string;
  /** `SystemModstamp` of the row, ISO. */
  readonly stamp: string;
  /**
   * Whether the opportunity has the share tick or a vendor id, and so may be shared. An opportunity without them matters only if it was
   * shared before.
   */
  readonly mayBeShared: boolean;
};

/** Rows of an object, by their ids. */
export type ChangedIds = { readonly object: string; readonly ids: readonly string[] };

export type ChangesAsk = { readonly stream: CrmStream; readonly position: CrmPosition };

/** First pages of several streams, read together with the requests of sales persons. */
export type ChangesTogether = {
  /** One function for each stream, called when its stream is processed. The error of one stream does not affect the others. */
  readonly pages: readonly (() => Promise<CrmChangePage>)[];
  /** Whether an order search, or a found order that a sales person ticked, waits to be processed. */
  readonly hasRequests: () => Promise<boolean>;
};

export type CrmChangePage = {
  readonly changes: readonly CrmChange[];
  /** Position of the last row read, or the given position if there was none. */
  readonly position: CrmPosition;
  readonly more: boolean;
  /** The CRM's clock at the answer; our own clock if the CRM sent none. */
  readonly now: string;
};

/** Which rows to read: all rows of an object, or with `byOthers` those that another user changed last or that were deleted. */
export type ChangedRows = {
  readonly object: string;
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
  /** Position of the last row, or the given position if there was none. */
  readonly position: CrmPosition;
  readonly more: boolean;
  /** The CRM's clock at the answer; our own clock if the CRM sent none. */
  readonly now: string;
};

/** The object and the field `by` that identifies its records. With `isExact`, the field's values are compared with letter case. */
export type UniqueBy = { readonly object: string; readonly by: string; readonly isExact?: boolean };

export type RowsWith = {
  readonly object: string;
  /** The field to compare with the values. */
  readonly key: string;
  readonly values: readonly string[];
  /** The fields to read besides the key. */
  readonly fields: readonly string[];
};

/**
 * A notice for users: a task or a feed item. If `object` is null, a flow of the CRM package shows the notice as a Salesforce notification
 * instead. `key` is unique to the notice, so that it is created only once.
 */
export type CrmNotice = {
  readonly key: string;
  readonly object: 'Task' | 'FeedItem' | null;
  readonly fields: CrmFields;
};

/**
 * A page of renewal notices: those that begin on `fromDay` or later, changed at or after `since`, with an id after `after`. `orders`:
 * only these, by the vendor's ids.
 */
export type RenewalPage = {
  readonly fromDay: string;
  readonly since: string | null;
  readonly after: string | null;
  readonly limit: number;
  readonly orders?: readonly string[];
};

/** Requests of sales persons to find orders, and to link orders that were found. */
export type OrderSearches = {
  /** Searches that have no answer yet. `criteria`: the values of the fields that the caller named. */
  readonly waiting: readonly { readonly id: string; readonly opportunityId: string; readonly criteria: CrmFields }[];
  /** Found orders that sales persons ticked, to be linked to the opportunity of their search. `order`: the vendor's id of the order. */
  readonly ticked: readonly { readonly id: string; readonly order: string; readonly opportunityId: string }[];
};

/** One page of opportunities that are, or were, shared. */
export type CrmGraphPage = {
  readonly graphs: readonly CrmGraph[];
  /** Position of the last opportunity, or the given position if there was none. */
  readonly position: CrmPosition;
  readonly more: boolean;
};

/** Options of every call. `signal` is the abort signal of the activity that makes the call. */
export type CrmCall = { readonly signal?: AbortSignal };

/** Options of a call that can share a request. `mayWait`: whether the call may wait some seconds for other calls of a burst. */
export type CrmSharedCall = CrmCall & { readonly mayWait?: boolean };

/** A lookup or master-detail field, and the external id field of the object that it refers to. */
export type CrmMaster = { readonly field: string; readonly externalId: string };

/** The standard price book, and the org's active currencies; `currencies` is null in an org of one currency. */
export type CrmPriceBooks = {
  readonly standardBookId: string;
  readonly currencies: readonly string[] | null;
};

export type CrmWriteContext = {
  /** When the version was read, by the CRM's clock; if absent, at the version's own timestamp. */
  readonly readAt?: string | null;
  /** Fields of `Lockstep_Sync__c` to write in the same request. If they are refused, the write still succeeds. */
  readonly sync?: CrmFields | null;
};

/** The opportunity of a vendor-created deal; `isNew` is false if an earlier try created it. */
export type ImportAnswer = { readonly opportunityId: string; readonly isNew: boolean };

/** One tenant's CRM. Every failure is a `CrmError`, see errors.ts. The adapter may send several calls in one request. */
export interface Crm {
  /**
   * One opportunity with its lines, contacts and account, or one lead in the same form, in one request; null if it does not exist. Deleted
   * ones have `IsDeleted` true.
   */
  readGraph(opportunityId: string, call?: CrmSharedCall): Promise<CrmGraph | null>;
  /**
   * Opportunities and leads that are, or were, shared, in the form of `readGraph`, deleted ones included. Ordered by SystemModstamp and Id,
   * and read after a position: at most `limit` of each object.
   */
  graphsAfter(position: CrmPosition, limit: number, call?: CrmCall): Promise<CrmGraphPage>;
  /**
   * Changes that other users made to these fields of an opportunity since an instant, newest first, from the org's field history. Empty if
   * the org does not track the fields or does not show the history. One query.
   */
  fieldChanges(
    opportunityId: string,
    fields: readonly string[],
    since: string | null,
    call?: CrmCall,
  ): Promise<readonly CrmFieldChange[]>;
  /** Whether an account was merged into another, in any number of steps. False once the recycle bin does not show it. */
  isMergedInto(formerId: string, accountId: string, call?: CrmCall): Promise<boolean>;
  /**
   * Whether this org can have created the opportunity with this id. An id names the Salesforce instance that created it. True if the org
   * shows any opportunity from the same instance, deleted ones included. Cached for an hour.
   */
  hasMadeSuch(opportunityId: string, call?: CrmCall): Promise<boolean>;
  /**
   * Applies a write all or none. Throws `stale` if the version has changed. Throws `stale` with `retryAfterMs` if the version was read
   * too early to detect a change.
   */
  applyWrite(write: CrmWrite, call?: CrmSharedCall & CrmWriteContext): Promise<void>;
  /** Creates the opportunity of a vendor-created deal, or finds the one that an earlier try created. Idempotent. */
  createFromVendor(create: CrmCreate, call?: CrmCall): Promise<ImportAnswer>;
  /** Converts a lead into a new account, contact and opportunity of this name. A lead that is converted already counts as converted. */
  convertLead(lead: { readonly leadId: string; readonly opportunityName: string }, call?: CrmCall): Promise<void>;
  /**
   * Ids of the leads that became an opportunity or lead by a conversion or merges, the earliest first. One query if there are none; no query
   * without leads.
   */
  leadsConvertedInto(crmId: string, call?: CrmCall): Promise<readonly string[]>;
  /** Writes the sync state on the child record, and the report's opportunity fields if it has any. Idempotent. */
  report(report: CrmReport, call?: CrmSharedCall): Promise<void>;
  /**
   * Upserts rows of any object by an external id field that each row has. Returns null or an error for each row, in order. No row undoes
   * another. Idempotent. A lookup that `master` or `references` names contains the external id of the other record.
   */
  upsertRows(
    object: string,
    externalId: string,
    rows: readonly CrmFields[],
    call?: CrmCall & { readonly master?: CrmMaster; readonly references?: readonly CrmMaster[] },
  ): Promise<readonly (null | CrmError)[]>;
  /** Updates rows of any object by their `Id`. Returns null or an error for each row, in order. Idempotent. */
  updateRows(object: string, rows: readonly CrmFields[], call?: CrmCall): Promise<readonly (null | CrmError)[]>;
  /** Creates a row that informs users. The row is created only once, however often and by however many workers this is tried. */
  notifyOnce(notice: CrmNotice, call?: CrmCall): Promise<void>;
  /** The org's standard price book and currencies, cached for five minutes. */
  priceBooks(call?: CrmCall): Promise<CrmPriceBooks>;
  /**
   * Returns the offer ids that can be sold on the opportunity. Such an offer has an active product with an active entry in the
   * opportunity's price book, or in the standard price book if none is given. In an org with several currencies, the entry must have the
   * opportunity's currency.
   */
  knownOffers(
    offerIds: readonly string[],
    call?: CrmCall & { readonly pricebookId?: string | null; readonly currency?: string | null },
  ): Promise<ReadonlySet<string>>;
  /**
   * Limits of the fields of these objects: lengths and allowed values. Cached for an hour, or for `maxAgeMs` if that is shorter. An object
   * that the user may not see is missing.
   */
  limits(objects: readonly string[], call?: CrmCall & { readonly maxAgeMs?: number }): Promise<CrmLimits>;
  /** Reads the settings of the org that affect the integration, as far as our user may see them. `flows`: API names of flows. */
  setup(flows: readonly string[], call?: CrmCall): Promise<CrmSetup>;
  /**
   * Reads the active products that have a mirrored price but no offer id. Returns product number and the given fields of at most 20,000
   * products.
   */
  productsWithoutOffer(fields: readonly string[], call?: CrmCall): Promise<readonly CrmFields[]>;
  /** Reads the given fields of at most 2,000 leads that are shared, unknown to the vendor, and empty in one of these fields. */
  sharedLeadsWithout(fields: readonly string[], call?: CrmCall): Promise<readonly CrmFields[]>;
  /**
   * Returns the number of events that the org delivers to all subscribers in a day, and the number that is left. Null if the org does not
   * say. One request.
   */
  eventAllowance(call?: CrmCall): Promise<{ readonly limit: number; readonly remaining: number } | null>;
  /** How the org describes these objects now. An object that the user may not see is missing. One request for each object. */
  schema(objects: readonly string[], call?: CrmCall): Promise<CrmSchema>;
  /**
   * Reads rows for `matchDeal`: open opportunities without a vendor id that meet the criteria, if there are any, and all opportunities
   * with this `vendorId`. One query.
   */
  findCandidates(
    criteria: MatchCriteria | null,
    call?: CrmCall & { readonly vendorId?: string },
  ): Promise<readonly CrmFields[]>;
  /** One page of a stream's changes after a position, deleted rows included; at most `limit` rows. */
  changesAfter(stream: CrmStream, position: CrmPosition, limit: number, call?: CrmCall): Promise<CrmChangePage>;
  /** One page of each of several streams, and whether requests of sales persons wait (two queries). Five queries in one request. */
  changesTogether(asks: readonly ChangesAsk[], limit: number, call?: CrmCall): Promise<ChangesTogether>;
  /**
   * Returns the opportunities of changed rows, by row id: the same opportunities that a sweep finds through these rows. Deleted rows count.
   * Rows that no shared opportunity uses, and rows of other objects, are missing.
   */
  opportunitiesOf(rows: readonly ChangedIds[], call?: CrmCall): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Reads change events from the Pub/Sub API. Sends nothing before its first use. */
  readonly changeEvents: ChangeFollower;
  /** One page of an object's rows after a position, deleted ones included: at most `limit` rows, and at most 2,000 in one request. */
  changedRows(of: ChangedRows, position: CrmPosition, limit: number, call?: CrmCall): Promise<ChangedRowPage>;
  /** Mirrored orders that belong to no opportunity, newest first, at most `limit`. */
  ordersWithoutDeal(fields: readonly string[], limit: number, call?: CrmCall): Promise<readonly CrmFields[]>;
  /** The requests to find and link orders, oldest first. `criteria`: the fields of a search to read. One request. */
  orderSearches(criteria: readonly string[], call?: CrmCall): Promise<OrderSearches>;
  /** Returns the ids of the given users, at most 200, who are active. */
  activeUsers(ids: readonly string[], call?: CrmCall): Promise<ReadonlySet<string>>;
  /** The mirrored renewal notices of a page, by id: the given fields. */
  renewalNotices(fields: readonly string[], page: RenewalPage, call?: CrmCall): Promise<readonly CrmFields[]>;
  /** The price books of price list versions that take effect after a day (`YYYY-MM-DD`), with key, currency and effective date. */
  futurePriceLists(day: string, call?: CrmCall): Promise<readonly CrmFields[]>;
  /** Reads all rows of an object, except deleted ones, in which a field has one of the given values. */
  rowsWith(of: RowsWith, call?: CrmCall): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /**
   * Returns the ids of records, by the value of their field. Leaves out values that several records have; a record with the exact value is
   * preferred to one with other letter case. Empty if the org lacks or hides the field. Cached for ten minutes; `isFresh` reads again.
   */
  findUnique(
    of: UniqueBy,
    values: readonly string[],
    call?: CrmCall & { readonly isFresh?: boolean },
  ): Promise<ReadonlyMap<string, string>>;
  /** The id of the session's organization, 18 characters, and the CRM's clock. One cheap query. */
  probe(call?: CrmCall): Promise<{ readonly organizationId: string; readonly now: string }>;
  close(): Promise<void>;
}
