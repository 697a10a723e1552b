import { createCreateAtVendor } from './create-at-vendor.ts';
import { createSweepChanges } from './crm-changes.ts';
import { createCreateInCrm, createReportToCrm, createWriteCrm } from './crm-writes.ts';
import type { ActivityDeps } from './deps.ts';
import { createDrainDue, createPokeOverdue } from './due.ts';
import { createProbeGroup, createReportOutage, createResumeGroup } from './guard.ts';
import { createPlanSync } from './plan.ts';
import { createReadVendor } from './read-vendor.ts';
import { createSearchVendor } from './search-vendor.ts';
import { createUpdateAtVendor } from './update-at-vendor.ts';
import { createSearchVendorChanges, createSearchVendorOverlap } from './vendor-changes.ts';

/** Every activity of a worker, by the name that workflows call. */
export function createActivities(deps: ActivityDeps) {
  return {
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
  };
}

export type Activities = ReturnType<typeof createActivities>;
