import type { BudgetLedger } from './budget-ledger.ts';

/** When a cursor was moved last, and when its stream last told of something; ISO. */
export type StreamTimes = {
  readonly tenant: string;
  readonly stream: string;
  readonly readAt: string;
  readonly foundAt: string | null;
};

/** What is asked of many tenants at once. One statement each, however many they are. */
export interface FleetLedger extends BudgetLedger {
  streamTimes(tenants: readonly string[]): Promise<readonly StreamTimes[]>;
  /** Notes that a tenant's stream told of something. */
  noteStreamFound(tenant: string, stream: string, at: string): Promise<void>;
  /**
   * Those of the tenants of which something is due since `before` or longer, is to be tried again by `at`, or waits since `untoldSince`
   * or longer without the CRM's having been told: what `wakeOverdue` is about.
   */
  tenantsToWake(
    tenants: readonly string[],
    when: { readonly before: string; readonly untoldSince: string; readonly at: string },
  ): Promise<readonly string[]>;
}
