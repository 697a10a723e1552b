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

/** After this time, in ms, the requests of lone records are aborted. Their own workflows then go on. */
const MOST_MS = 30_000;

/**
 * Syncs due records in the activity that found their changes, if these are few, so that a lone change needs no workflow. Wakes the
 * workflows of records that cannot be finished so: those that fail, must wait or need a search, and those that others work on. Rejects if
 * Temporal did not accept a signal; the records stay due.
 */
export function createSyncLone(deps: ActivityDeps, stepsOf: StepsOf) {
  return async function syncLone(tenant: string, keys: readonly string[], cause: Cause): Promise<void> {
    if (deps.usesLane !== true || isMany(keys)) return deps.wake(tenant, keys, cause);
    const statuses = await deps.ledger.linkStatuses(tenant, keys);
    const lone = keys.filter((key) => isForNow(statuses.get(key), deps.now()));
    const others = keys.filter((key) => !lone.includes(key));
    if (others.length > 0) await deps.wake(tenant, others, cause);
    if (lone.length === 0) return;
    await deps.ledger.takeInLane(tenant, lone, cause);
    // A write that has begun is not aborted together with the poll, because its outcome would then be unknown.
    const sync = () => syncNow(deps, stepsOf, tenant, lone);
    const left = await limited(AbortSignal.timeout(MOST_MS), sync).catch(() => lone);
    // The records are in the lane, so that this starts the lane's workflow.
    if (left.length > 0) await deps.wake(tenant, left, cause, { isAgain: true });
  };
}

/**
 * Whether a record may be processed at once: it is neither in other work nor known to wait, and it was not written a moment ago. An echo (a
 * read of Lockstep's own write) is read at once in any case.
 */
function isForNow(status: LinkStatus | undefined, now: string): boolean {
  if (status === undefined || status.failingSince !== null || status.inLane === true || isBulk(status.work))
    return false;
  if (status.state === 'new' || status.work === 'echo') return true;
  return status.state !== 'superseded' && spacingLeftMs(status.updatedAt, now) === 0;
}

/** Processes records, all at once. Returns the keys of those that a used-up quota or an outage stopped. */
async function syncNow(
  deps: ActivityDeps,
  stepsOf: StepsOf,
  tenant: string,
  keys: readonly string[],
): Promise<readonly string[]> {
  const order = { withBulk: true, withEchoes: true, excluding: [], only: keys, limit: keys.length };
  const records = await deps.ledger.nextInLane(tenant, order);
  const delegation = new Delegation(deps, tenant, { processed: 0, delegated: 0 });
  const process = async (record: LaneRecord): Promise<readonly string[]> => {
    if (record.needsOwn !== null) return delegation.delegate(record).then(() => []);
    const steps = stepsOf(fencedLedger(deps.ledger, record));
    const processed = await processRecord(steps, tenant, record, {
      onStep: deps.onStep,
      mayWrite: record.work !== 'echo',
    });
    if (processed.end === 'out' || processed.end === 'throttled') return [record.key];
    if (processed.end === 'delegated') return delegation.delegate(record).then(() => []);
    if (processed.known !== null) await showWaiting(deps, tenant, record, processed.known);
    delegation.end(record);
    return [];
  };
  const left = await Promise.all(records.map(process));
  await delegation.letGo();
  return left.flat();
}
