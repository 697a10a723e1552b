import { log } from '@temporalio/activity';
import { type Cause, spacingLeftMs } from '../../src/domain/loop/step.ts';
import { isBulk, isMany } from '../../src/domain/loop/work-class.ts';
import type { LinkStatus } from '../../src/ledger/links/link-ledger.ts';
import type { LaneRecord } from '../../src/ledger/queue/lane-ledger.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { fencedLedger } from '../support/fenced-ledger.ts';
import { limited } from '../support/limited.ts';
import { Delegation } from './delegation.ts';
import { processRecord } from './process-record.ts';
import type { StepsOf } from './record-steps.ts';
import { showWaiting } from './show-waiting.ts';

/**
 * Two functions that create the steps of a record's sync. `first`: for a change that a user may wait for; its vendor requests go before
 * other requests. `others`: for an echo (a read of Lockstep's own write), for which no user waits.
 */
export type StepsOfLone = { readonly first: StepsOf; readonly others: StepsOf };

/**
 * For how long, in ms, the sync of lone changes (one or few records that changed together) may begin further steps. The records' own
 * workflows take the remaining steps.
 */
const BEGINS_FOR_MS = 5_000;
/** After this time, in ms, the requests of a sync of lone changes (one or few records that changed together) are aborted. */
const MOST_MS = 30_000;
/**
 * How many lone changes (records that changed alone or with few others) a worker process syncs at once. For further records, it wakes their
 * own workflows.
 */
const MOST_AT_ONCE = 32;

/**
 * Syncs due records in the activity that found their changes, if they are few, so that a lone change needs no workflow. Wakes the workflows
 * of records that the activity cannot finish: records that fail, must wait, take long or need a search, and records that are being
 * processed elsewhere. Rejects if Temporal did not accept a signal; the records stay due.
 */
export function createSyncLone(deps: ActivityDeps, stepsOf: StepsOfLone) {
  /** Tenant and key of each record that this process is syncing, so that it does not sync a record twice at once. */
  const underWay = new Set<string>();
  return async function syncLone(tenant: string, keys: readonly string[], cause: Cause): Promise<void> {
    const isFull = underWay.size + keys.length > MOST_AT_ONCE;
    if (deps.usesLane !== true || isMany(keys) || isFull || isEnding(deps)) return deps.wake(tenant, keys, cause);
    const statuses = await deps.ledger.linkStatuses(tenant, keys);
    const placeOf = (key: string): string => `${tenant} ${key}`;
    const lone = keys.filter((key) => !underWay.has(placeOf(key)) && isForNow(statuses.get(key), deps.now()));
    for (const key of lone) underWay.add(placeOf(key));
    try {
      const others = keys.filter((key) => !lone.includes(key));
      await Promise.all([wakeAll(deps, tenant, others, cause), syncAll(deps, stepsOf, tenant, lone, cause)]);
    } finally {
      for (const key of lone) underWay.delete(placeOf(key));
    }
  };
}

async function wakeAll(deps: ActivityDeps, tenant: string, keys: readonly string[], cause: Cause): Promise<void> {
  if (keys.length > 0) await deps.wake(tenant, keys, cause);
}

/** Whether the worker is stopping, so that this process must start no further record. */
function isEnding({ stopping }: ActivityDeps): boolean {
  return stopping?.aborted === true;
}

/**
 * Whether a record may be processed at once: it is neither in the lane (the workflow for many records) nor bulk work, none of its steps has
 * failed, and it was not written a moment ago. An echo (a read of Lockstep's own write) may be processed even right after the write.
 */
function isForNow(status: LinkStatus | undefined, now: string): boolean {
  if (status === undefined || status.failingSince !== null || status.inLane === true || isBulk(status.work))
    return false;
  if (status.state === 'new' || status.work === 'echo') return true;
  return status.state !== 'superseded' && spacingLeftMs(status.updatedAt, now) === 0;
}

async function syncAll(
  deps: ActivityDeps,
  stepsOf: StepsOfLone,
  tenant: string,
  keys: readonly string[],
  cause: Cause,
): Promise<void> {
  if (keys.length === 0) return;
  await deps.ledger.takeInLane(tenant, keys, cause);
  const begunMs = performance.now();
  const goesOn = (): boolean => performance.now() - begunMs < BEGINS_FOR_MS && !isEnding(deps);
  // A request that was already sent is not aborted together with the poll, because its outcome would then be unknown.
  const sync = () => syncNow(deps, stepsOf, { tenant, keys, goesOn });
  const left = await limited(AbortSignal.timeout(MOST_MS), sync).catch((err: unknown) => {
    log.warn('lone changes are left to the workflow for many records', { tenant, err });
    return keys;
  });
  // The records are in the lane, so this call starts the lane's workflow.
  if (left.length > 0) await deps.wake(tenant, left, cause, { isAgain: true });
}

type Records = { readonly tenant: string; readonly keys: readonly string[]; readonly goesOn: () => boolean };

/**
 * Processes records one after the other, never two at once. Records that a poll finds together may concern one deal, such as an opportunity
 * and a copy of it. Returns the keys of the records that a used-up quota, an outage or an error stopped.
 */
async function syncNow(
  deps: ActivityDeps,
  stepsOf: StepsOfLone,
  { tenant, keys, goesOn }: Records,
): Promise<readonly string[]> {
  const order = { withBulk: true, withEchoes: true, excluding: [], only: keys, limit: keys.length };
  const records = await deps.ledger.nextInLane(tenant, order);
  const delegation = new Delegation(deps, tenant, { processed: 0, delegated: 0 });
  /** Processes one record. Returns whether the record stays in the lane (the workflow for many records), because it is not finished. */
  const process = async (record: LaneRecord): Promise<boolean> => {
    if (record.needsOwn !== null) return delegation.delegate(record).then(() => false);
    const isEcho = record.work === 'echo';
    const steps = stepsOf[isEcho ? 'others' : 'first'](fencedLedger(deps.ledger, record));
    const how = { onStep: deps.onStep, mayWrite: !isEcho, keepsSpacing: !isEcho, goesOn };
    const processed = await processRecord(steps, tenant, record, how);
    if (processed.end === 'out' || processed.end === 'throttled') return true;
    if (processed.end === 'delegated') return delegation.delegate(record).then(() => false);
    if (processed.known !== null) await showWaiting(deps, tenant, record, processed.known);
    delegation.end(record);
    return false;
  };
  const left: string[] = [];
  for (const record of records) {
    const stays = await process(record).catch((err: unknown) => {
      log.warn('a lone change is left to the lane', { tenant, err });
      return true;
    });
    if (stays) left.push(record.key);
  }
  await delegation.letGo();
  return left;
}
