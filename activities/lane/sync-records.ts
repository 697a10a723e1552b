import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { isWaiting } from '../../src/domain/record/link-state.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { LaneRecord } from '../../src/ledger/queue/lane-ledger.ts';
import type { SyncSummary } from '../opportunity/summary.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import { tellBeats } from '../support/beat-details.ts';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { fencedLedger } from '../support/fenced-ledger.ts';
import { Delegation, type LaneCounts } from './delegation.ts';
import { Pool } from './pool.ts';
import { type Processed, processRecord } from './process-record.ts';
import { FEWEST, QuotaRoom } from './quota-room.ts';
import type { RecordSteps } from './record-steps.ts';

/** What one pass of the lane did. */
export type LanePart = LaneCounts & {
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
const MOST_AT_ONCE = 200;

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

/** What an attempt before this one had done when it died, as it told last. */
function countsBefore(): LaneCounts {
  const { processed = 0, delegated = 0 } = (activityInfo().heartbeatDetails ?? {}) as Partial<LaneCounts>;
  return { processed, delegated };
}

/** One pass of the lane. */
class Pass {
  readonly #deps: ActivityDeps;
  readonly #stepsOf: StepsOf;
  readonly #tenant: string;
  readonly #pool: Pool;
  readonly #quota: QuotaRoom;
  readonly #delegation: Delegation;
  /** All that it has begun: none is begun twice by one pass. */
  readonly #begun = new Set<string>();
  /** Nothing more is begun: a quota is used up, or something is out. */
  #isStopped = false;
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
        more: !isEmpty || this.#quota.isHoldingBack,
        waitMs: this.#quota.waitMs(isEmpty),
      };
    } finally {
      await this.#pool.ended();
    }
  }

  /** Carries records while there is time; whether the ledger has none left to be begun. */
  async #processAll(isTime: () => boolean): Promise<boolean> {
    const width = this.#deps.laneWidth ?? laneWidth(this.#rate());
    let isEmpty = false;
    for (;;) {
      for (const key of this.#quota.echoesAgain()) this.#begun.delete(key);
      const mayBegin = this.#goesOn() && this.#begun.size < MOST_RECORDS && isTime();
      if (mayBegin && this.#pool.isWorthFilling) isEmpty = !(await this.#beginMore(width));
      if (this.#pool.isEmpty) return isEmpty;
      await this.#pool.moved();
    }
  }

  #goesOn(): boolean {
    return !this.#isStopped && !this.#isEnding() && !this.#quota.isForNextPass;
  }

  /** The worker ends: what is under way comes to its end, and another one goes on. */
  #isEnding(): boolean {
    return this.#deps.stopping?.aborted === true || cancellationSignal().aborted;
  }

  /** False where the ledger has none that may begin. The first few tell which share of the quota they come out of, and so how many more may begin beside them. */
  async #beginMore(width: number): Promise<boolean> {
    const areFirst = this.#begun.size === 0;
    const hasSome = await this.#fill(await this.#room(width));
    return areFirst && this.#begun.size >= FEWEST ? this.#fill(await this.#room(width)) : hasSome;
  }

  async #room(width: number): Promise<number> {
    return this.#quota.room({ width, atWork: this.#pool.atWork, begun: this.#begun.size });
  }

  /** Begins the next records; false where the ledger has none. */
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

  /** Never rejects: what a record cannot be blamed for ends the pass. */
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
    if (processed.end === 'delegated')
      return this.#isEnding() ? undefined : this.#delegation.delegate(record);
    if (this.#quota.holdBack(record, processed.ms)) this.#isStopped = true;
  }

  async #done(record: LaneRecord, { known }: Extract<Processed, { end: 'done' }>): Promise<void> {
    if (known !== null && known.next !== 'superseded') await this.#show(record, known);
    this.#delegation.end(record);
  }

  /** On the list of what waits for a person it stands while it does. */
  async #show(before: LaneRecord, { crmId, vendorId, state, issues }: SyncSummary): Promise<void> {
    if (!isWaiting(state) && !isWaiting(before.state)) return;
    const { key } = before;
    await this.#deps.publishStatus({ tenant: this.#tenant, key, crmId, vendorId, state, issues });
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#isStopped = true;
  }

  #rate(): number {
    return this.#deps.runtime(this.#tenant).tenant.vendor.ratePerSecond;
  }

  #nowMs(): number {
    return Date.parse(this.#deps.now());
  }
}
