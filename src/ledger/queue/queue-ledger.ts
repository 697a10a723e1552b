import type { LinkIds } from '../links/link-ledger.ts';
import type { CursorMove } from '../streams/stream-ledger.ts';

/** One webhook message from the CRM. If the CRM repeats the message, it has the same `id`. `crmIds`: the ids of the changed records. */
export type Delivery = { readonly id: string; readonly source: string; readonly crmIds: readonly string[] };

/**
 * The result for one delivery (webhook message). `fresh`: false if the CRM repeated the message, and the workflows of its records were
 * already signalled. `keys`: the keys of the links of its records, in the order of the records.
 */
export type RecordedDelivery = { readonly fresh: boolean; readonly keys: readonly string[] };

/** Stores which links are due (have a change to sync), and when their workflows were last woken (signalled). */
export interface QueueLedger {
  /**
   * Marks the links of these ids due (they have a change to sync), opens links that do not exist, and returns the keys in the given order.
   * An entry of `ids` with only a vendor id marks the vendor's record as changed, so that Lockstep reads it. `cursor`: the new position of
   * the stream (regular read) that found the changes. It is stored in the same transaction, so that no found change is lost.
   */
  markDue(tenant: string, ids: readonly LinkIds[], at: string, cursor?: CursorMove): Promise<readonly string[]>;
  /**
   * Stores deliveries (webhook messages) and marks the links of their records due, in one transaction. If the CRM repeats a delivery whose
   * workflows were already signalled, `fresh` in its result is false.
   */
  recordDeliveries(tenant: string, deliveries: readonly Delivery[], at: string): Promise<readonly RecordedDelivery[]>;
  markSignalled(tenant: string, deliveryIds: readonly string[], at: string): Promise<void>;
  /**
   * Marks links due if the time of their retry has come, at most `limit` links, so that Lockstep reads both records again. Returns the
   * links' keys.
   */
  markRetries(tenant: string, at: string, limit: number): Promise<readonly string[]>;
  /**
   * Keys of due links (that have a change to sync), those that wait longest first. With `olderThan`, finds links that Lockstep must signal
   * again, because an earlier signal to their workflow may be lost. These are first the links that have been due since that instant or
   * longer. Then follow synced links whose last change is as old, and whose report to CRM users was not sent.
   */
  dueKeys(tenant: string, limit: number, olderThan?: string): Promise<readonly string[]>;
  /**
   * How many due links of a burst (reported together with many others) Lockstep processes now or soon, outside the lane (the workflow for
   * many records). If there are many, a request to the CRM waits a moment, so that further records share it. Links that wait after a
   * failure do not count. The caller only needs to know whether there are many, so only the 200 links that became due last are looked at.
   */
  countOnTheirWay(tenant: string): Promise<number>;
  /**
   * The records of due links, at most `limit`, about which Lockstep may ask the vendor with one common search instead of one read each. The
   * search can only show that their vendor records are unchanged. Therefore, finds only links of a burst (reported together with many
   * others) that are in sync and whose vendor record has no unread change. `excluding`: vendor ids to leave out.
   */
  dueTogether(
    tenant: string,
    excluding: readonly string[],
    limit: number,
  ): Promise<readonly { readonly crmId: string; readonly vendorId: string }[]>;
  /**
   * Stores `at` as the time of the last signal of due links, so that `dueKeys` with `olderThan` leaves out links whose workflows were just
   * signalled.
   */
  markWoken(tenant: string, keys: readonly string[], at: string): Promise<void>;
}
