import type { CrmUse } from '../../domain/loop/crm-budget.ts';
import type { OperationGroup, Quota } from '../../domain/loop/operation-groups.ts';
import type { QuotaClaim } from './quota-window.ts';

export type QuotaVerdict = { readonly allowed: true } | { readonly allowed: false; readonly until: string };

/** The last known state of one rate limit, from the vendor's answers and Lockstep's own count. Unknown numbers are null. */
export type QuotaKnown = {
  readonly quota: Quota;
  readonly limit: number | null;
  readonly remaining: number | null;
  /** How many requests of bulk work were sent in the quota's current window. */
  readonly bulkUsed: number;
  /** When the window ends, ISO. */
  readonly until: string;
  /** Length of the window, in seconds. */
  readonly seconds: number;
};

/** The vendor's rate limits, shared by all processes. */
export interface QuotaLedger {
  /**
   * Takes one request out of the quota, or returns until when to wait. If nothing is known of the quota, every request is allowed. Atomic
   * across all processes.
   */
  reserveRequest(tenant: string, quota: Quota, at: string, claim?: QuotaClaim): Promise<QuotaVerdict>;
  /** Makes a tenant's records stop waiting: for the reset of a quota, and for the retry of refused writes. Returns how many waits ended. */
  endWaits(tenant: string, at: string): Promise<number>;
  /**
   * Updates the known quota from an answer: from its rate-limit headers (sales spec section 8), or from a 429 (`remaining` is 0) with its
   * reset time.
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
  /** The last known quotas of a tenant. */
  quotas(tenant: string): Promise<readonly QuotaKnown[]>;
}

/** A paused operation group of a tenant. `since`: ISO. */
export type Pause = { readonly group: OperationGroup; readonly reason: string; readonly since: string };

export interface PauseLedger {
  /** Pauses an operation group of a tenant because all its requests fail; true if the group was running before. */
  pause(tenant: string, group: OperationGroup, reason: string, at: string): Promise<boolean>;
  resume(tenant: string, group: OperationGroup, at: string): Promise<void>;
  pauses(tenant: string): Promise<readonly Pause[]>;
  /**
   * Reads a tenant's pauses, and the cursors of these streams in the given order. It is one statement, because each read of a stream needs
   * both.
   */
  pausesAndCursors(
    tenant: string,
    streams: readonly string[],
  ): Promise<{ readonly pauses: readonly Pause[]; readonly positions: readonly (unknown | null)[] }>;
  pausedTenants(group: OperationGroup): Promise<readonly { tenant: string; since: string }[]>;
}

/**
 * The calls that one process made to a tenant's org since its last report. `orgUse`: the count and limit that Salesforce reported, and
 * when.
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
  /** The calls of the last day, by tenant. Tenants without calls are left out. One statement. */
  crmUse(tenants: readonly string[], at: string): Promise<ReadonlyMap<string, CrmUse>>;
  /** Deletes counted CRM calls older than a day. */
  forgetCrmCalls(at: string): Promise<void>;
}
