import type { CrmUse } from '../../domain/loop/crm-budget.ts';
import type { OperationGroup, Quota } from '../../domain/loop/operation-groups.ts';
import type { QuotaClaim } from './quota-window.ts';

export type QuotaVerdict = { readonly allowed: true } | { readonly allowed: false; readonly until: string };

/**
 * The last known state of one of the vendor's rate limits, from the vendor's answers and Lockstep's own count. Unknown numbers are null.
 */
export type QuotaKnown = {
  readonly quota: Quota;
  readonly limit: number | null;
  readonly remaining: number | null;
  /** How many requests of bulk work (a backfill or an undo) were sent in the quota's current window. */
  readonly bulkUsed: number;
  /** When the window ends, ISO. */
  readonly until: string;
  /** Length of the window, in seconds. */
  readonly seconds: number;
};

/** Counts vendor requests against the vendor's rate limits. All processes share these counts. */
export interface QuotaLedger {
  /**
   * Takes one request out of the quota. If the quota does not allow the request, takes none and returns until when to wait. If nothing is
   * known of the quota, every request is allowed. Atomic across all processes.
   */
  reserveRequest(tenant: string, quota: Quota, at: string, claim?: QuotaClaim): Promise<QuotaVerdict>;
  /**
   * Ends a tenant's waits now. A used-up quota counts as reset, and each record with a later retry time is retried now. Returns the number
   * of these quotas and records.
   */
  endWaits(tenant: string, at: string): Promise<number>;
  /**
   * Updates the known quota from an answer of the vendor: from the rate-limit headers (sales spec section 8), or, after a 429 (`remaining`
   * is 0), from the reset time.
   */
  reportQuota(
    tenant: string,
    quota: Quota,
    seen: {
      readonly limit: number | null;
      readonly remaining: number;
      readonly resetSeconds: number;
      readonly at: string;
    },
  ): Promise<void>;
  /** The last known state of each of the vendor's rate limits for a tenant. */
  quotas(tenant: string): Promise<readonly QuotaKnown[]>;
}

/**
 * A paused operation group of a tenant. A group contains the operations of a remote system that fail together. `since`: when the pause
 * began, ISO.
 */
export type Pause = { readonly group: OperationGroup; readonly reason: string; readonly since: string };

export interface PauseLedger {
  /**
   * Pauses an operation group of a tenant (the operations of a remote system that fail together). True if the group was not paused before.
   */
  pause(tenant: string, group: OperationGroup, reason: string, at: string): Promise<boolean>;
  resume(tenant: string, group: OperationGroup, at: string): Promise<void>;
  pauses(tenant: string): Promise<readonly Pause[]>;
  /**
   * Reads a tenant's pauses, and the stored positions of these streams (regular reads) in the given order; null for a stream that was never
   * read. It is one statement, because each read of a stream needs both.
   */
  pausesAndCursors(
    tenant: string,
    streams: readonly string[],
  ): Promise<{ readonly pauses: readonly Pause[]; readonly positions: readonly (unknown | null)[] }>;
  pausedTenants(group: OperationGroup): Promise<readonly { tenant: string; since: string }[]>;
}

/**
 * The API calls that one process made to a tenant's Salesforce org since its last report. `orgUse`: the org's call count and daily limit
 * that Salesforce last reported, and when; null if it reported none.
 */
export type CrmCalls = {
  readonly tenant: string;
  readonly calls: number;
  readonly orgUse: { readonly used: number; readonly limit: number; readonly at: string } | null;
};

/** Counts API calls to Salesforce. A process reports its calls to many tenants' orgs together. */
export interface BudgetLedger {
  /** Adds calls to the count of the current hour. One statement for any number of tenants. */
  noteCrmCalls(calls: readonly CrmCalls[], at: string): Promise<void>;
  /** The API calls to Salesforce of the last day, by tenant. Tenants without calls are left out. One statement. */
  crmUse(tenants: readonly string[], at: string): Promise<ReadonlyMap<string, CrmUse>>;
  /** Deletes the counts of API calls to Salesforce that are older than a day. */
  forgetCrmCalls(at: string): Promise<void>;
}
