import type { LaneRecord, ProcessedRecord } from '../../src/ledger/queue/lane-ledger.ts';
import type { ActivityDeps } from '../support/deps.ts';

/**
 * The counts of one run of the lane's activity (the lane is the workflow for many records). `processed`: how many records it finished.
 * `delegated`: how many records it left to their own workflows.
 */
export type LaneCounts = { readonly processed: number; readonly delegated: number };

/**
 * Removes records from the lane (the workflow for many records): records that are finished, and records that continue in their own
 * workflows.
 */
export class Delegation {
  readonly #deps: Pick<ActivityDeps, 'ledger' | 'delegate' | 'now'>;
  readonly #tenant: string;
  /**
   * Finished records that the ledger (Lockstep's database) still lists in the lane, the workflow for many records. One call removes all of
   * them from the lane.
   */
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

  /** Notes that work on a record is finished. A later call of `letGo` removes the record from the lane (the workflow for many records). */
  end(record: LaneRecord): void {
    this.#ended.push(record);
    this.#counts = { ...this.#counts, processed: this.#counts.processed + 1 };
  }

  /** Leaves a record to its own workflow, because the workflow for many records (lane) cannot finish it. */
  async delegate({ key }: LaneRecord): Promise<void> {
    await this.#deps.delegate(this.#tenant, key, this.#deps.now());
    this.#counts = { ...this.#counts, delegated: this.#counts.delegated + 1 };
  }

  /**
   * Removes finished records from the lane (the workflow for many records). Records that became due again meanwhile continue in their own
   * workflows.
   */
  async letGo(): Promise<void> {
    const ended = this.#ended.splice(0);
    if (ended.length === 0) return;
    for (const key of await this.#deps.ledger.leaveLane(this.#tenant, ended))
      await this.#deps.delegate(this.#tenant, key, this.#deps.now());
  }
}
