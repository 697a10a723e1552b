/** What the ledger remembers of changes that the owners of opportunities are to be told. */

/** Changes of rows of one opportunity, told together; nothing of it changes once it is made up. */
export type DueNotice = {
  /** Unlike every other notice. */
  readonly id: string;
  /** The CRM's id of the opportunity. */
  readonly opportunityId: string;
  /** As they were kept, oldest first. */
  readonly news: readonly unknown[];
};

/** Notices that the CRM refused for one reason; they are tried again, and forgotten a week after their news. */
export type RefusedNotices = {
  /** A code and names of fields, as `INACTIVE_OWNER_OR_USER OwnerId`; null of what an earlier version noted. */
  readonly reason: string | null;
  readonly notices: number;
  /** Since when the oldest of their news waits, ISO. */
  readonly since: string;
  /** When the first of them is tried again, ISO. */
  readonly retryAt: string;
};

/** `refused`: the reason, as `RefusedNotices` has it. */
export type NoticeOutcome = 'told' | { readonly refused: string };

export interface NewsLedger {
  /** What a row was known to be when it was read last, as `ReadDetail.state`; null where that is not known. */
  rowState(tenant: string, row: { readonly object: string; readonly id: string }): Promise<unknown | null>;
  /**
   * Makes up notices of what is news of rows that the CRM shows on an opportunity, and forgets what nobody could be told within a
   * week; then those that are to be told by now, at most `limit`, oldest first. In one transaction.
   */
  dueNotices(tenant: string, object: string, at: string, limit: number): Promise<readonly DueNotice[]>;
  /** Forgets a notice that was told, and puts one off that was refused, with the reason. */
  settleNotice(tenant: string, id: string, outcome: NoticeOutcome, at: string): Promise<void>;
  /** What the CRM has refused and nobody was told yet, by reason, the most first. */
  refusedNotices(tenant: string): Promise<readonly RefusedNotices[]>;
}
