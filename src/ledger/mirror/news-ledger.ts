/** Changes of mirrored rows and of deals ("news"), and the notices about them to the owners of opportunities. */

/** A notice about changed rows of one opportunity. Once it is created, its content stays the same. */
export type DueNotice = {
  /** The notice's unique id. */
  readonly id: string;
  readonly opportunityId: string;
  /** The changes that the notice reports, oldest first. */
  readonly news: readonly unknown[];
};

/** Notices that the CRM refused for the same reason. They are retried, and dropped once the changes in them are a week old. */
export type RefusedNotices = {
  /** A code and field names, such as `INACTIVE_OWNER_OR_USER OwnerId`; null for notices that an earlier release stored. */
  readonly reason: string | null;
  readonly notices: number;
  /** When the oldest change in these notices was stored, ISO. */
  readonly since: string;
  /** When the first of these notices is retried, ISO. */
  readonly retryAt: string;
};

/** The result for a notice: it was sent, or the CRM refused it for this reason (see `RefusedNotices`). */
export type NoticeOutcome = 'sent' | { readonly refused: string };

export interface NewsLedger {
  /** The state of a row at its last read (see `ReadDetail.known`); null if unknown. */
  rowState(tenant: string, row: { readonly object: string; readonly id: string }): Promise<unknown | null>;
  /**
   * Combines changes of mirrored rows or deals into notices, drops changes older than a week, and returns at most `limit` notices that are
   * due.
   */
  dueNotices(tenant: string, object: string, at: string, limit: number): Promise<readonly DueNotice[]>;
  /**
   * Whether the ledger has news about a tenant's deals with which `dueNotices` has something to do: to make or return a notice, or to drop
   * news that is too old.
   */
  hasDealNews(tenant: string, at: string): Promise<boolean>;
  /** Deletes all news of a tenant's deals, because owners are no longer to be notified. */
  dropDealNews(tenant: string): Promise<void>;
  /** Deletes a notice that was sent, or postpones a refused notice and stores the reason. */
  settleNotice(tenant: string, id: string, outcome: NoticeOutcome, at: string): Promise<void>;
  /** Notices that the CRM has refused, by reason, most frequent first. */
  refusedNotices(tenant: string): Promise<readonly RefusedNotices[]>;
}
