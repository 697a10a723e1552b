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

/**
 * The objects whose changes can affect a deal that is shared with the vendor, such as the deal's lines. For each object, Lockstep reads the
 * changes as a stream, with a position of its own.
 */
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
  /** The 18-character id of the opportunity or lead that must be read because of the change. */
  readonly opportunityId: string;
  readonly rowId: string;
  /** `SystemModstamp` of the changed row, ISO. */
  readonly stamp: string;
  /**
   * False if the changed row is itself a deal (opportunity or lead) that is neither ticked as shared nor has a vendor id. Such a change
   * needs a read of the deal only if the deal was shared before. True for every other row.
   */
  readonly mayBeShared: boolean;
};

/** Changed rows of one object, named by their ids. */
export type ChangedIds = { readonly object: string; readonly ids: readonly string[] };

export type ChangesAsk = { readonly stream: CrmStream; readonly position: CrmPosition };

/**
 * One page of changes from each of several streams (a stream: the changes of one object), and whether requests of sales persons wait. Sales
 * persons create records in the CRM to search for the vendor's orders, and tick found orders to link them to an opportunity. These requests
 * are read together with the changes, because up to five queries share one HTTP request.
 */
export type ChangesTogether = {
  /**
   * For each requested stream (the changes of one object), in the order of the call's `asks`, a function that returns the stream's page. If
   * the query of one stream failed, only the function of that stream throws.
   */
  readonly pages: readonly (() => Promise<CrmChangePage>)[];
  /** Whether a request of a sales person waits: an order search, or a found order that was ticked to be linked. */
  readonly hasRequests: () => Promise<boolean>;
};

export type CrmChangePage = {
  readonly changes: readonly CrmChange[];
  /** The position (SystemModstamp and Id) of the last row that was read; if no row was read, the position after which the read began. */
  readonly position: CrmPosition;
  readonly more: boolean;
  /** When the CRM answered, ISO, by the CRM's clock; if the CRM sent no time, by this machine's clock. */
  readonly now: string;
};

/**
 * Which rows to read: all rows of an object; with `byOthers` only the rows that were deleted, or that another user than the integration
 * user changed last.
 */
export type ChangedRows = {
  readonly object: string;
  readonly fields: readonly string[];
  readonly byOthers?: boolean;
};

export type ChangedRow = {
  readonly rowId: string;
  /** `SystemModstamp` of the changed row, ISO. */
  readonly stamp: string;
  readonly isDeleted: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
};

export type ChangedRowPage = {
  readonly rows: readonly ChangedRow[];
  /** The position (SystemModstamp and Id) of the last row that was read; if no row was read, the position after which the read began. */
  readonly position: CrmPosition;
  readonly more: boolean;
  /** When the CRM answered, ISO, by the CRM's clock; if the CRM sent no time, by this machine's clock. */
  readonly now: string;
};

/**
 * How to find a record: `by` is a field of the object, and its value identifies the record. With `isExact`, a record is found only if its
 * value has the same letter case.
 */
export type UniqueBy = { readonly object: string; readonly by: string; readonly isExact?: boolean };

export type RowsWith = {
  readonly object: string;
  /** The field whose value must be one of `values`. */
  readonly key: string;
  readonly values: readonly string[];
  /** The fields to read in addition to `Id` and `key`. */
  readonly fields: readonly string[];
};

/**
 * A row to create that informs a user: a task or a feed item. If `object` is null, a flow of the CRM package shows the notice as a
 * Salesforce notification instead. `key` is different for each notice, so that each notice is created only once.
 */
export type CrmNotice = {
  readonly key: string;
  readonly object: 'Task' | 'FeedItem' | null;
  readonly fields: CrmFields;
};

/**
 * Which renewal notices to read: those that begin on `fromDay` or later, that changed at or after `since`, and whose record id is higher
 * than `after`; null for `since` or `after` means no such condition. If `orders` is given, only notices whose id at the vendor is in
 * `orders`.
 */
export type RenewalPage = {
  readonly fromDay: string;
  readonly since: string | null;
  readonly after: string | null;
  readonly limit: number;
  readonly orders?: readonly string[];
};

/**
 * How far the requests of sales persons (to search or link orders) were read: the id of the last search and the id of the last found order
 * that were read. Null at the beginning.
 */
export type RequestsPosition = { readonly search: string | null; readonly found: string | null };

/** Requests of sales persons to find orders, and to link orders that were found. */
export type OrderSearches = {
  /** The position after this page, and (`more`) whether there are more rows after it. */
  readonly next: RequestsPosition;
  readonly more: boolean;
  /** Searches that have no answer yet. `criteria`: the values of the fields that the caller named. */
  readonly waiting: readonly { readonly id: string; readonly opportunityId: string; readonly criteria: CrmFields }[];
  /**
   * Found orders that sales persons ticked in order to link them to the opportunity of the search. `order`: the vendor's id of the order.
   */
  readonly ticked: readonly { readonly id: string; readonly order: string; readonly opportunityId: string }[];
};

/** One page of deals (opportunities, and leads in the same form) that are shared with the vendor, or were. Each has its related rows. */
export type CrmGraphPage = {
  readonly graphs: readonly CrmGraph[];
  /** The position (SystemModstamp and Id) of the last deal that was read; if none was read, the position after which the read began. */
  readonly position: CrmPosition;
  readonly more: boolean;
};

/** Options of every call. `signal` is the abort signal of the activity that makes the call. */
export type CrmCall = { readonly signal?: AbortSignal };

/**
 * Options of a call that may share a request with other calls. `mayWait`: the call may wait some seconds for other calls of a burst
 * (records that changed together).
 */
export type CrmSharedCall = CrmCall & { readonly mayWait?: boolean };

/**
 * A lookup or master-detail field, and the external id field of the object to which it refers. A write names the related record by this
 * external id.
 */
export type CrmMaster = { readonly field: string; readonly externalId: string };

/** The standard price book, and the org's active currencies; `currencies` is null if the org has only one currency. */
export type CrmPriceBooks = {
  readonly standardBookId: string;
  readonly currencies: readonly string[] | null;
};

export type CrmWriteContext = {
  /**
   * When the opportunity's version on which the write is based was read, by the CRM's clock. It shows whether a later save in the same
   * second could have been missed. If null or absent, the version's own timestamp (`SystemModstamp`) is used.
   */
  readonly readAt?: string | null;
  /**
   * Fields of the sync row (`Lockstep_Sync__c`, or `Lockstep_Lead_Sync__c` for a lead) that the same request writes. If Salesforce refuses
   * them, the write still succeeds.
   */
  readonly sync?: CrmFields | null;
};

/**
 * The result of an import (a vendor's record created in the CRM): the id of the opportunity or lead. `isNew` is false if an earlier attempt
 * created it. `isSavedAgain` is true if this attempt may have saved that opportunity a second time: a repeated large import adds the rows
 * that are still missing. The integration user is then the last user who saved the opportunity, even if somebody edited it between the two
 * attempts. So the last saver does not show whether the opportunity was edited.
 */
export type ImportAnswer = { readonly opportunityId: string; readonly isNew: boolean; readonly isSavedAgain?: boolean };

/** The client for one tenant's CRM. Every failure is a `CrmError` (errors.ts). The client may send several calls as one request. */
export interface Crm {
  /**
   * Reads one opportunity with its lines, contacts and account, or one lead in the same form, in one request; null if it does not exist. A
   * deleted record has `IsDeleted` true.
   */
  readGraph(opportunityId: string, call?: CrmSharedCall): Promise<CrmGraph | null>;
  /**
   * Reads opportunities and leads that are shared with the vendor, or were, each with its lines, contacts and account; deleted ones are
   * included. They are sorted by SystemModstamp and Id and begin after a position: at most `limit` of each object.
   */
  graphsAfter(position: CrmPosition, limit: number, call?: CrmCall): Promise<CrmGraphPage>;
  /**
   * Changes that users other than the integration user made to these fields of an opportunity, newest first, from the org's field history.
   * With `since`, only changes since that instant. Empty if the org does not track the fields or hides the history. One query.
   */
  fieldChanges(
    opportunityId: string,
    fields: readonly string[],
    since: string | null,
    call?: CrmCall,
  ): Promise<readonly CrmFieldChange[]>;
  /**
   * Whether an account was merged into another account, directly or through further merges. False once the recycle bin no longer contains
   * the merged account.
   */
  isMergedInto(formerId: string, accountId: string, call?: CrmCall): Promise<boolean>;
  /**
   * Whether this org can have created the opportunity with this id. An id names the Salesforce instance that created it, so the answer is
   * true if the org has any opportunity from the same instance, even a deleted one. Cached for an hour.
   */
  hasMadeSuch(opportunityId: string, call?: CrmCall): Promise<boolean>;
  /**
   * Applies a write to an opportunity or lead. The write is applied completely or not at all. Throws `stale` if the record no longer has
   * the version (`SystemModstamp`) on which the write is based. Also throws `stale`, with `retryAfterMs`, if that version was read less
   * than two seconds after the start of its timestamp's second. Timestamps have whole seconds, so a later save in that second would have
   * the same timestamp, and the write could overwrite it.
   */
  applyWrite(write: CrmWrite, call?: CrmSharedCall & CrmWriteContext): Promise<void>;
  /** Creates the opportunity of a vendor-created deal, or finds the one that an earlier attempt created. Idempotent. */
  createFromVendor(create: CrmCreate, call?: CrmCall): Promise<ImportAnswer>;
  /**
   * Converts a lead into a new account, contact and opportunity; the opportunity gets this name. If the lead is converted already, nothing
   * is done.
   */
  convertLead(lead: { readonly leadId: string; readonly opportunityName: string }, call?: CrmCall): Promise<void>;
  /**
   * The ids of the leads from which an opportunity or lead came, the earliest first. `crmId` names the opportunity or lead. The result
   * contains the leads that were converted into the opportunity or merged into the lead, and earlier leads that were merged into these.
   * Sends one query, and one more for each step back to earlier leads, up to ten steps. Sends no query if the tenant syncs no leads.
   */
  leadsConvertedInto(crmId: string, call?: CrmCall): Promise<readonly string[]>;
  /**
   * Writes the record's sync state to its sync row (`Lockstep_Sync__c`, or `Lockstep_Lead_Sync__c` for a lead), and the report's
   * opportunity fields if it has any. Idempotent.
   */
  report(report: CrmReport, call?: CrmSharedCall): Promise<void>;
  /**
   * Upserts rows of any object by an external id field that each row has. Returns null or an error for each row, in order; if a row fails,
   * the others are still written. Idempotent. In `rows`, the lookup and master-detail fields that `master` and `references` name contain
   * the external id of the related record, not its Salesforce id.
   */
  upsertRows(
    object: string,
    externalId: string,
    rows: readonly CrmFields[],
    call?: CrmCall & { readonly master?: CrmMaster; readonly references?: readonly CrmMaster[] },
  ): Promise<readonly (null | CrmError)[]>;
  /** Updates rows of any object by their `Id`. Returns null or an error for each row, in order. Idempotent. */
  updateRows(object: string, rows: readonly CrmFields[], call?: CrmCall): Promise<readonly (null | CrmError)[]>;
  /** Creates a row that informs a user. The row is created only once, however often and by however many workers this method is called. */
  notifyOnce(notice: CrmNotice, call?: CrmCall): Promise<void>;
  /** The org's standard price book and currencies, cached for five minutes. */
  priceBooks(call?: CrmCall): Promise<CrmPriceBooks>;
  /**
   * Which of these offers can be on a line of the opportunity. The product of such an offer is active and has an active entry in the
   * opportunity's price book, or in the standard price book if none is given. In an org with several currencies, the entry must have the
   * opportunity's currency.
   */
  knownOffers(
    offerIds: readonly string[],
    call?: CrmCall & { readonly pricebookId?: string | null; readonly currency?: string | null },
  ): Promise<ReadonlySet<string>>;
  /**
   * The limits of the fields of these objects: lengths and allowed values. Cached for an hour, or for `maxAgeMs` milliseconds if given. An
   * object that the integration user may not see is left out.
   */
  limits(objects: readonly string[], call?: CrmCall & { readonly maxAgeMs?: number }): Promise<CrmLimits>;
  /** Reads settings of the org that affect Lockstep, as far as the integration user may see them. `flows`: API names of flows. */
  setup(flows: readonly string[], call?: CrmCall): Promise<CrmSetup>;
  /**
   * Reads the active products that have a price copied from the vendor but no offer id: the product number and the given fields, of at most
   * 20,000 products.
   */
  productsWithoutOffer(fields: readonly string[], call?: CrmCall): Promise<readonly CrmFields[]>;
  /**
   * Reads the given fields of at most 2,000 leads that are shared, that the vendor does not have, and that are empty in one of these
   * fields.
   */
  sharedLeadsWithout(fields: readonly string[], call?: CrmCall): Promise<readonly CrmFields[]>;
  /**
   * How many platform and change events the org delivers to all subscribers in a day, and how many are left. Null if the org does not say.
   * One request.
   */
  eventAllowance(call?: CrmCall): Promise<{ readonly limit: number; readonly remaining: number } | null>;
  /**
   * The org's present descriptions of these objects. An object that the integration user may not see is left out. One request for all
   * objects. If `Opportunity` is among them, one more request for each of its active record types, to read its picklist values.
   */
  schema(objects: readonly string[], call?: CrmCall): Promise<CrmSchema>;
  /**
   * Reads the opportunities that may belong to a vendor-created deal (for `matchDeal`): open opportunities without a vendor id that meet
   * the criteria (if there are criteria), and all opportunities with this `vendorId`. One query.
   */
  findCandidates(
    criteria: MatchCriteria | null,
    call?: CrmCall & { readonly vendorId?: string },
  ): Promise<readonly CrmFields[]>;
  /** One page of changes to the rows of one object (`stream`) after a position, deleted rows included; at most `limit` rows. */
  changesAfter(stream: CrmStream, position: CrmPosition, limit: number, call?: CrmCall): Promise<CrmChangePage>;
  /**
   * Reads one page of changes from each of several streams (a stream: the changes of one object). Two more queries read whether requests of
   * sales persons wait: an order search, or a found order that was ticked to be linked. Up to five of all these queries share one HTTP
   * request.
   */
  changesTogether(asks: readonly ChangesAsk[], limit: number, call?: CrmCall): Promise<ChangesTogether>;
  /**
   * The opportunities and leads that a sweep (the periodic query for the CRM's changes) would read because of these changed rows, by row
   * id. Deleted rows count too. A row that no shared opportunity uses is left out or has an empty list. Rows of objects that the sweep does
   * not query are left out.
   */
  opportunitiesOf(rows: readonly ChangedIds[], call?: CrmCall): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Reads change events from the Pub/Sub API. Sends no request until it is used. */
  readonly changeEvents: ChangeFollower;
  /**
   * One page of an object's rows after a position (SystemModstamp and Id), with deleted rows: at most `limit` rows, and at most 2,000 in
   * one request.
   */
  changedRows(of: ChangedRows, position: CrmPosition, limit: number, call?: CrmCall): Promise<ChangedRowPage>;
  /** Orders copied from the vendor that belong to no opportunity, newest first, at most `limit`. */
  ordersWithoutDeal(fields: readonly string[], limit: number, call?: CrmCall): Promise<readonly CrmFields[]>;
  /**
   * Reads one page of the requests of sales persons, in the order of their ids: order searches without an answer, and found orders that
   * were ticked to be linked to an opportunity. `criteria`: the fields of a search record (`Lockstep_Order_Search__c`) whose values are
   * returned. One request.
   */
  orderSearches(criteria: readonly string[], after: RequestsPosition, call?: CrmCall): Promise<OrderSearches>;
  /** Returns the ids of those of the given users who are active. At most 200 ids may be given. */
  activeUsers(ids: readonly string[], call?: CrmCall): Promise<ReadonlySet<string>>;
  /** The given fields of the renewal notices that `page` selects, sorted by id. */
  renewalNotices(fields: readonly string[], page: RenewalPage, call?: CrmCall): Promise<readonly CrmFields[]>;
  /** The price books of price list versions that take effect after a day (`YYYY-MM-DD`), each with key, currency and effective date. */
  futurePriceLists(day: string, call?: CrmCall): Promise<readonly CrmFields[]>;
  /** Reads all rows of an object, except deleted ones, in which a field has one of the given values. */
  rowsWith(of: RowsWith, call?: CrmCall): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /**
   * Finds records by the value of a field. The result maps each value to the id of its record. A value that several records have is left
   * out, unless exactly one of them has it in the same letter case. Empty if the org lacks or hides the field. Cached for ten minutes; with
   * `isFresh`, the records are read again.
   */
  findUnique(
    of: UniqueBy,
    values: readonly string[],
    call?: CrmCall & { readonly isFresh?: boolean },
  ): Promise<ReadonlyMap<string, string>>;
  /** The 18-character id of the session's organization, and the time by the CRM's clock. One cheap query. */
  probe(call?: CrmCall): Promise<{ readonly organizationId: string; readonly now: string }>;
  close(): Promise<void>;
}
