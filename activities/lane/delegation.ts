import type { LaneRecord, ProcessedRecord } from '../../src/ledger/queue/lane-ledger.ts';
import type { ActivityDeps } from '../support/deps.ts';

/** What a pass of the lane has done so far. */
export type LaneCounts = { readonly processed: number; readonly delegated: number };

/** How records leave the lane: at their end, or for their own workflow. */
export class Delegation {
  readonly #deps: Pick<ActivityDeps, 'ledger' | 'delegate' | 'now'>;
  readonly #tenant: string;
  /** Those whose end the ledger was not told of yet. */
  #ended: ProcessedRecord[] = [];
  #counts: LaneCounts;

  constructor(deps: Pick<ActivityDeps, 'ledger' | 'delegate' | 'now'>, tenant: string, counts: LaneCounts) {
    this.#deps = deps;
    this.#tenant = tenant;
    this.#counts = counts;
  }

  get counts(): LaneCounts {
    return this.#counts;
  }

  /** All is done about this record. */
  end(record: LaneRecord): void {
    this.#ended.push(record);
    this.#counts = { ...this.#counts, processed: this.#counts.processed + 1 };
  }

  /** Only its own workflow can go on with this record. */
  async delegate({ key }: LaneRecord): Promise<void> {
    await this.#deps.delegate(this.#tenant, key, this.#deps.now());
    this.#counts = { ...this.#counts, delegated: this.#counts.delegated + 1 };
  }

  /** Takes out of the lane what has come to its end. What is due still although nothing new was told of it only its own workflow can end. */
  async letGo(): Promise<void> {
    const ended = this.#ended.splice(0);
    if (ended.length === 0) return;
    for (const key of await this.#deps.ledger.leaveLane(this.#tenant, ended))
      await this.#deps.delegate(this.#tenant, key, this.#deps.now());
  }
}
