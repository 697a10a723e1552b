import { STREAMS } from '../src/domain/streams/streams.ts';
import { createAuditCrmPage, createAuditCrmRest } from './audit/audit-crm.ts';
import { createBeginAudit, createFinishAudit, createListUnproven } from './audit/audit-ends.ts';
import { createAuditVendorPeriod, createAuditVendorRecord } from './audit/audit-vendor.ts';
import {
  createAdvanceBackfill,
  createBeginBackfill,
  createEndBackfill,
} from './backfill/advance-backfill.ts';
import { createFindOpportunities, createFindVendorRecords } from './backfill/find-records.ts';
import { createMatchVendorRecord } from './backfill/match-vendor-record.ts';
import { NO_FLEET } from './fleet/fleet.ts';
import { createReadTenants } from './fleet/read-tenants.ts';
import { createCreateApiKey } from './keys/create-api-key.ts';
import { createProveApiKey } from './keys/prove-api-key.ts';
import { createRemindOfKey, createSettleKey } from './keys/settle-key.ts';
import { createCreateAtVendor } from './opportunity/create-at-vendor.ts';
import { createCreateInCrm } from './opportunity/create-in-crm.ts';
import { createParkUnanswered } from './opportunity/park-unanswered.ts';
import { createPlanSync } from './opportunity/plan-sync.ts';
import { createReadVendor } from './opportunity/read-vendor.ts';
import { createReportToCrm } from './opportunity/report-to-crm.ts';
import { createSearchVendor } from './opportunity/search-vendor.ts';
import { createShowStanding } from './opportunity/show-standing.ts';
import { createUnmodifiedRecords } from './opportunity/unmodified-records.ts';
import { createUpdateAtVendor } from './opportunity/update-at-vendor.ts';
import { createWriteCrm } from './opportunity/write-crm.ts';
import { createProbeGroup, createReportOutage, createResumeGroup } from './outage/group-outage.ts';
import { createTellWaiting, tellingOfWaits } from './outage/tell-waiting.ts';
import { createStreamActivities } from './streams/sources.ts';
import { createDrainDue, createWakeOverdue } from './streams/wake-due.ts';
import type { ActivityDeps, RecordArgs } from './support/deps.ts';
import { withinBudget } from './support/within-budget.ts';
import { writableFailure } from './support/writable-failure.ts';

/** Every activity of a worker, by the name that workflows call. */
export function createActivities(deps: ActivityDeps) {
  const telling = <Args extends RecordArgs, Result>(run: (args: Args) => Promise<Result>) =>
    tellingOfWaits(deps, run, writableFailure);
  const unmodified = createUnmodifiedRecords(deps);
  return classified({
    planSync: telling(withinBudget(deps, 'interactive', createPlanSync(deps, unmodified))),
    readVendor: telling(createReadVendor(deps, unmodified)),
    searchVendor: telling(createSearchVendor(deps)),
    createAtVendor: telling(createCreateAtVendor(deps)),
    updateAtVendor: telling(createUpdateAtVendor(deps)),
    writeCrm: telling(createWriteCrm(deps)),
    createInCrm: telling(createCreateInCrm(deps)),
    reportToCrm: createReportToCrm(deps),
    parkUnanswered: createParkUnanswered(deps),
    showStanding: createShowStanding(deps),
    ...readingActivities(deps),
    probeGroup: createProbeGroup(deps),
    resumeGroup: createResumeGroup(deps),
    drainDue: createDrainDue(deps),
    tellWaiting: createTellWaiting(deps),
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
    advanceBackfill: createAdvanceBackfill(deps),
    endBackfill: createEndBackfill(deps),
  });
}

/** What reads streams: of one tenant, and of a shard of them, which does what the others do. */
function readingActivities(deps: ActivityDeps) {
  const streams = createStreamActivities(deps);
  const own = { wakeOverdue: createWakeOverdue(deps), reportOutage: createReportOutage(deps) };
  const readTenants = createReadTenants({
    ...deps,
    ...own,
    fleet: deps.fleet ?? NO_FLEET,
    random: Math.random,
    read: (stream, args) => streams[STREAMS[stream].activity](args),
  });
  return { ...streams, ...own, readTenants };
}

type AnyActivity = (...args: never[]) => Promise<unknown>;

/**
 * What leaves an activity is a failure that workflows know, wherever in it the error arose: a ledger that is out before
 * a write leaves is as transient as one that is out after it.
 */
function classified<T extends Readonly<Record<string, AnyActivity>>>(activities: T): T {
  const entries = Object.entries(activities).map(([name, run]) => [
    name,
    async (...args: never[]) => {
      try {
        return await run(...args);
      } catch (error) {
        throw writableFailure(error);
      }
    },
  ]);
  return Object.fromEntries(entries) as T;
}

export type Activities = ReturnType<typeof createActivities>;
