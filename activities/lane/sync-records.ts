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

/** What one pass of the lane did. */
export type LanePart = {
  readonly processed: number;
  readonly delegated: number;
  /** There are records left. */
  readonly more: boolean;
  /** Until a quota lets those that are left go on; 0 where none is used up. */
  readonly waitMs: number;
};

/** So many a pass begins at most, and for so long: a run of the workflow is seen to go on, and another version may take over. */
const MOST_RECORDS = 1_000;
const BEGINS_FOR_MS = 120_000;
/** Seconds of the tenant's requests that are under way together: no reading grows old while its write waits for its turn. */
const SECONDS_UNDER_WAY = 20;
const [FEWEST, MOST_AT_ONCE] = [16, 200];
/** Nobody waits for an echo, and each pass costs: where only echoes are left, the next one has some to read. */
const LEAST_ECHO_WAIT_MS = 1_000;

/** The steps on a record, over a ledger of their own. */
type StepsOf = (ledger: Ledger) => RecordSteps;

/**
 * Carries the records that the ledger has for a tenant's lane, many at once, each failing alone. Repeatable: what left and what is done
 * the ledger tells. Fails as SYSTEMIC where a group is out, once all that was under way has come to an end.
 */
export function createSyncRecords(deps: ActivityDeps, stepsOf: StepsOf) {
  return async function syncRecords({ tenant }: TenantArgs): Promise<LanePart> {
    await refuseWhilePaused(deps, tenant, 'records');
    const pass = new Pass(deps, stepsOf, tenant, countsBefore());
    tellBeats(() => pass.counts);
    return pass.run();
  };
}

/** How many records a lane has under way at once, by the requests a second that its tenant may send. */
export function laneWidth(ratePerSecond: number): number {
  return Math.min(MOST_AT_ONCE, Math.max(FEWEST, Math.ceil(SECONDS_UNDER_WAY * ratePerSecond)));
}

type Counts = Pick<LanePart, 'processed' | 'delegated'>;

/** What an attempt before this one had done when it died, as it told last. */
function countsBefore(): Counts {
  const { processed = 0, delegated = 0 } = (activityInfo().heartbeatDetails ?? {}) as Partial<Counts>;
  return { processed, delegated };
}

/** One pass of the lane. */
class Pass {
  readonly #deps: ActivityDeps;
  readonly #stepsOf: StepsOf;
  readonly #tenant: string;
  readonly #underWay = new Map<string, Promise<void>>();
  /** Those of them that take a place: what is only to be told to the CRM's users waits there for more of its kind. */
  readonly #atWork = new Set<string>();
  /** Resolves when a place has become free, or a record has ended. */
  #moved = Promise.withResolvers<void>();
  /** All that it has begun: none is begun twice by one pass. */
  readonly #begun = new Set<string>();
  /** Those whose end the ledger was not told of yet. */
  #ended: ProcessedRecord[] = [];
  #counts: Counts;
  /** How many places have become free since the ledger was asked for more. */
  #freed = 0;
  /** When what a quota has held back may go on, epoch milliseconds. */
  #againAtMs = Number.NEGATIVE_INFINITY;
  /** The smallest share of the quota that any of those it has begun comes out of. */
  #share = 1;
  #withBulk = true;
  #withEchoes = true;
  /** Echoes that were held back: nothing was done of them, so that they may begin again. */
  #heldEchoes: string[] = [];
  /** Nothing more is begun: a quota is used up, or something is out. */
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

  /** What else there is does not wait for echoes. */
  #waitMs(isEmpty: boolean): number {
    const leftMs = Math.max(0, this.#againAtMs - this.#nowMs());
    if (!this.#withBulk) return leftMs;
    return isEmpty ? Math.max(LEAST_ECHO_WAIT_MS, leftMs) : 0;
  }

  /** Carries records while there is time; whether the ledger has none left to be begun. */
  async #processAll(isTime: () => boolean): Promise<boolean> {
    const width = this.#deps.laneWidth ?? laneWidth(this.#rate());
    let isEmpty = false;
    for (;;) {
      this.#letEchoesAgain();
      // Few statements: the ledger is asked again when a part of the lane has become free since.
      const isFree = this.#atWork.size === 0 || this.#freed >= this.#atWork.size / 8;
      const mayBegin = this.#goesOn() && this.#begun.size < MOST_RECORDS && isTime();
      if (mayBegin && isFree) isEmpty = !(await this.#beginMore(width));
      if (this.#underWay.size === 0) return isEmpty;
      await this.#moved.promise;
      this.#moved = Promise.withResolvers();
    }
  }

  /** False where the ledger has none that may begin. The first few tell which share of the quota they come out of, and so how many more may begin beside them. */
  async #beginMore(width: number): Promise<boolean> {
    const areFirst = this.#begun.size === 0;
    const hasSome = await this.#fill(await this.#room(width));
    return areFirst && this.#begun.size >= FEWEST ? this.#fill(await this.#room(width)) : hasSome;
  }

  /** What is spare comes many times a second where much is: a pass that ended each time would carry next to nothing. */
  #letEchoesAgain(): void {
    if (this.#withEchoes || !this.#withBulk || this.#nowMs() < this.#againAtMs) return;
    for (const key of this.#heldEchoes.splice(0)) this.#begun.delete(key);
    this.#withEchoes = true;
    this.#againAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Where what was held back may go on, the next pass takes it: what comes meanwhile would keep it out of this one. */
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

  /** The worker ends: what is under way comes to its end, and another one goes on. */
  #isEnding(): boolean {
    return this.#deps.stopping?.aborted === true || cancellationSignal().aborted;
  }

  /** How many more may begin, by what the quota has left of the share that they come out of, which the first of them tell. */
  async #room(width: number): Promise<number> {
    const { ledger, now } = this.#deps;
    const known = (await ledger.quotas(this.#tenant)).find(({ quota }) => quota === 'vendor-sales');
    const left = quotaOfShare(known, this.#withBulk ? this.#share : 1, now())?.left ?? null;
    const room = laneCapacity({ width, underWay: this.#atWork.size, left });
    return left === null || this.#begun.size > 0 ? room : Math.min(room, FEWEST);
  }

  /** Begins the next records; false where the ledger has none. */
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

  /** Never rejects: what a record cannot be blamed for ends the pass. */
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

  /** On the list of what waits for a person it stands while it does. */
  async #show(before: LaneRecord, { crmId, vendorId, state, issues }: SyncSummary): Promise<void> {
    if (!isWaiting(state) && !isWaiting(before.state)) return;
    const { key } = before;
    await this.#deps.publishStatus({ tenant: this.#tenant, key, crmId, vendorId, state, issues });
  }

  async #delegate({ key }: LaneRecord): Promise<void> {
    await this.#deps.delegate(this.#tenant, key, this.#deps.now());
    this.#counts = { ...this.#counts, delegated: this.#counts.delegated + 1 };
  }

  /** Takes out of the lane what has come to its end. What is due still although nothing new was told of it only its own workflow can end. */
  async #letGo(): Promise<void> {
    const ended = this.#ended.splice(0);
    if (ended.length === 0) return;
    for (const key of await this.#deps.ledger.leaveLane(this.#tenant, ended))
      await this.#deps.delegate(this.#tenant, key, this.#deps.now());
  }
}
