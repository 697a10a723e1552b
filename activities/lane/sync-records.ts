import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { vendorRate } from '../../src/domain/loop/vendor-rate.ts';
import type { LaneRecord } from '../../src/ledger/queue/lane-ledger.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import { setBeatDetails } from '../support/beat-details.ts';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { fencedLedger } from '../support/fenced-ledger.ts';
import { Delegation, type LaneCounts } from './delegation.ts';
import { Pool } from './pool.ts';
import { type Processed, processRecord } from './process-record.ts';
import { FEWEST, QuotaRoom } from './quota-room.ts';
import type { StepsOf } from './record-steps.ts';
import { showWaiting } from './show-waiting.ts';

export type LanePart = LaneCounts & {
  /** Whether the lane (the workflow for many records) still has records. */
  readonly more: boolean;
  /** Milliseconds until a quota lets the remaining records continue; 0 if no quota is used up. */
  readonly waitMs: number;
};

/**
 * The maximum number of records that one activity starts. The limit makes the activity end from time to time, so that the workflow shows
 * its progress and can move to another worker version.
 */
const MOST_RECORDS = 1_000;
const BEGINS_FOR_MS = 120_000;
/**
 * The lane (the workflow for many records) starts at most as many records at once as the tenant's request rate can serve within this many
 * seconds. With more records, a record's snapshot would be too old when its write is sent.
 */
const SECONDS_UNDER_WAY = 20;
const MOST_AT_ONCE = 200;

/**
 * Processes the records of a tenant's lane (the workflow for many records). Returns how many records it finished, and how many it left to
 * their own workflows. A record's failure does not stop other records. Idempotent. Throws a SYSTEMIC failure (the type for outages) if an
 * outage ended the work on all records.
 */
export function createSyncRecords(deps: ActivityDeps, stepsOf: StepsOf) {
  return async function syncRecords({ tenant }: TenantArgs): Promise<LanePart> {
    await refuseWhilePaused(deps, tenant, 'records');
    const pass = new Pass(deps, stepsOf, tenant, countsBefore());
    setBeatDetails(() => pass.counts);
    return pass.run();
  };
}

/** How many records a lane (the workflow for many records) processes at once, from the tenant's requests a second. */
export function laneWidth(ratePerSecond: number): number {
  return Math.min(MOST_AT_ONCE, Math.max(FEWEST, Math.ceil(SECONDS_UNDER_WAY * ratePerSecond)));
}

/**
 * The counts from the last heartbeat of an earlier attempt whose worker died, so that this attempt counts on from them. Zeros if there was
 * no such attempt.
 */
function countsBefore(): LaneCounts {
  const { processed = 0, delegated = 0 } = (activityInfo().heartbeatDetails ?? {}) as Partial<LaneCounts>;
  return { processed, delegated };
}

class Pass {
  readonly #deps: ActivityDeps;
  readonly #stepsOf: StepsOf;
  readonly #tenant: string;
  readonly #pool: Pool;
  readonly #quota: QuotaRoom;
  readonly #delegation: Delegation;
  /** Keys of records that this pass of the lane (the workflow for many records) has started, so that the pass starts no record twice. */
  readonly #begun = new Set<string>();
  /**
   * Whether this pass of the lane (the workflow for many records) starts no more records, because a quota is used up or a remote's
   * operations fail.
   */
  #isStopped = false;
  /** Whether the stopping worker has left a record in the lane, so that another worker continues with it. */
  #hasLeft = false;
  #failure: unknown = null;

  constructor(deps: ActivityDeps, stepsOf: StepsOf, tenant: string, counts: LaneCounts) {
    this.#deps = deps;
    this.#stepsOf = stepsOf;
    this.#tenant = tenant;
    this.#pool = new Pool((change) => deps.lanes?.add(tenant, change));
    this.#quota = new QuotaRoom({ ledger: deps.ledger, tenant, now: deps.now });
    this.#delegation = new Delegation(deps, tenant, counts);
  }

  get counts(): LaneCounts {
    return this.#delegation.counts;
  }

  async run(): Promise<LanePart> {
    const untilMs = this.#nowMs() + BEGINS_FOR_MS;
    try {
      const isEmpty = await this.#processAll(() => this.#nowMs() < untilMs);
      await this.#delegation.letGo();
      if (this.#failure !== null) throw this.#failure;
      return {
        ...this.counts,
        more: !isEmpty || this.#hasLeft || this.#quota.isHoldingBack,
        waitMs: this.#quota.waitMs(isEmpty),
      };
    } finally {
      await this.#pool.ended();
    }
  }

  /**
   * Starts and processes records until `isTime` returns false or the ledger (Lockstep's database) has no more. Returns true if the ledger
   * has no more records to start.
   */
  async #processAll(isTime: () => boolean): Promise<boolean> {
    let isEmpty = false;
    for (;;) {
      for (const key of this.#quota.echoesAgain()) this.#begun.delete(key);
      const mayBegin = this.#goesOn() && this.#begun.size < MOST_RECORDS && isTime();
      if (mayBegin && this.#pool.isWorthFilling) isEmpty = !(await this.#beginMore());
      if (this.#pool.isEmpty) return isEmpty;
      await this.#pool.moved();
    }
  }

  #goesOn(): boolean {
    return !this.#isStopped && !this.#isEnding() && !this.#quota.isForNextPass;
  }

  /** Whether the worker is stopping: records under way finish, and another worker continues. */
  #isEnding(): boolean {
    return this.#deps.stopping?.aborted === true || cancellationSignal().aborted;
  }

  /**
   * Starts more records; returns false if the ledger (Lockstep's database) has none. Each class of work may use only its share of the
   * vendor's quota, and the lane learns a record's class when it starts the record. Therefore it starts only a few records at first. Their
   * smallest share then limits how many more it starts.
   */
  async #beginMore(): Promise<boolean> {
    const areFirst = this.#begun.size === 0;
    const hasSome = await this.#fill(await this.#room());
    return areFirst && this.#begun.size >= FEWEST ? this.#fill(await this.#room()) : hasSome;
  }

  async #room(): Promise<number> {
    const { vendorPace, runtime } = this.#deps;
    const rate = vendorRate(runtime(this.#tenant).tenant.vendor, await this.#quota.look());
    vendorPace?.raise(this.#tenant, rate);
    const width = this.#deps.laneWidth ?? laneWidth(rate);
    return this.#quota.room({ width, atWork: this.#pool.atWork, begun: this.#begun.size });
  }

  /** Starts at most `limit` further records; returns false if the ledger (Lockstep's database) has none. */
  async #fill(limit: number): Promise<boolean> {
    this.#pool.resetFreed();
    await this.#delegation.letGo();
    if (limit === 0) return true;
    const order = { ...this.#quota.order, excluding: [...this.#begun], limit };
    const records = await this.#deps.ledger.nextInLane(this.#tenant, order);
    for (const record of records) {
      this.#begun.add(record.key);
      this.#quota.begins(record);
      this.#pool.begin(record.key, (freePlace) => this.#carry(record, freePlace));
    }
    return records.length > 0;
  }

  /**
   * Processes one record. Never rejects. An error that concerns all records, such as an outage, ends this pass of the lane (the workflow
   * for many records).
   */
  async #carry(record: LaneRecord, freePlace: () => void): Promise<void> {
    try {
      await this.#take(record, freePlace);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #take(record: LaneRecord, onReporting: () => void): Promise<void> {
    if (record.needsOwn !== null) return this.#delegation.delegate(record);
    const steps = this.#stepsOf(fencedLedger(this.#deps.ledger, record));
    const { onStep } = this.#deps;
    const processed = await processRecord(steps, this.#tenant, record, { onStep, onReporting });
    if (processed.end === 'done') return this.#done(record, processed);
    if (processed.end === 'out') return this.#fail(processed.error);
    if (processed.end === 'delegated') return this.#isEnding() ? this.#leave() : this.#delegation.delegate(record);
    if (this.#quota.holdBack(record, processed.ms)) this.#isStopped = true;
  }

  async #done(record: LaneRecord, { known }: Extract<Processed, { end: 'done' }>): Promise<void> {
    if (known !== null) await showWaiting(this.#deps, this.#tenant, record, known);
    this.#delegation.end(record);
  }

  #leave(): void {
    this.#hasLeft = true;
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#isStopped = true;
  }

  #nowMs(): number {
    return Date.parse(this.#deps.now());
  }
}
