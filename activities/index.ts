import { cancellationSignal } from '@temporalio/activity';
import { STREAMS } from '../src/domain/streams/streams.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import { createAuditCrmPage, createAuditCrmRest } from './audit/audit-crm.ts';
import { createBeginAudit, createFinishAudit, createListUnproven } from './audit/audit-ends.ts';
import { createAuditVendorPeriod, createAuditVendorRecord } from './audit/audit-vendor.ts';
import { createAdvanceBackfill, createBeginBackfill, createEndBackfill } from './backfill/advance-backfill.ts';
import { createAdvanceUndo, createBeginUndo, createEndUndo } from './backfill/advance-undo.ts';
import { createFindOpportunities, createFindVendorRecords } from './backfill/find-records.ts';
import { createMatchVendorRecord, createMatchVendorRecords } from './backfill/match-vendor-records.ts';
import { NO_FLEET } from './fleet/fleet.ts';
import { createReadTenants } from './fleet/read-tenants.ts';
import { createCreateApiKey } from './keys/create-api-key.ts';
import { createProveApiKey } from './keys/prove-api-key.ts';
import { createRemindOfKey, createSettleKey } from './keys/settle-key.ts';
import { createSyncLone, type StepsOfLone } from './lane/lone-changes.ts';
import { createRecordSteps, createSingleSteps } from './lane/record-steps.ts';
import { createSyncRecords } from './lane/sync-records.ts';
import { createParkUnanswered } from './opportunity/park-unanswered.ts';
import { createPublishStatus } from './opportunity/publish-status.ts';
import { createReadAndUpdate } from './opportunity/read-and-update.ts';
import { createUnmodifiedRecords } from './opportunity/unmodified-records.ts';
import { createProbeGroup, createReportOutage, createResumeGroup } from './outage/group-outage.ts';
import { createNotifyWaiting } from './outage/notify-waiting.ts';
import { createFollowChanges } from './streams/follow-changes.ts';
import { createStreamActivities } from './streams/sources.ts';
import { createDrainDue, createWakeOverdue } from './streams/wake-due.ts';
import type { ActivityDeps } from './support/deps.ts';
import { withinResultSize } from './support/result-size.ts';
import { withinBudget } from './support/within-budget.ts';
import { writableFailure } from './support/writable-failure.ts';

/** All activities of a worker, by the name that workflows call. */
export function createActivities(deps: ActivityDeps) {
  const unmodified = createUnmodifiedRecords(deps);
  const inTurn: ActivityDeps = { ...deps, vendorTurn: (tenant) => paced(deps, tenant, 'others') };
  const first: ActivityDeps = { ...deps, vendorTurn: (tenant) => paced(deps, tenant, 'first') };
  const steps = createSingleSteps({ ...deps, vendorTurn: async (tenant) => noted(deps, tenant) }, unmodified);
  const { updateAtVendor } = createSingleSteps(first, unmodified);
  const stepsOf = (of: ActivityDeps) => (ledger: Ledger) => createRecordSteps({ ...of, ledger }, unmodified);
  return classified({
    ...steps,
    // Temporal's queue limits the rate of activities, but not the second request within an activity.
    readVendor: createReadAndUpdate(deps, steps.readVendor, updateAtVendor),
    syncRecords: createSyncRecords({ ...deps, ledger: deps.laneLedger ?? deps.ledger }, stepsOf(inTurn)),
    parkUnanswered: createParkUnanswered(deps),
    publishStatus: createPublishStatus(deps),
    ...readingActivities(deps, { first: stepsOf(first), others: stepsOf(inTurn) }),
    probeGroup: createProbeGroup(deps),
    resumeGroup: createResumeGroup(deps),
    drainDue: createDrainDue(deps),
    notifyWaiting: createNotifyWaiting(deps),
    beginAudit: createBeginAudit(deps),
    auditVendorPeriod: createAuditVendorPeriod(deps),
    auditVendorRecord: createAuditVendorRecord(deps),
    auditCrmPage: createAuditCrmPage(deps),
    auditCrmRest: createAuditCrmRest(deps),
    listUnproven: createListUnproven(deps),
    finishAudit: createFinishAudit(deps),
    createApiKey: createCreateApiKey(deps),
    proveApiKey: createProveApiKey(deps),
    settleKey: createSettleKey(deps),
    remindOfKey: createRemindOfKey(),
    beginBackfill: createBeginBackfill(deps),
    findVendorRecords: createFindVendorRecords(deps),
    findOpportunities: withinBudget(deps, 'bulk', createFindOpportunities(deps)),
    matchVendorRecord: withinBudget(deps, 'bulk', createMatchVendorRecord(deps)),
    matchVendorRecords: withinBudget(deps, 'bulk', createMatchVendorRecords(inTurn)),
    advanceBackfill: createAdvanceBackfill(deps),
    endBackfill: createEndBackfill(deps),
    beginUndo: createBeginUndo(deps),
    advanceUndo: createAdvanceUndo(deps),
    endUndo: createEndUndo(deps),
  });
}

/**
 * Waits until the tenant's request rate allows a vendor request. Used for requests that no task queue of Temporal limits. `who`: `first` if
 * a user waits for the request, otherwise `others`.
 */
async function paced({ vendorPace, runtime }: ActivityDeps, tenant: string, who: 'first' | 'others'): Promise<void> {
  const { ratePerSecond } = runtime(tenant).tenant.vendor;
  await vendorPace?.turn(tenant, ratePerSecond, cancellationSignal(), who);
}

function noted({ vendorPace, runtime }: ActivityDeps, tenant: string): void {
  vendorPace?.note(tenant, runtime(tenant).tenant.vendor.ratePerSecond);
}

/**
 * The activities that read streams (regular reads of changed rows): some for one stream of one tenant, one for all streams of a shard (a
 * group of tenants).
 */
function readingActivities(given: ActivityDeps, stepsOf: StepsOfLone) {
  const deps = { ...given, syncLone: createSyncLone(given, stepsOf) };
  const streams = createStreamActivities(deps);
  const own = { wakeOverdue: createWakeOverdue(deps), reportOutage: createReportOutage(deps) };
  const readTenants = createReadTenants({
    ...deps,
    ...own,
    followChanges: createFollowChanges(deps),
    fleet: deps.fleet ?? NO_FLEET,
    random: Math.random,
    read: (stream, args) => streams[STREAMS[stream].activity](args),
  });
  return { ...streams, ...own, readTenants };
}

type AnyActivity = (...args: never[]) => Promise<unknown>;

/** Wraps activities so that each of their errors becomes a failure of a type that workflows distinguish. */
function classified<T extends Readonly<Record<string, AnyActivity>>>(activities: T): T {
  const entries = Object.entries(activities).map(([name, run]) => [
    name,
    async (...args: never[]) => {
      try {
        return withinResultSize(name, await run(...args));
      } catch (error) {
        throw writableFailure(error);
      }
    },
  ]);
  return Object.fromEntries(entries) as T;
}

export type Activities = ReturnType<typeof createActivities>;
