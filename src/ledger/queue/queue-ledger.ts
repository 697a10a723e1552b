import type { LinkIds } from '../links/link-ledger.ts';
import type { CursorMove } from '../streams/stream-ledger.ts';

/** One webhook message. `id` is the same in each repeated delivery; `crmIds` are the changed records. */
export type Delivery = { readonly id: string; readonly source: string; readonly crmIds: readonly string[] };

/** The result for one delivery. `keys`: the keys of the links of its records, in the same order. */
export type RecordedDelivery = { readonly fresh: boolean; readonly keys: readonly string[] };

/** Which links are due, in which order, and when they were last woken (signalled). */
export interface QueueLedger {
  /**
   * Marks the links of these ids due, opens missing links, and returns the keys in the given order. With a cursor, also moves it, in the
   * same transaction. An entry with only a vendor id marks the vendor's side as changed (`Link.vendorDue`).
   */
  markDue(tenant: string, ids: readonly LinkIds[], at: string, cursor?: CursorMove): Promise<readonly string[]>;
  /** Stores deliveries and marks their links due, in one transaction. `fresh`: false if its links were signalled before. */
  recordDeliveries(tenant: string, deliveries: readonly Delivery[], at: string): Promise<readonly RecordedDelivery[]>;
  markSignalled(tenant: string, deliveryIds: readonly string[], at: string): Promise<void>;
  /** Marks links due, on both sides, whose retry time has come; at most `limit`. Returns their keys. */
  markRetries(tenant: string, at: string, limit: number): Promise<readonly string[]>;
  /**
   * Keys of due links, longest waiting first. With `olderThan`: only links due since that instant or earlier, then links with an unsent
   * report.
   */
  dueKeys(tenant: string, limit: number, olderThan?: string): Promise<readonly string[]>;
  /**
   * How many due links that were reported together with many others are outside the lane (the workflow for many records) and do not wait
   * for a failure to end. Counts to at most 200.
   */
  countOnTheirWay(tenant: string): Promise<number>;
  /**
   * Due links that were reported together with many others, are in sync and have no unread vendor change; at most `limit`. `excluding`:
   * vendor ids to skip.
   */
  dueTogether(
    tenant: string,
    excluding: readonly string[],
    limit: number,
  ): Promise<readonly { readonly crmId: string; readonly vendorId: string }[]>;
  /** Moves `due_since` of due links to `at`, so that `dueKeys` with `olderThan` skips links that were just woken. */
  markWoken(tenant: string, keys: readonly string[], at: string): Promise<void>;
}
