import { createCreateAtVendor } from '../opportunity/create-at-vendor.ts';
import { createCreateInCrm } from '../opportunity/create-in-crm.ts';
import { createPlanSync } from '../opportunity/plan-sync.ts';
import { createReadVendor } from '../opportunity/read-vendor.ts';
import { createReportToCrm } from '../opportunity/report-to-crm.ts';
import { createSearchVendor } from '../opportunity/search-vendor.ts';
import type { UnmodifiedRecords } from '../opportunity/unmodified-records.ts';
import { createUpdateAtVendor } from '../opportunity/update-at-vendor.ts';
import { createWriteCrm } from '../opportunity/write-crm.ts';
import { tellingOfWaits } from '../outage/tell-waiting.ts';
import type { ActivityDeps, RecordArgs } from '../support/deps.ts';
import { withinBudget } from '../support/within-budget.ts';
import { writableFailure } from '../support/writable-failure.ts';

/** What is done about one record, a step at a time: activities of its own workflow, and what the lane runs in its own. */
export function createRecordSteps(deps: ActivityDeps, unmodified: UnmodifiedRecords) {
  const telling = <Args extends RecordArgs, Result>(run: (args: Args) => Promise<Result>) =>
    tellingOfWaits(deps, run, writableFailure);
  return {
    planSync: telling(withinBudget(deps, 'interactive', createPlanSync(deps, unmodified))),
    readVendor: telling(createReadVendor(deps, unmodified)),
    searchVendor: telling(createSearchVendor(deps)),
    createAtVendor: telling(createCreateAtVendor(deps)),
    updateAtVendor: telling(createUpdateAtVendor(deps)),
    writeCrm: telling(createWriteCrm(deps)),
    createInCrm: telling(createCreateInCrm(deps)),
    reportToCrm: createReportToCrm(deps),
  };
}

export type RecordSteps = ReturnType<typeof createRecordSteps>;
