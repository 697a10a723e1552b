import type { CrmUse } from '../../domain/loop/crm-budget.ts';
import type { OperationGroup, Quota } from '../../domain/loop/operation-groups.ts';
import type { QuotaClaim } from './quota-window.ts';

export type QuotaVerdict = { readonly allowed: true } | { readonly allowed: false; readonly until: string };

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

/** What may be asked of the vendor now. */
export interface QuotaLedger {
  /**
   * Takes one request out of the tenant's known quota, or tells until when to wait. Unknown quota allows.
   * Atomic across the fleet: with n left, n callers pass.
   */
  reserveRequest(tenant: string, quota: Quota, at: string, claim?: QuotaClaim): Promise<QuotaVerdict>;
  /**
   * Ends the waits of a tenant: for the reset of a quota, and for the next try of a refused write. Returns how many waits these were.
   */
  endWaits(tenant: string, at: string): Promise<number>;
  /** Feeds an answer's rate-limit headers (sales spec section 8), or a 429 (`remaining` 0) with its reset. */
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
  /** What is known of a tenant's quotas, as it was told last; nothing is taken out of them. */
  quotas(tenant: string): Promise<readonly QuotaKnown[]>;
}

/** A group of a tenant's operations that was stopped. `since`: ISO. */
export type Pause = { readonly group: OperationGroup; readonly reason: string; readonly since: string };

/** What the ledger remembers of groups of operations that were stopped. */
export interface PauseLedger {
  /** Pauses a tenant's group of operations (systemic error); true when it was running before. */
  pause(tenant: string, group: OperationGroup, reason: string, at: string): Promise<boolean>;
  resume(tenant: string, group: OperationGroup, at: string): Promise<void>;
  pauses(tenant: string): Promise<readonly Pause[]>;
  /** What work asks before it begins: the pauses, and the cursors of these streams in the order given. One statement. */
  pausesAndCursors(
    tenant: string,
    streams: readonly string[],
  ): Promise<{ readonly pauses: readonly Pause[]; readonly positions: readonly (unknown | null)[] }>;
  /** The tenants of which this group is paused. */
  pausedTenants(group: OperationGroup): Promise<readonly { tenant: string; since: string }[]>;
}

/** Calls that a process has made of a tenant's org since it told last; `told`: what the org said of its limit, and when (ISO). */
export type CrmCalls = {
  readonly tenant: string;
  readonly calls: number;
  readonly orgUse: { readonly used: number; readonly limit: number; readonly at: string } | null;
};

/** What the ledger remembers of API calls to Salesforce. Of many tenants at once, so that telling it costs no statement a call. */
export interface BudgetLedger {
  /** Adds calls to those of the hour. One statement, however many tenants. */
  noteCrmCalls(calls: readonly CrmCalls[], at: string): Promise<void>;
  /** The calls of the last day, by tenant; one statement. Those of which nothing is known are left out. */
  crmUse(tenants: readonly string[], at: string): Promise<ReadonlyMap<string, CrmUse>>;
  /** Forgets what is older than a day. */
  forgetCrmCalls(at: string): Promise<void>;
}
