import { begin, type Command, step } from '../../src/domain/loop/step.ts';
import { afterStep } from '../../src/domain/loop/work-class.ts';
import type { LaneRecord } from '../../src/ledger/queue/lane-ledger.ts';
import type { SyncSummary } from '../opportunity/summary.ts';
import type { FirstReadArgs } from '../opportunity/too-soon.ts';
import type { ActivityDeps, RecordArgs } from '../support/deps.ts';
import { isOutage, throttledMs } from '../support/to-failure.ts';
import { writableFailure } from '../support/writable-failure.ts';
import type { RecordSteps } from './record-steps.ts';

export type Processed =
  | { readonly end: 'done'; readonly known: SyncSummary | null }
  /** The lane (the workflow for many records) cannot finish this record, so the record's own workflow must continue. */
  | { readonly end: 'delegated' }
  /** A quota is used up for `ms` milliseconds. The record waits in the lane (the workflow for many records). */
  | { readonly end: 'throttled'; readonly ms: number }
  /** All requests of an operation group (requests to a remote that fail together) fail at present. The record still has to be synced. */
  | { readonly end: 'out'; readonly error: Error };

type ProcessOptions = {
  readonly onStep?: ActivityDeps['onStep'];
  /** Called before the last step of a record, when only the report of its sync state to the CRM's users remains. */
  readonly onReporting?: () => void;
  /**
   * Whether the record may be written to the CRM or the vendor. If not, a record that must be written is left to its own workflow. By
   * default true.
   */
  readonly mayWrite?: boolean;
  /** Whether a record that was written a moment ago is left to its own workflow, which waits before it writes again. By default false. */
  readonly keepsSpacing?: boolean;
  /** Whether a further step may begin. If not, the record is left to its own workflow. By default always. */
  readonly goesOn?: () => boolean;
};

/**
 * The arguments of a step. `checksRecentWrite`: set for the first step only. If Lockstep wrote the record a moment ago, the step then does
 * nothing and returns `too-soon`, because two writes to one record must be some seconds apart.
 */
type StepArgs = RecordArgs & FirstReadArgs;

const DELEGATED: Processed = { end: 'delegated' };
const REPORTED = { type: 'reported' } as const;

/**
 * Processes one record with the state machine that the record's own workflow uses, until a step fails, must wait or needs a search. Never
 * repeats a step: after a failure, the record's own workflow reads the CRM and the vendor again.
 */
export async function processRecord(
  steps: RecordSteps,
  tenant: string,
  { key, cause, work }: LaneRecord,
  options: ProcessOptions,
): Promise<Processed> {
  const { onStep = () => undefined, onReporting = () => undefined, mayWrite = true, goesOn = () => true } = options;
  let args: StepArgs = { tenant, key, work, ...(options.keepsSpacing ? { checksRecentWrite: true } : {}) };
  let known: SyncSummary | null = null;
  let { state, command } = begin([cause]);
  while (command !== null) {
    if (command.type === 'complete') return { end: 'done', known };
    if (command.type === 'wait') return command.why === 'linger' ? { end: 'done', known } : DELEGATED;
    if (!isOfLane(command)) return DELEGATED;
    if ((!mayWrite && isWrite(command)) || !goesOn()) return DELEGATED;
    const name = STEPS[command.type];
    if (command.type === 'report') onReporting();
    try {
      const summary: SyncSummary | null = await runStep(steps, command, args);
      onStep(tenant, name, summary);
      args = { tenant, key, work: afterStep(args.work) };
      known = summary ?? known;
      ({ state, command } = step(state, summary === null ? REPORTED : { type: 'summarised', summary }));
    } catch (thrown) {
      const error = writableFailure(thrown);
      onStep(tenant, name, error);
      return endOf(error);
    }
  }
  return DELEGATED;
}

/**
 * For each command of the record's state machine, the name of the step function that the lane (the workflow for many records) then calls.
 */
const STEPS = {
  plan: 'planSync',
  'read-vendor': 'readVendor',
  'create-at-vendor': 'createAtVendor',
  'update-at-vendor': 'updateAtVendor',
  'write-crm': 'writeCrm',
  'create-in-crm': 'createInCrm',
  report: 'reportToCrm',
} as const satisfies Partial<Record<Command['type'], keyof RecordSteps>>;

type LaneCommand = Extract<Command, { readonly type: keyof typeof STEPS }>;

function isOfLane(command: Command): command is LaneCommand {
  return Object.hasOwn(STEPS, command.type);
}

function isWrite({ type }: LaneCommand): boolean {
  return type !== 'plan' && type !== 'read-vendor' && type !== 'report';
}

/** Runs one step, and returns its summary; null if the step returns none. */
async function runStep(steps: RecordSteps, command: LaneCommand, record: StepArgs): Promise<SyncSummary | null> {
  switch (command.type) {
    case 'plan':
      return steps.planSync({ ...record, vendor: command.vendor, byLane: true });
    case 'read-vendor':
      return steps.readVendor({
        ...record,
        ...{ planId: command.planId, crmDue: command.crmDue, byLane: true },
      });
    case 'report':
      await steps.reportToCrm({ ...record, byLane: true });
      return null;
    default:
      return steps[STEPS[command.type]]({ ...record, planId: command.planId });
  }
}

function endOf(error: unknown): Processed {
  if (isOutage(error)) return { end: 'out', error };
  const ms = throttledMs(error);
  return ms === null ? DELEGATED : { end: 'throttled', ms };
}
