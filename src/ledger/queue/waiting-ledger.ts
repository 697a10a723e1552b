import type { Link } from '../../domain/record/link.ts';
import type { Reported } from '../../domain/record/reported.ts';
import type { WaitReason } from '../../domain/record/wait-reason.ts';

/** How many links wait for one reason. */
export type WaitingCount = {
  /** Why the links wait; null if no attempt has failed and the links only wait for their turn. */
  readonly waitsFor: WaitReason | null;
  readonly records: number;
  readonly since: string;
  /** The CRM id of the link that waits longest, or its vendor id if it has no CRM id. */
  readonly longest: string;
};

/** A waiting link, with the status that CRM users see. */
export type WaitingLink = Pick<Link, 'key' | 'reported' | 'waitingFor' | 'inBurst'> & {
  readonly crmId: string;
  readonly since: string;
};

/** A link, with the status that CRM users now see. */
export type NotedReport = { readonly key: string; readonly reported: Reported };

/** Links that wait, and the reports to CRM users about waiting links. */
export interface WaitingLedger {
  /** Notes why a due link waits, and returns the link; null if the link is not due. */
  noteWaiting(tenant: string, key: string, waitsFor: WaitReason): Promise<Link | null>;
  /** Links that have waited since `before` or longer although CRM users see `in-sync` or nothing; longest waiting first. */
  unreportedWaiting(tenant: string, before: string, limit: number): Promise<readonly WaitingLink[]>;
  /**
   * Stores reports about waiting links. `isBefore`: the reports are about to be sent. Returns the keys of links that no longer wait; if
   * their report was already sent, they become due on the CRM's side, so that a new report corrects it.
   */
  noteReported(
    tenant: string,
    reports: readonly NotedReport[],
    at: string,
    isBefore?: boolean,
  ): Promise<readonly string[]>;
  /** Links whose report was noted before it was sent, at `before` or earlier, and was not confirmed since; at most `limit`. */
  unconfirmedReports(
    tenant: string,
    before: string,
    limit: number,
  ): Promise<readonly { readonly key: string; readonly reported: Reported | null }[]>;
  /** Counts the links that wait since `before` or longer, by reason. */
  countWaiting(tenant: string, before: string): Promise<readonly WaitingCount[]>;
}
