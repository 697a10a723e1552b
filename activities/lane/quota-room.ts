import { quotaOfShare } from '../../src/domain/backfill/pace.ts';
import { laneCapacity } from '../../src/domain/loop/lane-capacity.ts';
import { isBulk, treatmentOf } from '../../src/domain/loop/work-class.ts';
import type { LaneOrder, LaneRecord } from '../../src/ledger/queue/lane-ledger.ts';
import type { QuotaKnown, QuotaLedger } from '../../src/ledger/quota/quota-ledger.ts';

/**
 * How many records a pass of the lane (the workflow for many records) starts before it looks up the vendor's free quota and starts more.
 */
export const FEWEST = 16;
/** How long the next pass waits, in ms, if only echoes (reads of own writes) are left. No user waits for them, and a pass costs queries. */
const LEAST_ECHO_WAIT_MS = 1_000;

type QuotaRoomOptions = {
  readonly ledger: Pick<QuotaLedger, 'quotas'>;
  readonly tenant: string;
  readonly now: () => string;
};

type RoomFor = { readonly width: number; readonly atWork: number; readonly begun: number };

/** The vendor quota available to one pass of a lane (the workflow for many records), and the records that the quota delays. */
export class QuotaRoom {
  readonly #options: QuotaRoomOptions;
  #known: QuotaKnown | undefined;
  /**
   * The smallest quota share among the started records. A share is the fraction of the vendor's quota that a record's class of work may
   * use.
   */
  #share = 1;
  #withBulk = true;
  #withEchoes = true;
  /** Keys of echoes (reads of own writes) that the quota delays. The pass may start them again, because they have taken no step. */
  #heldEchoes: string[] = [];
  /** When delayed records may continue, in epoch milliseconds. */
  #againAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: QuotaRoomOptions) {
    this.#options = options;
  }

  /** Which classes of work the pass may start now: bulk records, and echoes (reads of own writes). */
  get order(): Pick<LaneOrder, 'withBulk' | 'withEchoes'> {
    return { withBulk: this.#withBulk, withEchoes: this.#withEchoes };
  }

  get isHoldingBack(): boolean {
    return this.#againAtMs > Number.NEGATIVE_INFINITY;
  }

  /**
   * Whether delayed bulk records may continue. The current pass of the lane must then end, because a pass starts no record twice and would
   * start only newer records.
   */
  get isForNextPass(): boolean {
    return !this.#withBulk && this.#nowMs() >= this.#againAtMs;
  }

  /**
   * How long the lane (the workflow for many records) waits before it starts more records, in ms. It waits until the quota has room for
   * bulk records. If the lane has only echoes (readings of own writes), it waits for these.
   */
  waitMs(isLaneEmpty: boolean): number {
    if (!this.isHoldingBack) return 0;
    const leftMs = Math.max(0, this.#againAtMs - this.#nowMs());
    if (!this.#withBulk) return leftMs;
    return isLaneEmpty ? Math.max(LEAST_ECHO_WAIT_MS, leftMs) : 0;
  }

  /** Reads the quota again. Returns it; undefined if it is unknown. */
  async look(): Promise<QuotaKnown | undefined> {
    const { ledger, tenant } = this.#options;
    this.#known = (await ledger.quotas(tenant)).find(({ quota }) => quota === 'vendor-sales');
    return this.#known;
  }

  /** How many more records the pass may start: limited by `width`, by the records in work, and by the free quota of the smallest share. */
  room({ width, atWork, begun }: RoomFor): number {
    const left = quotaOfShare(this.#known, this.#withBulk ? this.#share : 1, this.#options.now())?.left ?? null;
    const room = laneCapacity({ width, underWay: atWork, left });
    return left === null || begun > 0 ? room : Math.min(room, FEWEST);
  }

  begins({ work }: LaneRecord): void {
    this.#share = Math.min(this.#share, treatmentOf(work).claim.share ?? 1);
  }

  /**
   * Notes that the quota delays a record for `ms`. Returns true if the pass must not start any other record. A bulk record or an echo (a
   * read of an own write) returns false, because more urgent records may still start.
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

  /**
   * Takes and returns the keys of delayed echoes (reads of own writes) that the pass may start again now; empty while the quota is used up.
   */
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
