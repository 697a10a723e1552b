import { quotaOfShare } from '../../src/domain/backfill/pace.ts';
import { laneCapacity } from '../../src/domain/loop/lane-capacity.ts';
import type { LaneOrder, LaneRecord } from '../../src/ledger/queue/lane-ledger.ts';
import type { QuotaLedger } from '../../src/ledger/quota/quota-ledger.ts';

/** So many begin first: they tell which share of the quota they come out of. */
export const FEWEST = 16;
/** Nobody waits for an echo, and each pass costs: where only echoes are left, the next one has some to read. */
const LEAST_ECHO_WAIT_MS = 1_000;

type QuotaRoomOptions = {
  readonly ledger: Pick<QuotaLedger, 'quotas'>;
  readonly tenant: string;
  readonly now: () => string;
};

/** What the vendor's quota leaves for the records of one pass of a lane, and what of them it holds back. */
export class QuotaRoom {
  readonly #options: QuotaRoomOptions;
  /** The smallest share of the quota that any record that has begun comes out of. */
  #share = 1;
  #withBulk = true;
  #withEchoes = true;
  /** Echoes that were held back: nothing was done of them, so that they may begin again. */
  #heldEchoes: string[] = [];
  /** When what is held back may go on, epoch milliseconds. */
  #againAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: QuotaRoomOptions) {
    this.#options = options;
  }

  /** What the ledger may give. */
  get order(): Pick<LaneOrder, 'withBulk' | 'withEchoes'> {
    return { withBulk: this.#withBulk, withEchoes: this.#withEchoes };
  }

  get isHoldingBack(): boolean {
    return this.#againAtMs > Number.NEGATIVE_INFINITY;
  }

  /** Where what was held back may go on, the next pass takes it: what comes meanwhile would keep it out of this one. */
  get isForNextPass(): boolean {
    return !this.#withBulk && this.#nowMs() >= this.#againAtMs;
  }

  /** Milliseconds until the next pass has something to do. What else there is does not wait for echoes. */
  waitMs(isLaneEmpty: boolean): number {
    if (!this.isHoldingBack) return 0;
    const leftMs = Math.max(0, this.#againAtMs - this.#nowMs());
    if (!this.#withBulk) return leftMs;
    return isLaneEmpty ? Math.max(LEAST_ECHO_WAIT_MS, leftMs) : 0;
  }

  /** How many more may begin, by what the quota has left of the share that they come out of, which the first of them tell. */
  async room({
    width,
    atWork,
    begun,
  }: {
    readonly width: number;
    readonly atWork: number;
    readonly begun: number;
  }): Promise<number> {
    const { ledger, tenant, now } = this.#options;
    const known = (await ledger.quotas(tenant)).find(({ quota }) => quota === 'vendor-sales');
    const left = quotaOfShare(known, this.#withBulk ? this.#share : 1, now())?.left ?? null;
    const room = laneCapacity({ width, underWay: atWork, left });
    return left === null || begun > 0 ? room : Math.min(room, FEWEST);
  }

  begins({ bulkShare }: LaneRecord): void {
    this.#share = Math.min(this.#share, bulkShare ?? 1);
  }

  /** A quota is used up for `ms`. True where nothing else may begin either: the record is neither an echo nor bulk work. */
  holdBack({ key, isEcho, bulkShare }: LaneRecord, ms: number): boolean {
    this.#againAtMs = Math.max(this.#againAtMs, this.#nowMs() + ms);
    this.#withEchoes = false;
    if (isEcho) {
      this.#heldEchoes.push(key);
      return false;
    }
    this.#withBulk = false;
    return bulkShare === undefined;
  }

  /**
   * The echoes that may begin again by now. What is spare comes many times a second where much is: a pass that ended each time would
   * carry next to nothing.
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
