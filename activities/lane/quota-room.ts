import { quotaOfShare } from '../../src/domain/backfill/pace.ts';
import { laneCapacity } from '../../src/domain/loop/lane-capacity.ts';
import { isBulk, treatmentOf } from '../../src/domain/loop/work-class.ts';
import type { LaneOrder, LaneRecord } from '../../src/ledger/queue/lane-ledger.ts';
import type { QuotaKnown, QuotaLedger } from '../../src/ledger/quota/quota-ledger.ts';

/**
 * How many records the lane (the workflow for many records) starts first in each pass, if the vendor's quota is known. Their classes of
 * work show which share of the quota the lane may use. It then reads the free quota again, and starts more records if the share allows
 * more.
 */
export const FEWEST = 16;
/**
 * The minimum time, in ms, that the lane (the workflow for many records) waits if only echoes (reads of Lockstep's own writes) are left. No
 * user waits for echoes, and each pass of the lane costs queries.
 */
const LEAST_ECHO_WAIT_MS = 1_000;

type QuotaRoomOptions = {
  readonly ledger: Pick<QuotaLedger, 'quotas'>;
  readonly tenant: string;
  readonly now: () => string;
};

type RoomFor = { readonly width: number; readonly atWork: number; readonly begun: number };

/** The vendor quota that is available to a lane (the workflow for many records), and the records that the quota delays. */
export class QuotaRoom {
  readonly #options: QuotaRoomOptions;
  #known: QuotaKnown | undefined;
  /**
   * The smallest quota share among the started records. A share is the fraction of the vendor's quota that a record's class of work may
   * use. `room` computes from it how many further records may start. The smallest share applies to all of them, because their classes are
   * unknown before they start.
   */
  #share = 1;
  #withBulk = true;
  #withEchoes = true;
  /**
   * Keys of echoes (reads of Lockstep's own writes) that the quota delays. The lane may start them again, because they have taken no step
   * yet.
   */
  #heldEchoes: string[] = [];
  /** When the records that the quota delays may continue, in epoch milliseconds. */
  #againAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: QuotaRoomOptions) {
    this.#options = options;
  }

  /** Which classes of work the lane (the workflow for many records) may start now: bulk records, and echoes (reads of own writes). */
  get order(): Pick<LaneOrder, 'withBulk' | 'withEchoes'> {
    return { withBulk: this.#withBulk, withEchoes: this.#withEchoes };
  }

  get isHoldingBack(): boolean {
    return this.#againAtMs > Number.NEGATIVE_INFINITY;
  }

  /**
   * Whether bulk records that the quota delayed may continue now. If so, the lane (the workflow for many records) must end its current
   * pass, because a pass starts no record twice. Only the next pass can start the delayed records again.
   */
  get isForNextPass(): boolean {
    return !this.#withBulk && this.#nowMs() >= this.#againAtMs;
  }

  /**
   * How long the lane (the workflow for many records) waits before it starts more records, in ms; 0 if the quota delays no record. If only
   * echoes (reads of own writes) are delayed, the lane waits only if `isLaneEmpty`, and at least `LEAST_ECHO_WAIT_MS`. If other records are
   * delayed, it waits until the quota has room again. `isLaneEmpty`: whether the ledger (Lockstep's database) has no other record that the
   * lane may start now.
   */
  waitMs(isLaneEmpty: boolean): number {
    if (!this.isHoldingBack) return 0;
    const leftMs = Math.max(0, this.#againAtMs - this.#nowMs());
    if (!this.#withBulk) return leftMs;
    return isLaneEmpty ? Math.max(LEAST_ECHO_WAIT_MS, leftMs) : 0;
  }

  /** Reads the vendor's quota from the ledger (Lockstep's database) again, and returns it; undefined if the quota is unknown. */
  async look(): Promise<QuotaKnown | undefined> {
    const { ledger, tenant } = this.#options;
    this.#known = (await ledger.quotas(tenant)).find(({ quota }) => quota === 'vendor-sales');
    return this.#known;
  }

  /**
   * How many more records the lane (the workflow for many records) may start. `width`: how many records it may process at once. `atWork`:
   * how many it processes now. The free quota must suffice for all of them. While bulk records may start, only the smallest share of the
   * quota among the started records (`#share`) counts as free. `begun`: how many records this pass has started. If none and the quota is
   * known, the result is at most `FEWEST`, because the shares are still unknown.
   */
  room({ width, atWork, begun }: RoomFor): number {
    const left = quotaOfShare(this.#known, this.#withBulk ? this.#share : 1, this.#options.now())?.left ?? null;
    const room = laneCapacity({ width, underWay: atWork, left });
    return left === null || begun > 0 ? room : Math.min(room, FEWEST);
  }

  begins({ work }: LaneRecord): void {
    this.#share = Math.min(this.#share, treatmentOf(work).claim.share ?? 1);
  }

  /**
   * Notes that the quota delays a record for `ms`. Returns true if no other record may be started now. Returns false for a bulk record or
   * an echo (a read of an own write), because more urgent records may still start.
   */
  holdBack({ key, work }: LaneRecord, ms: number): boolean {
    this.#againAtMs = Math.max(this.#againAtMs, this.#nowMs() + ms);
    this.#withEchoes = false;
    if (work === 'echo') {
      this.#heldEchoes.push(key);
      return false;
    }
    this.#withBulk = false;
    return !isBulk(work);
  }

  /** Takes and returns the keys of delayed echoes (reads of own writes) that may be started again now; empty while the quota is used up. */
  echoesAgain(): readonly string[] {
    if (this.#withEchoes || !this.#withBulk || this.#nowMs() < this.#againAtMs) return [];
    this.#withEchoes = true;
    this.#againAtMs = Number.NEGATIVE_INFINITY;
    return this.#heldEchoes.splice(0);
  }

  #nowMs(): number {
    return Date.parse(this.#options.now());
  }
}
