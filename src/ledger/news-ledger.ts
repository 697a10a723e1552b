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

export interface NewsLedger {
  /** What a row was known to be when it was read last, as `ReadDetail.state`; null where that is not known. */
  rowState(tenant: string, row: { readonly object: string; readonly id: string }): Promise<unknown | null>;
  /**
   * Makes up notices of what is news of rows that the CRM shows on an opportunity, and forgets what nobody could be told within a
   * week; then those that are to be told by now, at most `limit`, oldest first. In one transaction.
   */
  dueNotices(tenant: string, object: string, at: string, limit: number): Promise<readonly DueNotice[]>;
  /** Forgets a notice that was told, and puts one off that was refused. */
  settleNotice(tenant: string, id: string, outcome: 'told' | 'refused', at: string): Promise<void>;
}
