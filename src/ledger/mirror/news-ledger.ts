/** Changes of mirrored rows and of deals ("news"), and the notices to opportunity owners about them. */

/** A notice about changed rows of one opportunity. Its content does not change after it was created. */
export type DueNotice = {
  /** The notice's unique id. */
  readonly id: string;
  readonly opportunityId: string;
  /** The changes that the notice reports, oldest first. */
  readonly news: readonly unknown[];
};

/** Notices that the CRM refused for the same reason. They are tried again, and dropped when the changes that they report are a week old. */
export type RefusedNotices = {
  /** A code and field names, such as `INACTIVE_OWNER_OR_USER OwnerId`; null for notices of an earlier version. */
  readonly reason: string | null;
  readonly notices: number;
  /** When the oldest of the reported changes was noted, ISO. */
  readonly since: string;
  /** When the first of these notices is tried again, ISO. */
  readonly retryAt: string;
};

/** What happened to a notice. `sent`: it was sent. `refused`: why the CRM refused it, as in `RefusedNotices`. */
export type NoticeOutcome = 'sent' | { readonly refused: string };

export interface NewsLedger {
  /** A row's state at its last read, as in `ReadDetail.known`; null if unknown. */
  rowState(tenant: string, row: { readonly object: string; readonly id: string }): Promise<unknown | null>;
  /** Groups changes of mirrored rows or deals into notices, drops changes older than a week, and returns at most `limit` due notices. */
  dueNotices(tenant: string, object: string, at: string, limit: number): Promise<readonly DueNotice[]>;
  /** Whether a tenant has news of deals for which `dueNotices` has work. */
  hasDealNews(tenant: string, at: string): Promise<boolean>;
  /** Deletes all news of a tenant's deals, because owners are no longer to be notified. */
  dropDealNews(tenant: string): Promise<void>;
  /** Deletes a notice that was sent, or postpones a refused notice and stores the reason. */
  settleNotice(tenant: string, id: string, outcome: NoticeOutcome, at: string): Promise<void>;
  /** Notices that the CRM has refused, by reason, most frequent first. */
  refusedNotices(tenant: string): Promise<readonly RefusedNotices[]>;
}
