import { type BackfillOrder, type BackfillState, firstState, phaseAfter } from '../../src/domain/backfill/backfill.ts';
import {
  type BackfillBound,
  mostUnderWay,
  NO_PACE,
  type OwnPace,
  quotaOfShare,
} from '../../src/domain/backfill/pace.ts';
import type { BackfillPoint } from '../../src/domain/backfill/progress.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { backfillOf } from './backfill-state.ts';

export type BackfillStep = BackfillPoint & {
  /** Ids of the next vendor records that the backfill must match with opportunities. */
  readonly toMatch: readonly string[];
  /**
   * Present if a lane (the workflow for many records) syncs the backfill's records. Absent if each record has a workflow of its own.
   * `lookMs`: how long to wait, in ms, before the next check of the progress.
   */
  readonly together?: { readonly lookMs: number };
};

/** How long, in ms, a backfill waits before it checks its progress again, if a lane (the workflow for many records) syncs its records. */
const TOGETHER = { lookMs: 5_000 } as const;
const LANE_UNDER_WAY = 5;

export type BeginBackfillArgs = TenantArgs & { readonly run: string; readonly order: BackfillOrder };

/** How many vendor records one step of the backfill's workflow matches with opportunities. */
const MATCHED_AT_ONCE = 100;

export type AdvanceBackfillArgs = TenantArgs & {
  /**
   * The measured speed of this backfill, in requests and the time they took. Lockstep computes from it how many records to start next.
   * Absent if no speed has been measured yet.
   */
  readonly pace?: OwnPace;
};

/**
 * Stores a new backfill that has found no records yet, and returns its progress. A repeated call with the same workflow run (`run`) changes
 * nothing.
 */
export function createBeginBackfill(deps: ActivityDeps) {
  return async function beginBackfill({ tenant, run, order }: BeginBackfillArgs): Promise<BackfillStep> {
    const at = deps.now();
    const state = await deps.ledger.openBackfill(tenant, firstState(run, order, at), at);
    return stepOf(deps, tenant, state);
  };
}

/**
 * One step of a backfill: marks the next records of the CRM or the vendor as due for a sync, moves to the next phase when a phase is done,
 * and returns the progress.
 */
export function createAdvanceBackfill(deps: ActivityDeps) {
  return async function advanceBackfill({ tenant, pace = NO_PACE }: AdvanceBackfillArgs): Promise<BackfillStep> {
    await refuseWhilePaused(deps, tenant, 'records');
    const state = await backfillOf(deps, tenant);
    const { phase, order } = state;
    if (phase === 'vendor' || phase === 'crm') await take(deps, tenant, phase, { ...order, pace });
    const step = await stepOf(deps, tenant, state);
    if (!isDone(step)) return step;
    const next = { ...state, phase: phaseAfter(phase, order) };
    await deps.ledger.saveCursor(tenant, 'backfill', next, deps.now());
    return { ...step, phase: next.phase };
  };
}

/** Ends a backfill that is done or was cancelled. Records whose sync has begun are still finished. */
export function createEndBackfill(deps: ActivityDeps) {
  return async function endBackfill({ tenant }: TenantArgs): Promise<void> {
    const state = await backfillOf(deps, tenant);
    await deps.ledger.closeBackfill(tenant, { ...state, phase: 'over' }, deps.now());
  };
}

async function take(
  deps: ActivityDeps,
  tenant: string,
  side: 'vendor' | 'crm',
  { share, fields, pace }: BackfillOrder & { readonly pace: OwnPace },
): Promise<void> {
  const { ratePerSecond } = deps.runtime(tenant).tenant.vendor;
  const usual = mostUnderWay(ratePerSecond * share, pace);
  const atOnce = deps.usesLane ? LANE_UNDER_WAY * usual : usual;
  const order = { side, atOnce, share, fields, ...(deps.usesLane ? { least: Math.ceil(atOnce / 2) } : {}) };
  const due = await deps.ledger.advanceBackfill(tenant, order, deps.now());
  for (const cause of ['crm', 'any'] as const) {
    const keys = due.flatMap((one) => (one.cause === cause ? [one.key] : []));
    if (keys.length > 0) await deps.wake(tenant, keys, cause);
  }
  if (due.length > 0) await deps.ledger.noteWoken(tenant, side);
}

async function stepOf(
  deps: ActivityDeps,
  tenant: string,
  { phase, order, number }: BackfillState,
): Promise<BackfillStep> {
  const counts = await deps.ledger.countBackfill(tenant);
  const bound = await boundOf(deps, tenant, order.share);
  const toMatch = phase === 'match' ? await deps.ledger.toMatch(tenant, MATCHED_AT_ONCE) : [];
  const together = deps.usesLane ? { together: TOGETHER } : {};
  const named = number === undefined ? {} : { number };
  return { at: deps.now(), phase, counts, bound, toMatch, ...named, ...together };
}

async function boundOf(deps: ActivityDeps, tenant: string, share: number): Promise<BackfillBound> {
  const { ratePerSecond } = deps.runtime(tenant).tenant.vendor;
  const known = (await deps.ledger.quotas(tenant)).find(({ quota }) => quota === 'vendor-sales');
  return { ratePerSecond, quota: quotaOfShare(known, share, deps.now()) };
}

function isDone({ phase, counts, toMatch }: BackfillStep): boolean {
  if (phase === 'match') return toMatch.length === 0;
  if (phase === 'vendor' || phase === 'crm') return counts[phase].done === counts[phase].found;
  return false;
}
