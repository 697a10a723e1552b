import type { Ledger } from '../../src/ledger/ledger.ts';
import { createCreateAtVendor } from '../opportunity/create-at-vendor.ts';
import { createCreateInCrm } from '../opportunity/create-in-crm.ts';
import { createPlanSync } from '../opportunity/plan-sync.ts';
import { createReadVendor } from '../opportunity/read-vendor.ts';
import { createReportToCrm } from '../opportunity/report-to-crm.ts';
import { createSearchVendor } from '../opportunity/search-vendor.ts';
import type { SyncSummary } from '../opportunity/summary.ts';
import type { UnmodifiedRecords } from '../opportunity/unmodified-records.ts';
import { createUpdateAtVendor } from '../opportunity/update-at-vendor.ts';
import { createWriteCrm } from '../opportunity/write-crm.ts';
import { reportingWaits } from '../outage/notify-waiting.ts';
import { settingAside } from '../outage/set-aside.ts';
import type { ActivityDeps, RecordArgs } from '../support/deps.ts';
import { fencedLedger } from '../support/fenced-ledger.ts';
import { withinBudget } from '../support/within-budget.ts';
import { writableFailure } from '../support/writable-failure.ts';

/**
 * Creates the functions that take one record through its steps (read, decide, write, report). `deps` contains the ledger (Lockstep's
 * database) as one writer may use it. The writer is the lane (the workflow for many records), or a single activity.
 */
export function createRecordSteps(deps: ActivityDeps, unmodified: UnmodifiedRecords) {
  const reporting = <Args extends RecordArgs>(run: (args: Args) => Promise<SyncSummary>) =>
    reportingWaits(deps, settingAside(deps, run), writableFailure);
  return {
    planSync: reporting(withinBudget(deps, 'interactive', createPlanSync(deps, unmodified))),
    readVendor: reporting(createReadVendor(deps, unmodified)),
    searchVendor: reporting(createSearchVendor(deps)),
    createAtVendor: reporting(createCreateAtVendor(deps)),
    updateAtVendor: reporting(createUpdateAtVendor(deps)),
    writeCrm: reporting(createWriteCrm(deps)),
    createInCrm: reporting(createCreateInCrm(deps)),
    reportToCrm: createReportToCrm(deps),
  };
}

export type RecordSteps = ReturnType<typeof createRecordSteps>;

/**
 * Creates the functions that take one record through its steps. `ledger`: access to Lockstep's database that refuses calls if another
 * writer has changed the record.
 */
export type StepsOf = (ledger: Ledger) => RecordSteps;

/** Creates the activities of a record's own workflow, one for each step. Each call is a separate writer with its own fencing token. */
export function createSingleSteps(deps: ActivityDeps, unmodified: UnmodifiedRecords): RecordSteps {
  const single =
    <Args extends RecordArgs, Result>(stepOf: (steps: RecordSteps) => (args: Args) => Promise<Result>) =>
    (args: Args): Promise<Result> => {
      const ledger = fencedLedger(deps.ledger, { key: args.key });
      return stepOf(createRecordSteps({ ...deps, ledger }, unmodified))(args);
    };
  return {
    planSync: single((steps) => steps.planSync),
    readVendor: single((steps) => steps.readVendor),
    searchVendor: single((steps) => steps.searchVendor),
    createAtVendor: single((steps) => steps.createAtVendor),
    updateAtVendor: single((steps) => steps.updateAtVendor),
    writeCrm: single((steps) => steps.writeCrm),
    createInCrm: single((steps) => steps.createInCrm),
    reportToCrm: single((steps) => steps.reportToCrm),
  };
}
