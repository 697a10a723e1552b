import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { quotaOfShare } from '../../src/domain/backfill/pace.ts';
import { laneCapacity } from '../../src/domain/loop/lane-capacity.ts';
import { isWaiting } from '../../src/domain/record/link-state.ts';
import type { LaneRecord, ProcessedRecord } from '../../src/ledger/lane-ledger.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { SyncSummary } from '../opportunity/summary.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import { tellBeats } from '../support/beat-details.ts';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { fencedLedger } from '../support/fenced-ledger.ts';
import { type Processed, processRecord } from './process-record.ts';
import type { RecordSteps } from './record-steps.ts';

export type LanePart = {
  readonly processed: number;
  readonly delegated: number;
  /** Records are left in the lane. */
  readonly more: boolean;
  /** Milliseconds until a quota lets the remaining records continue; 0 if no quota is used up. */
  readonly waitMs: number;
};

/** The most records that a pass starts, and for how long. Bounded so that the run shows progress and can move to another worker version. */
const MOST_RECORDS = 1_000;
const BEGINS_FOR_MS = 120_000;
/** How many seconds of the tenant's request rate are under way at once, so that no snapshot becomes stale while its write waits. */
const SECONDS_UNDER_WAY = 20;
const [FEWEST, MOST_AT_ONCE] = [16, 200];
/** If only echoes are left, the next pass waits, because a pass costs ledger queries and no user waits for echoes. */
const LEAST_ECHO_WAIT_MS = 1_000;

/** The steps on a record, with a ledger for its writer. */
type StepsOf = (ledger: Ledger) => RecordSteps;

/**
 * Processes the ledger's lane records of a tenant, many at once; each fails separately. Idempotent, because the ledger stores each write
 * and each end. Fails as SYSTEMIC during an outage, after all records under way have ended.
 */
export function createSyncRecords(deps: ActivityDeps, stepsOf: StepsOf) {
  return async function syncRecords({ tenant }: TenantArgs): Promise<LanePart> {
    await refuseWhilePaused(deps, tenant, 'records');
    const pass = new Pass(deps, stepsOf, tenant, countsBefore());
    tellBeats(() => pass.counts);
    return pass.run();
  };
}

/** How many records a lane processes at once, from the tenant's requests a second. */
export function laneWidth(ratePerSecond: number): number {
  return Math.min(MOST_AT_ONCE, Math.max(FEWEST, Math.ceil(SECONDS_UNDER_WAY * ratePerSecond)));
}

type Counts = Pick<LanePart, 'processed' | 'delegated'>;

/** The counts from the last heartbeat of a previous attempt that died. */
function countsBefore(): Counts {
  const { processed = 0, delegated = 0 } = (activityInfo().heartbeatDetails ?? {}) as Partial<Counts>;
  return { processed, delegated };
}

class Pass {
  readonly #deps: ActivityDeps;
  readonly #stepsOf: StepsOf;
  readonly #tenant: string;
  readonly #underWay = new Map<string, Promise<void>>();
  /** Records under way that take a place. A record that only waits for a batch of reports takes none. */
  readonly #atWork = new Set<string>();
  /** Resolves when a place is free, or a record has ended. */
  #moved = Promise.withResolvers<void>();
  /** Records started by this pass, so that it starts none twice. */
  readonly #begun = new Set<string>();
  /** Ended records that the ledger does not know of yet. */
  #ended: ProcessedRecord[] = [];
  #counts: Counts;
  /** Places freed since the ledger was last asked for records. */
  #freed = 0;
  /** When records delayed by a quota may continue, epoch milliseconds. */
  #againAtMs = Number.NEGATIVE_INFINITY;
  /** The smallest quota share among the started records. */
  #share = 1;
  #withBulk = true;
  #withEchoes = true;
  /** Echoes delayed by the quota. No step was taken, so the pass may start them again. */
  #heldEchoes: string[] = [];
  /** No more records are started, because a quota is used up or a group is down. */
  #isStopped = false;
  #failure: unknown = null;

  constructor(deps: ActivityDeps, stepsOf: StepsOf, tenant: string, counts: Counts) {
    this.#deps = deps;
    this.#stepsOf = stepsOf;
    this.#tenant = tenant;
    this.#counts = counts;
  }

  get counts(): Counts {
    return this.#counts;
  }

  async run(): Promise<LanePart> {
    const untilMs = this.#nowMs() + BEGINS_FOR_MS;
    try {
      const isEmpty = await this.#processAll(() => this.#nowMs() < untilMs);
      await this.#letGo();
      if (this.#failure !== null) throw this.#failure;
      const isHeldBack = this.#againAtMs > Number.NEGATIVE_INFINITY;
      return {
        ...this.#counts,
        more: !isEmpty || isHeldBack,
        waitMs: isHeldBack ? this.#waitMs(isEmpty) : 0,
      };
    } finally {
      await Promise.allSettled(this.#underWay.values());
    }
  }

  /** Milliseconds until the next pass. Delayed bulk records wait for their quota; delayed echoes wait only if the lane has nothing else. */
  #waitMs(isEmpty: boolean): number {
    const leftMs = Math.max(0, this.#againAtMs - this.#nowMs());
    if (!this.#withBulk) return leftMs;
    return isEmpty ? Math.max(LEAST_ECHO_WAIT_MS, leftMs) : 0;
  }

  /** Processes records while there is time. True if the ledger has no more to start. */
  async #processAll(isTime: () => boolean): Promise<boolean> {
    const width = this.#deps.laneWidth ?? laneWidth(this.#rate());
    let isEmpty = false;
    for (;;) {
      this.#letEchoesAgain();
      // Limits queries: the ledger is asked again once an eighth of the places is free.
      const isFree = this.#atWork.size === 0 || this.#freed >= this.#atWork.size / 8;
      const mayBegin = this.#goesOn() && this.#begun.size < MOST_RECORDS && isTime();
      if (mayBegin && isFree) isEmpty = !(await this.#beginMore(width));
      if (this.#underWay.size === 0) return isEmpty;
      await this.#moved.promise;
      this.#moved = Promise.withResolvers();
    }
  }

  /** Starts more records; false if the ledger has none. The first few show their quota share, which limits how many more may start. */
  async #beginMore(width: number): Promise<boolean> {
    const areFirst = this.#begun.size === 0;
    const hasSome = await this.#fill(await this.#room(width));
    return areFirst && this.#begun.size >= FEWEST ? this.#fill(await this.#room(width)) : hasSome;
  }

  /**
   * Allows delayed echoes again once quota is spare. The pass goes on because quota becomes spare many times a second, and a new pass each
   * time would read hardly any record.
   */
  #letEchoesAgain(): void {
    if (this.#withEchoes || !this.#withBulk || this.#nowMs() < this.#againAtMs) return;
    for (const key of this.#heldEchoes.splice(0)) this.#begun.delete(key);
    this.#withEchoes = true;
    this.#againAtMs = Number.NEGATIVE_INFINITY;
  }

  /**
   * Whether the pass may start records. Once delayed bulk records may continue, a new pass takes them, because newer records would precede
   * them in this pass.
   */
  #goesOn(): boolean {
    const isLeftAgain = !this.#withBulk && this.#nowMs() >= this.#againAtMs;
    return !this.#isStopped && !this.#isEnding() && !isLeftAgain;
  }

  #nowMs(): number {
    return Date.parse(this.#deps.now());
  }

  #rate(): number {
    return this.#deps.runtime(this.#tenant).tenant.vendor.ratePerSecond;
  }

  /** Whether the worker is stopping: records under way finish, and another worker continues. */
  #isEnding(): boolean {
    return this.#deps.stopping?.aborted === true || cancellationSignal().aborted;
  }

  /** How many more records may start, from the quota that is left of their share. */
  async #room(width: number): Promise<number> {
    const { ledger, now } = this.#deps;
    const known = (await ledger.quotas(this.#tenant)).find(({ quota }) => quota === 'vendor-sales');
    const left = quotaOfShare(known, this.#withBulk ? this.#share : 1, now())?.left ?? null;
    const room = laneCapacity({ width, underWay: this.#atWork.size, left });
    return left === null || this.#begun.size > 0 ? room : Math.min(room, FEWEST);
  }

  /** Starts the next records; false if the ledger has none. */
  async #fill(limit: number): Promise<boolean> {
    this.#freed = 0;
    await this.#letGo();
    if (limit === 0) return true;
    const order = {
      withBulk: this.#withBulk,
      withEchoes: this.#withEchoes,
      excluding: [...this.#begun],
      limit,
    };
    const records = await this.#deps.ledger.nextInLane(this.#tenant, order);
    for (const record of records) {
      this.#begun.add(record.key);
      this.#share = Math.min(this.#share, record.bulkShare ?? 1);
      this.#atWork.add(record.key);
      this.#deps.lanes?.add(this.#tenant, 1);
      this.#underWay.set(record.key, this.#carry(record));
    }
    return records.length > 0;
  }

  /** Never rejects: an error that is not the record's fault ends the pass. */
  async #carry(record: LaneRecord): Promise<void> {
    try {
      await this.#take(record);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#freePlace(record);
      this.#underWay.delete(record.key);
      this.#moved.resolve();
    }
  }

  #freePlace({ key }: LaneRecord): void {
    if (!this.#atWork.delete(key)) return;
    this.#freed += 1;
    this.#deps.lanes?.add(this.#tenant, -1);
    this.#moved.resolve();
  }

  async #take(record: LaneRecord): Promise<void> {
    if (record.needsOwn !== null) return this.#delegate(record);
    const steps = this.#stepsOf(fencedLedger(this.#deps.ledger, record));
    const { onStep } = this.#deps;
    const onReporting = (): void => this.#freePlace(record);
    const processed = await processRecord(steps, this.#tenant, record, { onStep, onReporting });
    if (processed.end === 'done') return this.#done(record, processed);
    if (processed.end === 'out') return this.#fail(processed.error);
    if (processed.end === 'delegated') return this.#isEnding() ? undefined : this.#delegate(record);
    this.#againAtMs = Math.max(this.#againAtMs, this.#nowMs() + processed.ms);
    this.#withEchoes = false;
    if (record.isEcho) {
      this.#heldEchoes.push(record.key);
      return;
    }
    if (record.bulkShare === undefined) this.#isStopped = true;
    this.#withBulk = false;
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#isStopped = true;
  }

  async #done(record: LaneRecord, { known }: Extract<Processed, { end: 'done' }>): Promise<void> {
    if (known !== null && known.next !== 'superseded') await this.#show(record, known);
    this.#ended.push(record);
    this.#counts = { ...this.#counts, processed: this.#counts.processed + 1 };
  }

  /** Shows the record in Temporal's list of waiting records, or removes it. */
  async #show(before: LaneRecord, { crmId, vendorId, state, issues }: SyncSummary): Promise<void> {
    if (!isWaiting(state) && !isWaiting(before.state)) return;
    const { key } = before;
    await this.#deps.publishStatus({ tenant: this.#tenant, key, crmId, vendorId, state, issues });
  }

  async #delegate({ key }: LaneRecord): Promise<void> {
    await this.#deps.delegate(this.#tenant, key, this.#deps.now());
    this.#counts = { ...this.#counts, delegated: this.#counts.delegated + 1 };
  }

  /** Removes ended records from the lane. Records still due without news go to their own workflows. */
  async #letGo(): Promise<void> {
    const ended = this.#ended.splice(0);
    if (ended.length === 0) return;
    for (const key of await this.#deps.ledger.leaveLane(this.#tenant, ended))
      await this.#deps.delegate(this.#tenant, key, this.#deps.now());
  }
}
