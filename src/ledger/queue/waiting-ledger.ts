import type { Link } from '../../domain/record/link.ts';
import type { WaitReason } from '../../domain/record/wait-reason.ts';

/** How many links wait for the same. */
export type WaitingCount = {
  /** Null where no work on them has failed: they wait for their turn. */
  readonly waitsFor: WaitReason | null;
  readonly records: number;
  readonly since: string;
  /** The CRM's id of the one that waits longest; the vendor's where it is not in the CRM. */
  readonly longest: string;
};

/** A link that waits, with what the CRM was told of it last. */
export type WaitingLink = Pick<Link, 'key' | 'reported' | 'waitingFor' | 'inBurst'> & {
  readonly crmId: string;
  readonly since: string;
};

/** A link, and the mark of what its users were told. */
export type ReportDigest = { readonly key: string; readonly digest: string };

/** The ledger's part for what waits, and for what the CRM's users are told of that. */
export interface WaitingLedger {
  /** Notes what the work of a due link waits for; the link, or null where it is not due (any more). */
  noteWaiting(tenant: string, key: string, waitsFor: WaitReason): Promise<Link | null>;
  /** Links in sync or new that wait since `before` or longer and of which the CRM was not told so, longest first. */
  unreportedWaiting(tenant: string, before: string, limit: number): Promise<readonly WaitingLink[]>;
  /**
   * Notes what the CRM was told of waiting links, or `isBefore` it is; the keys of those that waited no more: due again, for the CRM's
   * side alone, where they were told.
   */
  noteReported(
    tenant: string,
    told: readonly ReportDigest[],
    at: string,
    isBefore?: boolean,
  ): Promise<readonly string[]>;
  /** Links of which that was noted before they were told, at `before` or earlier, and not since; at most `limit`. */
  unconfirmedReports(
    tenant: string,
    before: string,
    limit: number,
  ): Promise<readonly { readonly key: string; readonly reported: string | null }[]>;
  /** What waits since `before` or longer, by what it waits for. */
  countWaiting(tenant: string, before: string): Promise<readonly WaitingCount[]>;
}
