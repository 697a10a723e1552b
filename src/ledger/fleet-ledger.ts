import type { BudgetLedger } from './budget-ledger.ts';
import type { StatusLedger } from './status-ledger.ts';
import type { NotedCode } from './watch-ledger.ts';

/** When a cursor was moved last, and when its stream last told of something; ISO. */
export type StreamTimes = {
  readonly tenant: string;
  readonly stream: string;
  readonly readAt: string;
  readonly foundAt: string | null;
};

/** A part of what the cursor of a stream, or of what is kept beside streams, holds: the names that lead there. */
export type CursorPart = { readonly stream: string; readonly path: readonly string[] };

/** What stands there of a tenant; parts that are not there are left out. */
export type FoundPart = CursorPart & { readonly tenant: string; readonly value: unknown };

/** What is asked of many tenants at once. One statement each, however many they are. */
export interface FleetLedger extends BudgetLedger, StatusLedger {
  streamTimes(tenants: readonly string[]): Promise<readonly StreamTimes[]>;
  cursorParts(tenants: readonly string[], parts: readonly CursorPart[]): Promise<readonly FoundPart[]>;
  /** As `notedCodes` of each. */
  notedCodesOf(tenants: readonly string[]): Promise<ReadonlyMap<string, readonly NotedCode[]>>;
  /** Notes that a tenant's stream told of something. */
  noteStreamFound(tenant: string, stream: string, at: string): Promise<void>;
  /**
   * Those of the tenants of which something is due since `before` or longer, is to be tried again by `at`, or waits since `unreportedSince`
   * or longer without the CRM's having been told, or was perhaps told at `reportingSince` or before: what `wakeOverdue` is about.
   */
  tenantsToWake(
    tenants: readonly string[],
    when: {
      readonly before: string;
      readonly unreportedSince: string;
      readonly reportingSince: string;
      readonly at: string;
    },
  ): Promise<readonly string[]>;
}
