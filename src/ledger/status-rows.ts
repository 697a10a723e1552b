import type { Quota } from '../domain/loop/operation-groups.ts';
import type { Issue } from '../domain/record/issue.ts';
import type { LinkState } from '../domain/record/link-state.ts';
import type { WaitReason } from '../domain/record/wait-reason.ts';

/** What is known of one quota; null where no answer has told. */
export type QuotaKnown = {
  readonly quota: Quota;
  readonly limit: number | null;
  readonly remaining: number | null;
  /** Requests of bulk work in the window. */
  readonly bulkUsed: number;
  /** When the window resets, ISO. */
  readonly until: string;
  /** Length of the window. */
  readonly seconds: number;
};

export type LinkRow = {
  readonly tenant: string;
  readonly key: string;
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly state: LinkState;
  readonly due: boolean;
  readonly issues: readonly Issue[];
  readonly updatedAt: string;
};

/** How many links wait for the same. */
export type WaitingCount = {
  /** Null where no work on them has failed: they wait for their turn. */
  readonly waitsFor: WaitReason | null;
  readonly records: number;
  readonly since: string;
  /** The CRM's id of the one that waits longest; the vendor's where it is not in the CRM. */
  readonly longest: string;
};

/** When a cursor was last moved (ISO), and how many rows of its stream name no record. */
export type StreamRead = {
  readonly stream: string;
  readonly readAt: string;
  readonly parkedRows: number;
  /** How many of its rows the CRM refused, by the reasons that it gave, and how many the vendor shows no details of (`UNREADABLE`). */
  readonly refusedRows: Readonly<Record<string, number>>;
};
