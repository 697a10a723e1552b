import type { Link } from '../../domain/record/link.ts';
import type { Reported } from '../../domain/record/reported.ts';
import type { WaitReason } from '../../domain/record/wait-reason.ts';

/** How many links wait for one reason. */
export type WaitingCount = {
  /** Why the links wait; null if no attempt has failed and they only wait until they are processed. */
  readonly waitsFor: WaitReason | null;
  readonly records: number;
  readonly since: string;
  /** The CRM id of the link that waits longest, or its vendor id if it has no CRM id. */
  readonly longest: string;
};

/** A waiting link, with what CRM users see of it. */
export type WaitingLink = Pick<Link, 'key' | 'reported' | 'waitingFor' | 'inBurst'> & {
  readonly crmId: string;
  readonly since: string;
};

/** A link, with what CRM users see of it from now on. */
export type NotedReport = { readonly key: string; readonly reported: Reported };

/** Stores which links wait and why, and which reports CRM users got about it. */
export interface WaitingLedger {
  /** Notes why a due link waits, and returns the link; null if the link is not due. */
  noteWaiting(tenant: string, key: string, waitsFor: WaitReason): Promise<Link | null>;
  /** Links that have waited since `before` or longer, although CRM users see no state or `in-sync`; those that wait longest come first. */
  unreportedWaiting(tenant: string, before: string, limit: number): Promise<readonly WaitingLink[]>;
  /**
   * Stores reports which say that a record waits. `isBefore`: the reports are about to be sent. Returns the keys of links that no longer
   * wait. If their report was already sent, these links become due on the CRM's side, so that a new report corrects it.
   */
  noteReported(
    tenant: string,
    reports: readonly NotedReport[],
    at: string,
    isBefore?: boolean,
  ): Promise<readonly string[]>;
  /**
   * Links with a report to CRM users that was about to be sent at `before` or earlier and whose result is still unknown; at most `limit`
   * links.
   */
  unconfirmedReports(
    tenant: string,
    before: string,
    limit: number,
  ): Promise<readonly { readonly key: string; readonly reported: Reported | null }[]>;
  /** Counts the links that have waited since `before` or longer, by reason. */
  countWaiting(tenant: string, before: string): Promise<readonly WaitingCount[]>;
}
