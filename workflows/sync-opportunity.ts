import {
  allHandlersFinished,
  condition,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { SyncSummary } from '../activities/opportunity/summary.ts';
import type { OperationGroup } from '../src/domain/loop/operation-groups.ts';
import type { Cause } from '../src/domain/loop/step.ts';
import {
  begin,
  type Command,
  isLone,
  type Step,
  type SyncEvent,
  type SyncState,
  step,
} from '../src/domain/loop/step.ts';
import { afterStep, afterWake } from '../src/domain/loop/work-class.ts';
import type { LinkState } from '../src/domain/record/link-state.ts';
import { SEARCH_ATTRIBUTES } from '../temporal.config.ts';
import { describe, nameOf, type StatusParts, statusWords } from './descriptions.ts';
import { executeCommand, type RecordRef, type Shown } from './execute-command.ts';
import { goOnAsNew, hasNewerWorkers, isLong, pinned } from './history.ts';
import { createLocalActivityGate, type LocalActivityChecks, type LocalActivityGate } from './local-activity-gate.ts';
import { type SyncOpportunityInput, type SyncStatus, statusQuery, type Wake, wakeSignal } from './messages.ts';
import { createWaitingList, type WaitingList } from './waiting-list.ts';
import { createWaits } from './waits.ts';

/**
 * Syncs one deal: reads the CRM and the vendor, decides, writes and stores the outcome, until no signal is left. A deal has only one run at
 * a time. If the lane (the workflow for many records) works on the deal at the same time, the ledger (Lockstep's database) refuses the
 * calls of one of the two. The history contains only ids, codes and field names. Returns the record's status.
 */
export async function syncOpportunity(input: SyncOpportunityInput): Promise<StatusParts> {
  const early: Cause[] = [];
  const [list, gate, wait] = [createWaitingList(input), createLocalActivityGate(), createWaits()];
  let state: SyncState | null = input.carried ?? null;
  let known = knownBefore(input);
  let doing = 'starting';
  let [stoppedBy, trouble]: [OperationGroup | null, string | null] = [null, null];
  const record = recordOf(input, gate);

  setHandler(wakeSignal, (wake) => {
    if (state === null) early.push(record.onSignal(wake, false));
    else state = step(state, { type: 'woken', cause: record.onSignal(wake, isIdle(state)) }).state;
  });
  setHandler(statusQuery, () => statusOf(state, known, doing));

  if (state === null) await firstCause(early, `${nameOf(input.key, known)}: ${doing}`);
  let command: Command | null;
  ({ state, command } = firstStep(state, early, input));

  while (command !== null && command.type !== 'complete') {
    if (command.type === 'wait' && command.why === 'linger') await list.show(known);
    doing = describe(command, trouble);
    setCurrentDetails(`${nameOf(input.key, known)}: ${statusWords(known)}; ${doing}`);
    if (state.phase === 'back-off' || command.type === 'outage') known = pending(known);
    if (command.type === 'wait') {
      await wait(command, doing, () => (state?.causes.length ?? 0) > 0);
      const [before, mayAsk]: [SyncState, boolean] = [state, gate.mayAsk(command.ms)];
      ({ state, command } = step(state, { type: 'waited' }));
      if (mayAsk && (isLong() || hasNewerWorkers()) && command?.type !== 'complete')
        return goOnAsNew<typeof syncOpportunity>(carriedOn(record.ref(), known, before, list));
    } else {
      const shown = { ...shownOf(input, known, state), ...gate.next() };
      const event = await executeCommand(command, record.ref(), shown, (summary) => {
        known = published(known, summary);
        record.onSummary();
      });
      trouble = troubleOf(event);
      const next = step(state, event);
      state = next.state;
      if (command.type === 'outage') stoppedBy = command.group;
      command = command.type === 'outage' ? { type: 'complete' } : next.command;
    }
  }
  if (stoppedBy === null) await list.show(known);
  await condition(allHandlersFinished);
  return ended(input, known, stoppedBy);
}

async function firstCause(early: readonly Cause[], details: string): Promise<void> {
  setCurrentDetails(details);
  await condition(() => early.length > 0);
}

/** Keeps a workflow run on its worker version. After a long wait, the run continues as new on a newer version, if there is one. */
setWorkflowOptions(pinned, syncOpportunity);

/**
 * Provides the arguments for activities on the record: its ids, and the class (urgency) of its work. The class changes when signals arrive
 * and steps end.
 */
function recordOf({ tenant, key, work: given = 'interactive' }: SyncOpportunityInput, gate: LocalActivityGate) {
  let work = given;
  return {
    ref: (): RecordRef => ({ tenant, key, work }),
    onSummary: (): void => {
      work = afterStep(work);
    },
    onSignal: (wake: Wake, isIdle: boolean): Cause => {
      gate.onSignal();
      work = afterWake(work, wake.work, isIdle);
      return wake.cause;
    },
  };
}

function shownOf(
  { key }: SyncOpportunityInput,
  known: Known,
  state: SyncState,
): Omit<Shown, keyof LocalActivityChecks> {
  const { fields } = known;
  const flags = { checksRecentWrite: state.isRecentlyWritten === undefined, isLone: isLone(state) };
  return { name: nameOf(key, known), statusWords: statusWords(known), fields, ...flags };
}

/** Whether the workflow only waits for further signals: no command is running, and no signal is unhandled. */
function isIdle({ phase, causes }: SyncState): boolean {
  return phase === 'linger' && causes.length === 0;
}

function statusOf(state: SyncState | null, { state: syncState }: Known, doing: string): SyncStatus {
  return { phase: state?.phase ?? 'act', syncState, doing, failures: state?.failures ?? 0 };
}

/**
 * The first step of a workflow run. A run may continue as new only at the end of a wait, and passes its state to the next run. The next run
 * then takes the step that follows the wait. A run without a passed state begins with the signals received so far.
 */
function firstStep(carried: SyncState | null, early: readonly Cause[], { isUnanswered }: SyncOpportunityInput): Step {
  return carried === null ? begin([...new Set(early)], isUnanswered) : step(carried, { type: 'waited' });
}

/** At the end of a workflow run: sets the run's details in Temporal's UI, and returns the run's result. */
function ended({ key }: SyncOpportunityInput, known: Known, stoppedBy: OperationGroup | null): StatusParts {
  setCurrentDetails(`${nameOf(key, known)}: ${statusWords(known, stoppedBy)}`);
  return { state: known.state, issues: known.issues, ...(stoppedBy === null ? {} : { stoppedBy }) };
}

type Known = Pick<SyncSummary, 'crmId' | 'vendorId' | 'issues' | 'fields'> & {
  readonly state: LinkState | null;
};

function knownBefore({ crmId, vendorId, syncState }: SyncOpportunityInput): Known {
  return { crmId, vendorId, state: syncState, issues: [], fields: [] };
}

/**
 * Why the last step failed, in codes and names. Null if the step succeeded, or if its failure paused the operation group (requests that
 * fail together).
 */
function troubleOf(event: SyncEvent): string | null {
  return event.type === 'failed' && event.failure.kind !== 'systemic' ? event.failure.reason : null;
}

/** The record's known status, with `pending` instead of `in-sync`, because a change of the record waits to be synced. */
function pending(known: Known): Known {
  if (known.state !== 'in-sync') return known;
  return published(known, { ...known, state: 'pending' });
}

/** The input for the next run of a record's workflow. It contains the signals that this run has not handled. */
function carriedOn(
  record: RecordRef,
  { crmId, vendorId, state: syncState }: Known,
  carried: SyncState,
  list: WaitingList,
): SyncOpportunityInput {
  return { ...record, crmId, vendorId, syncState, ...list.carried(), carried };
}

/**
 * Stores a record's new status in Temporal's search attributes and returns it. Writes only changed values, because each upsert is an event
 * in the history.
 */
function published(before: Known, now: Known): Known {
  const changed = [
    ...(now.crmId !== null && now.crmId !== before.crmId ? [{ key: SEARCH_ATTRIBUTES.crmId, value: now.crmId }] : []),
    ...(now.vendorId !== null && now.vendorId !== before.vendorId
      ? [{ key: SEARCH_ATTRIBUTES.vendorId, value: now.vendorId }]
      : []),
    ...(now.state === before.state ? [] : [{ key: SEARCH_ATTRIBUTES.syncState, value: now.state }]),
  ];
  if (changed.length > 0) upsertSearchAttributes(changed);
  return now;
}
