import type { LinkIds } from '../links/link-ledger.ts';
import type { CursorMove } from '../streams/stream-ledger.ts';

/** One webhook message. If the sender repeats the message, it has the same `id`. `crmIds`: the changed records. */
export type Delivery = { readonly id: string; readonly source: string; readonly crmIds: readonly string[] };

/** The result for one delivery (webhook message). `keys`: the keys of the links of its records, in the order of the records. */
export type RecordedDelivery = { readonly fresh: boolean; readonly keys: readonly string[] };

/** Stores which links are due, in which order, and when their workflows were last woken (signalled). */
export interface QueueLedger {
  /**
   * Marks the links of these ids due, opens links that do not exist, and returns the keys in the given order. With a cursor, moves the
   * cursor in the same transaction. An entry with only a vendor id marks the vendor's side as changed (`Link.vendorDue`).
   */
  markDue(tenant: string, ids: readonly LinkIds[], at: string, cursor?: CursorMove): Promise<readonly string[]>;
  /**
   * Stores deliveries (webhook messages) and marks the links of their records due, in one transaction. `fresh`: false if the workflows of
   * the delivery's records were signalled before.
   */
  recordDeliveries(tenant: string, deliveries: readonly Delivery[], at: string): Promise<readonly RecordedDelivery[]>;
  markSignalled(tenant: string, deliveryIds: readonly string[], at: string): Promise<void>;
  /** Marks links due on both sides if the time of their retry has come; at most `limit` links. Returns their keys. */
  markRetries(tenant: string, at: string, limit: number): Promise<readonly string[]>;
  /**
   * Keys of due links, those that wait longest first. With `olderThan`: only links that have been due since that instant or longer and,
   * after them, links that are synced but whose report to users was not sent.
   */
  dueKeys(tenant: string, limit: number, olderThan?: string): Promise<readonly string[]>;
  /**
   * How many due links of a burst (reported together with many others) are outside the lane (the workflow for many records) and do not wait
   * after a failure. Looks only at the 200 links that became due last.
   */
  countOnTheirWay(tenant: string): Promise<number>;
  /**
   * Due links of a burst (reported together with many others) that are in sync and whose vendor record has no unread change; at most
   * `limit`. `excluding`: vendor ids to leave out.
   */
  dueTogether(
    tenant: string,
    excluding: readonly string[],
    limit: number,
  ): Promise<readonly { readonly crmId: string; readonly vendorId: string }[]>;
  /** Sets `due_since` of due links to `at`, so that `dueKeys` with `olderThan` leaves out links that were just woken. */
  markWoken(tenant: string, keys: readonly string[], at: string): Promise<void>;
}
