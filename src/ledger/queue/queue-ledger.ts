import type { LinkIds } from '../links/link-ledger.ts';
import type { CursorMove } from '../streams/stream-ledger.ts';

/** What a webhook told: an id that is the same when it is sent again, and the records to look at. */
export type Delivery = { readonly id: string; readonly source: string; readonly crmIds: readonly string[] };

/** `keys` of its links, in the order of its records. */
export type RecordedDelivery = { readonly fresh: boolean; readonly keys: readonly string[] };

/** Which links are due, in which order, and who has been woken for them. */
export interface QueueLedger {
  /**
   * Counts the links up as due, opening those that do not exist; the keys, in the order given. One transaction with the
   * cursor when given. An entry with a vendor id alone says that the vendor's side changed (`Link.vendorDue`).
   */
  markDue(
    tenant: string,
    ids: readonly LinkIds[],
    at: string,
    cursor?: CursorMove,
  ): Promise<readonly string[]>;
  /**
   * Stores webhook deliveries and marks their links due, in one transaction; answers in the order given. `fresh` is
   * false for one that was stored and signalled before; one that was stored and not signalled counts as fresh again.
   */
  recordDeliveries(
    tenant: string,
    deliveries: readonly Delivery[],
    at: string,
  ): Promise<readonly RecordedDelivery[]>;
  markSignalled(tenant: string, deliveryIds: readonly string[], at: string): Promise<void>;
  /**
   * Counts the links up as due, on both sides, that are to be looked at again by themselves by now and are not due, so many
   * at most; their keys.
   */
  markRetries(tenant: string, at: string, limit: number): Promise<readonly string[]>;
  /** Keys of due links, longest waiting first. `olderThan` leaves out those marked later, and adds those left in the lane since, untold. */
  dueKeys(tenant: string, limit: number, olderThan?: string): Promise<readonly string[]>;
  /** How many links of bursts are due outside of the lane, and work on them is not held up by anything that passes by itself; more than 200 are not counted. */
  countOnTheirWay(tenant: string): Promise<number>;
  /**
   * Records of bursts that are due, in sync, and of which no change at the vendor was marked since they were read, longest waiting
   * first; at most `limit`, none of the vendor ids in `but`.
   */
  dueTogether(
    tenant: string,
    excluding: readonly string[],
    limit: number,
  ): Promise<readonly { readonly crmId: string; readonly vendorId: string }[]>;
  /** Moves the waiting time of due links to `at`, so that `dueKeys` with `olderThan` leaves alone what was just woken. */
  markWoken(tenant: string, keys: readonly string[], at: string): Promise<void>;
}
