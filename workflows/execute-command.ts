import { patched } from '@temporalio/workflow';
import type { PlanSyncArgs } from '../activities/opportunity/plan-sync.ts';
import type { ReadVendorArgs } from '../activities/opportunity/read-vendor.ts';
import type { SyncSummary } from '../activities/opportunity/summary.ts';
import type { PlanArgs } from '../activities/support/deps.ts';
import type { Command, SyncEvent } from '../src/domain/loop/step.ts';
import { treatmentOf } from '../src/domain/loop/work-class.ts';
import { describe } from './descriptions.ts';
import type { LocalActivityChecks } from './local-activity-gate.ts';
import type { SyncOpportunityInput } from './messages.ts';
import {
  crmWrites,
  decisions,
  firstTry,
  upkeep,
  vendorRead,
  vendorReadAndUpdate,
  vendorReads,
  vendorWrite,
  vendorWrites,
} from './proxies.ts';
import { isForAnotherPlace, isRepeatable, readFailure } from './read-failure.ts';

/**
 * Names the record that a command works on: its tenant and its key in the ledger (Lockstep's database). `work`: the urgency class of the
 * work (interactive, burst, bulk or echo).
 */
export type RecordRef = Pick<SyncOpportunityInput, 'tenant' | 'key' | 'work'>;

/**
 * Data about a record for its next step: its name and status in Temporal's UI, and checks that decide whether the step may be a local
 * activity.
 */
export type Shown = LocalActivityChecks & {
  readonly name: string;
  readonly statusWords: string;
  readonly fields: readonly string[];
  /**
   * Whether the activity must check if Lockstep wrote the record a moment before this workflow run. If Lockstep did, the activity does
   * nothing and the run waits, because two writes to one record must be some seconds apart.
   */
  readonly checksRecentWrite: boolean;
  /**
   * Whether the workflow run handles a lone change: Lockstep did not write the record a moment before, no further signal about it arrived
   * during the run, and no step failed.
   */
  readonly isLone: boolean;
};

/** Executes one command of the record's state machine as an activity, and returns the event that results. */
export async function executeCommand(
  command: Exclude<Command, { type: 'complete' | 'wait' }>,
  record: RecordRef,
  shown: Shown,
  onSummary: (summary: SyncSummary) => void,
): Promise<SyncEvent> {
  try {
    if (command.type === 'report') {
      await crmWrites.reportToCrm.executeWithOptions({ summary: `report to the CRM: ${shown.statusWords}` }, [record]);
      return { type: 'reported' };
    }
    if (command.type === 'outage') {
      const { type: _, isKnown = false, ...out } = command;
      // A known outage is not reported, because each record that is stopped by the pause would report it again.
      if (isKnown && patched('known-outage')) return { type: 'waited' };
      await upkeep.reportOutage.executeWithOptions({ summary: `${out.group} is unavailable` }, [
        { tenant: record.tenant, ...out },
      ]);
      return { type: 'waited' };
    }
    const summary = await runActivity(command, record, shown);
    onSummary(summary);
    return { type: 'summarised', summary };
  } catch (error) {
    return { type: 'failed', failure: readFailure(error), random: Math.random() };
  }
}

type RecordCommand = Exclude<Command, { type: 'complete' | 'wait' | 'report' | 'outage' }>;

function runActivity(command: RecordCommand, record: RecordRef, shown: Shown): Promise<SyncSummary> {
  const { name, fields, mayRunLocally } = shown;
  const first = shown.checksRecentWrite ? { checksRecentWrite: true as const } : {};
  const { tenant } = record;
  const { isFirst } = treatmentOf(record.work);
  const [isLater, isQuick] = [!isFirst, isFirst && shown.isLone];
  const what = fields.length === 0 ? name : `${name}: ${fields.join(' ')}`;
  switch (command.type) {
    case 'plan':
      return plan({ ...record, ...first, vendor: command.vendor }, name, {
        ...shown,
        mayRunLocally: () => (isQuick || (isFirst && command.vendor === 'unread')) && mayRunLocally(),
      });
    case 'read-vendor':
      return readVendor({ ...record, ...first, planId: command.planId, crmDue: command.crmDue }, name, {
        isQuick,
        isLater,
      });
    case 'search-vendor':
      return vendorReads.searchVendor.executeWithOptions(
        vendorRead(tenant, `search ${name} by our reference`, isLater),
        [{ ...record, reportedMissing: command.reportedMissing }],
      );
    case 'create-at-vendor':
      return vendorWrites.createAtVendor.executeWithOptions(vendorWrite(tenant, `create ${what}`, isLater), [
        { ...record, planId: command.planId },
      ]);
    case 'update-at-vendor':
      return vendorWrites.updateAtVendor.executeWithOptions(vendorWrite(tenant, `update ${what}`, isLater), [
        { ...record, planId: command.planId },
      ]);
    case 'write-crm':
      return writeCrm({ ...record, planId: command.planId }, what, isQuick && mayRunLocally());
    case 'create-in-crm':
      return crmWrites.createInCrm.executeWithOptions({ summary: `make in the CRM ${what}` }, [
        { ...record, planId: command.planId },
      ]);
    case 'park':
      return upkeep.parkUnanswered.executeWithOptions({ summary: `${name}: ${describe(command)}` }, [
        { ...record, reason: command.reason, failingMs: command.failingMs },
      ]);
  }
}

/**
 * Runs `planSync`, which reads the CRM and decides. First tries a local activity, if one may be used. Otherwise, or if the local activity
 * fails temporarily, runs an ordinary activity, which may wait in the task queue.
 */
async function plan(args: PlanSyncArgs, name: string, step: LocalActivityChecks): Promise<SyncSummary> {
  const how = { summary: `observe ${name}` };
  try {
    const isLocal = step.mayRunLocally();
    const repeated = isLocal && step.isRepeated() ? { isRepeated: true as const } : {};
    if (isLocal) return await firstTry.planSync.executeWithOptions(how, [{ ...args, ...repeated }]);
  } catch (error) {
    if (!isRepeatable(error)) throw error;
  }
  return decisions.planSync.executeWithOptions(how, [args]);
}

/**
 * Reads the vendor's record. For a lone change in the CRM (`isQuick`: no other signal about the record arrived) that an earlier step has
 * read, one activity both reads the record and sends the update.
 */
function readVendor(
  args: ReadVendorArgs,
  name: string,
  { isQuick, isLater }: { readonly isQuick: boolean; readonly isLater: boolean },
): Promise<SyncSummary> {
  if (!isQuick || args.planId === null)
    return vendorReads.readVendor.executeWithOptions(vendorRead(args.tenant, `read ${name}`, isLater), [args]);
  return vendorReadAndUpdate.readVendor.executeWithOptions(vendorRead(args.tenant, `read ${name}, and update it`), [
    { ...args, mayUpdate: true },
  ]);
}

/**
 * Sends a planned write to the CRM, and returns the next step. With `isTriedFirst`, which is set only for a lone change (no other signal
 * about the record arrived), first tries a local activity. If the worker refuses to run the local activity, for example because it is too
 * busy, an ordinary activity follows. Throws if the write fails; the workflow then reads the record again.
 */
async function writeCrm(args: PlanArgs, what: string, isTriedFirst: boolean): Promise<SyncSummary> {
  const how = { summary: `write to the CRM ${what}` };
  try {
    if (isTriedFirst) return await firstTry.writeCrm.executeWithOptions(how, [args]);
  } catch (error) {
    if (!isForAnotherPlace(error)) throw error;
  }
  return crmWrites.writeCrm.executeWithOptions(how, [args]);
}
