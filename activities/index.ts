import { createCreateAtVendor } from './create-at-vendor.ts';
import { createCreateInCrm } from './create-in-crm.ts';
import { createSweepChanges } from './crm-changes.ts';
import type { ActivityDeps } from './deps.ts';
import { createDrainDue, createPokeOverdue } from './due.ts';
import { createProbeGroup, createReportOutage, createResumeGroup } from './guard.ts';
import { createPlanSync } from './plan.ts';
import { createReadVendor } from './read-vendor.ts';
import { createReportToCrm } from './report-to-crm.ts';
import { createSearchVendor } from './search-vendor.ts';
import { toFailure } from './to-failure.ts';
import { createUpdateAtVendor } from './update-at-vendor.ts';
import { createSearchVendorChanges, createSearchVendorOverlap } from './vendor-changes.ts';
import { createWriteCrm } from './write-crm.ts';

/** Every activity of a worker, by the name that workflows call. */
export function createActivities(deps: ActivityDeps) {
  return classified({
    planSync: createPlanSync(deps),
    readVendor: createReadVendor(deps),
    searchVendor: createSearchVendor(deps),
    createAtVendor: createCreateAtVendor(deps),
    updateAtVendor: createUpdateAtVendor(deps),
    writeCrm: createWriteCrm(deps),
    createInCrm: createCreateInCrm(deps),
    reportToCrm: createReportToCrm(deps),
    searchVendorChanges: createSearchVendorChanges(deps),
    searchVendorOverlap: createSearchVendorOverlap(deps),
    sweepChanges: createSweepChanges(deps),
    pokeOverdue: createPokeOverdue(deps),
    reportOutage: createReportOutage(deps),
    probeGroup: createProbeGroup(deps),
    resumeGroup: createResumeGroup(deps),
    drainDue: createDrainDue(deps),
  });
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
        throw toFailure(error);
      }
    },
  ]);
  return Object.fromEntries(entries) as T;
}

export type Activities = ReturnType<typeof createActivities>;
