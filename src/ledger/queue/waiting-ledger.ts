import type { Link } from '../../domain/record/link.ts';
import type { Reported } from '../../domain/record/reported.ts';
import type { WaitReason } from '../../domain/record/wait-reason.ts';

/** How many links have a change that waits to be synced, for one reason. */
export type WaitingCount = {
  /** Why the changes wait. Null if no attempt has failed and the links only wait for their turn. */
  readonly waitsFor: WaitReason | null;
  readonly records: number;
  readonly since: string;
  /** The CRM id of the record whose change waits longest, or its vendor id if it has no CRM id. */
  readonly longest: string;
};

/**
 * A link with a change that waits to be synced. `reported`: what CRM users see of the record. `since`: since when the change waits, ISO.
 */
export type WaitingLink = Pick<Link, 'key' | 'reported' | 'waitingFor' | 'inBurst'> & {
  readonly crmId: string;
  readonly since: string;
};

/**
 * A report about a record to CRM users, as the ledger stores it. `key`: the key of the record's link. `reported`: what the users see of the
 * record after the report.
 */
export type NotedReport = { readonly key: string; readonly reported: Reported };

/** Stores which links have a change that waits, why it waits, and which reports about the wait CRM users got. */
export interface WaitingLedger {
  /** Stores why the change of a due link waits, and returns the link; null if no change of the link waits. */
  noteWaiting(tenant: string, key: string, waitsFor: WaitReason): Promise<Link | null>;
  /**
   * Links with a change that has waited since `before` or longer, although CRM users cannot see that it waits: they see no sync state,
   * `in-sync` or `pending`. The links that wait longest come first.
   */
  unreportedWaiting(tenant: string, before: string, limit: number): Promise<readonly WaitingLink[]>;
  /**
   * Stores reports which say to CRM users that a record waits. Called before the reports are sent (`isBefore`), or after. Returns the keys
   * of links that do not wait any more, so that a report about them is wrong. After the sending, these links also become due, so that a new
   * report corrects the wrong one.
   */
  noteReported(
    tenant: string,
    reports: readonly NotedReport[],
    at: string,
    isBefore?: boolean,
  ): Promise<readonly string[]>;
  /**
   * Links with a report to CRM users whose result is still unknown, although the report was about to be sent at `before` or earlier; at
   * most `limit` links.
   */
  unconfirmedReports(
    tenant: string,
    before: string,
    limit: number,
  ): Promise<readonly { readonly key: string; readonly reported: Reported | null }[]>;
  /** Counts, by reason, the links with a change that has waited since `before` or longer. */
  countWaiting(tenant: string, before: string): Promise<readonly WaitingCount[]>;
}
