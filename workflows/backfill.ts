import { condition, continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import type { BackfillStep } from '../activities/backfill/advance-backfill.ts';
import type { OwnPace } from '../src/domain/backfill/pace.ts';
import {
  type BackfillProgress,
  type BackfillTime,
  NO_TIME,
  progressOf,
  timeAfter,
} from '../src/domain/backfill/progress.ts';
import { shownId } from '../src/domain/values/shown-id.ts';
import { describeBackfill } from './descriptions.ts';
import { isLong } from './history.ts';
import {
  type BackfillInput,
  type BackfillStatus,
  backfillQuery,
  cancelBackfillSignal,
  pauseBackfillSignal,
  resumeBackfillSignal,
} from './messages.ts';
import { upkeep, vendorBackfill, vendorBulk } from './proxies.ts';
import { readFailure } from './read-failure.ts';

/** How long a backfill waits between two checks of the records that are being synced, in ms. */
const POLL_MS = 1_000;
/** How long the backfill waits during an outage, in ms. Meanwhile the workflow `guardTenant` probes whether the outage has ended. */
const OUTAGE_MS = 15_000;
/** How many vendor records are matched at the same time. The task queue and the quota limit the rate of their requests. */
const MATCHES_AT_ONCE = 10;

/**
 * Syncs all records that changed in the CRM or at the vendor since an instant. The backfill finds the ids of these records and matches the
 * vendor's records with opportunities. Then it wakes the records' workflows, which sync them, a limited number at a time. The ledger
 * (Lockstep's database) stores the progress. Operators can pause, resume and cancel the backfill.
 */
export async function backfill({ tenant, order, carried }: BackfillInput): Promise<BackfillStatus> {
  const run = carried?.run ?? workflowInfo().runId;
  let { time, isPaused } = begunWith(carried);
  let isCancelled = false;
  let state: BackfillStatus['state'] = 'running';
  let progress: BackfillProgress | null = null;
  const status = (): BackfillStatus => ({ ...(progress ?? UNKNOWN), order, state });
  const show = (now: BackfillStatus['state'], step?: BackfillStep): void => {
    state = now;
    if (step !== undefined) {
      time = timeAfter(time, step, order);
      progress = progressOf(step, order, time);
    }
    setCurrentDetails(describeBackfill(status()));
  };
  setHandler(pauseBackfillSignal, () => {
    isPaused = true;
  });
  setHandler(resumeBackfillSignal, () => {
    isPaused = false;
  });
  setHandler(cancelBackfillSignal, () => {
    isCancelled = true;
  });
  setHandler(backfillQuery, status);

  show('running');
  const begun = await upkeep.beginBackfill({ tenant, run, order });
  show('running', begun);
  for (;;) {
    if (isPaused && !isCancelled) {
      show('paused');
      time = { ...time, last: null };
      await condition(() => !isPaused || isCancelled);
    }
    if (isCancelled || status().phase === 'over') break;
    const { workedMs, pace } = time;
    if (isLong()) return continueAsNew<typeof backfill>({ tenant, order, carried: { run, workedMs, pace, isPaused } });
    const step = await taken(tenant, status().phase, pace, () => isPaused || isCancelled);
    if (step === null) time = { ...time, last: null };
    show(step === null ? 'waiting' : 'running', step ?? undefined);
  }
  await upkeep.endBackfill({ tenant });
  show(status().phase === 'over' ? 'done' : 'cancelled');
  return status();
}

/**
 * The part of the state that the previous workflow run passed on by continue-as-new: its time measurements, and whether the backfill is
 * paused.
 */
function begunWith(carried: BackfillInput['carried']): { time: BackfillTime; isPaused: boolean } {
  if (carried === undefined) return { time: NO_TIME, isPaused: false };
  const { workedMs, pace = NO_TIME.pace, isPaused } = carried;
  return { time: { workedMs, pace, last: null }, isPaused };
}

const UNKNOWN: BackfillProgress = {
  phase: 'find-vendor',
  ...{ found: 0, done: 0, inFlight: 0, fraction: 0 },
  ...{ perSecond: null, remainingSeconds: null, outcomes: {} },
};

/** Takes one step of the backfill and returns its progress; null if an outage of the tenant's remote systems stopped the step. */
async function taken(
  tenant: string,
  phase: BackfillProgress['phase'],
  pace: OwnPace,
  isToStop: () => boolean,
): Promise<BackfillStep | null> {
  try {
    if (phase === 'find-vendor') {
      const call = vendorBulk(tenant, 'search the records to be brought in');
      await vendorBackfill.findVendorRecords.executeWithOptions(call, [{ tenant }]);
    }
    if (phase === 'find-crm') await upkeep.findOpportunities({ tenant });
    const step = await upkeep.advanceBackfill({ tenant, pace });
    if (step.phase === 'match') await matchNext(tenant, step, isToStop);
    if (step.phase === 'vendor' || step.phase === 'crm') await condition(isToStop, step.together?.lookMs ?? POLL_MS);
    return step;
  } catch (error) {
    const failure = readFailure(error);
    if (failure.kind !== 'systemic') throw error;
    const { kind: _, isKnown: __, ...out } = failure;
    await upkeep.reportOutage({ tenant, ...out });
    await condition(isToStop, OUTAGE_MS);
    return null;
  }
}

async function matchNext(tenant: string, { toMatch, together }: BackfillStep, isToStop: () => boolean): Promise<void> {
  if (together === undefined) return matchAll(tenant, toMatch, isToStop);
  const call = vendorBulk(tenant, 'match the next records');
  await vendorBackfill.matchVendorRecords.executeWithOptions(call, [{ tenant }]);
}

/** Reads and matches vendor records, several at a time, until an operator pauses or cancels the backfill. */
async function matchAll(tenant: string, ids: readonly string[], isToStop: () => boolean): Promise<void> {
  const left = [...ids];
  const work = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined && !isToStop(); id = left.shift()) {
      const call = vendorBulk(tenant, `match ${shownId(id)}`);
      await vendorBackfill.matchVendorRecord.executeWithOptions(call, [{ tenant, vendorId: id }]);
    }
  };
  await Promise.all(Array.from({ length: MATCHES_AT_ONCE }, work));
}
