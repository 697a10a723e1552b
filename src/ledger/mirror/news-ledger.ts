/**
 * Changes of mirrored rows (such as orders) and of deals at the vendor, called news, and the notices about them to the owners of
 * opportunities.
 */

/**
 * A notice to an opportunity's owner about the opportunity's news (changes of its orders, or of the deal at the vendor). Once a notice is
 * made, its content stays the same.
 */
export type DueNotice = {
  readonly id: string;
  readonly opportunityId: string;
  /** The changes that the notice reports, oldest first. */
  readonly news: readonly unknown[];
};

/**
 * Notices to owners that the CRM refused for one and the same reason. They are retried, and dropped once the changes in them are a week
 * old.
 */
export type RefusedNotices = {
  /** A code and field names, such as `INACTIVE_OWNER_OR_USER OwnerId`; null for notices that an earlier release stored. */
  readonly reason: string | null;
  readonly notices: number;
  /** When the oldest change in these notices was stored, ISO. */
  readonly since: string;
  /** When Lockstep next retries one of these refused notices, ISO. */
  readonly retryAt: string;
};

/** The result of sending a notice: it was sent, or the CRM refused it. `refused`: the reason as a code and field names. */
export type NoticeOutcome = 'sent' | { readonly refused: string };

export interface NewsLedger {
  /** The state of a mirrored row at its last read, with which a new state is compared to find news; null if unknown. */
  rowState(tenant: string, row: { readonly object: string; readonly id: string }): Promise<unknown | null>;
  /**
   * Combines news of one kind (changes of orders, or of deals) into notices, one for each opportunity. Drops news older than a week.
   * Returns at most `limit` notices that are due.
   */
  dueNotices(tenant: string, object: string, at: string, limit: number): Promise<readonly DueNotice[]>;
  /** Whether `dueNotices` has something to do for a tenant's deals: to make or return a notice, or to drop news that is too old. */
  hasDealNews(tenant: string, at: string): Promise<boolean>;
  /** Deletes all news of a tenant's deals, because the tenant does not want owners to be notified any more. */
  dropDealNews(tenant: string): Promise<void>;
  /** Deletes a notice that was sent, or postpones a refused notice and stores the reason. */
  settleNotice(tenant: string, id: string, outcome: NoticeOutcome, at: string): Promise<void>;
  /** Notices that the CRM has refused, by reason, most frequent first. */
  refusedNotices(tenant: string): Promise<readonly RefusedNotices[]>;
}
