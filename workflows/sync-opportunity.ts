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
import type { LinkState } from '../src/domain/record/link-state.ts';
import { SEARCH_ATTRIBUTES } from '../temporal.config.ts';
import { describe, nameOf, type StatusParts, statusWords } from './descriptions.ts';
import { executeCommand, type RecordRef, type Shown } from './execute-command.ts';
import { goOnAsNew, hasNewerWorkers, isLong, pinned } from './history.ts';
import { createLocalActivityGate, type LocalActivityGate } from './local-activity-gate.ts';
import {
  comesAfterOthers,
  type SyncOpportunityInput,
  type SyncStatus,
  statusQuery,
  type Wake,
  wakeSignal,
} from './messages.ts';
import { createWaitingList, type WaitingList } from './waiting-list.ts';
import { createWaits } from './waits.ts';

/**
 * Keeps one deal the same on both sides: observe, decide, act, settle, until no wake-up is left; lingers where the record
 * is hot; completes.
 * One run at a time exists for a deal, so nothing else writes to it meanwhile. Carries ids, codes and field names only.
 * Gives where the record stands then; a link that another took over has not lingered.
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
      const shown = { ...shownOf(input, known, state), mayRunLocally: gate.next() };
      const event = await executeCommand(command, record.ref(), shown, (summary) => {
        known = published(known, summary);
        record.isMore();
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

/** Over within minutes as a rule, so that a run ends on the code that it began with; one that waits for longer moves on between rounds. */
setWorkflowOptions(pinned, syncOpportunity);

/**
 * The record as activities are told of it. It is of bulk work, or of a burst, until it is told of alone; it waits for its echo until it is
 * told of for anything else, or was read.
 */
function recordOf({ tenant, key, share, inBurst, isEcho }: SyncOpportunityInput, gate: LocalActivityGate) {
  let ref: RecordRef = {
    ...{ tenant, key },
    ...(share === undefined ? {} : { share }),
    ...(inBurst ? { inBurst } : {}),
    ...(isEcho ? { isEcho } : {}),
  };
  const isMore = (): void => {
    const { isEcho: _, ...others } = ref;
    ref = others;
  };
  return {
    ref: () => ref,
    isMore,
    onSignal: (wake: Wake, isIdle: boolean): Cause => {
      gate.onSignal();
      if (!comesAfterOthers(wake)) ref = { tenant, key };
      else if (!wake.isEcho) {
        isMore();
        const { share: _, ...others } = ref;
        if (wake.share === undefined) ref = others;
      } else if (isIdle) ref = { ...ref, isEcho: true };
      return wake.cause;
    },
  };
}

function shownOf(
  { key }: SyncOpportunityInput,
  known: Known,
  state: SyncState,
): Omit<Shown, 'mayRunLocally'> {
  const { fields } = known;
  const flags = { checksRecentWrite: state.isRecentlyWritten === undefined, isLone: isLone(state) };
  return { name: nameOf(key, known), statusWords: statusWords(known), fields, ...flags };
}

/** Nothing is under way, and nothing wants to be. */
function isIdle({ phase, causes }: SyncState): boolean {
  return phase === 'linger' && causes.length === 0;
}

function statusOf(state: SyncState | null, { state: syncState }: Known, doing: string): SyncStatus {
  return { phase: state?.phase ?? 'act', syncState, doing, failures: state?.failures ?? 0 };
}

/** The first step of a run: one that goes on from another has waited. */
function firstStep(
  carried: SyncState | null,
  early: readonly Cause[],
  { isUnanswered }: SyncOpportunityInput,
): Step {
  return carried === null ? begin([...new Set(early)], isUnanswered) : step(carried, { type: 'waited' });
}

/** What stays to be seen: in the details of the completed run, and in its result. */
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

/** Why the last step failed, in codes and names. */
function troubleOf(event: SyncEvent): string | null {
  return event.type === 'failed' && event.failure.kind !== 'systemic' ? event.failure.reason : null;
}

/** What is known to wait is nowhere "in sync", however well it stood before. */
function pending(known: Known): Known {
  if (known.state !== 'in-sync') return known;
  return published(known, { ...known, state: 'pending' });
}

/** Everything that the next run has to know; wakes that no round has covered are part of the state. */
function carriedOn(
  record: RecordRef,
  { crmId, vendorId, state: syncState }: Known,
  carried: SyncState,
  list: WaitingList,
): SyncOpportunityInput {
  return { ...record, crmId, vendorId, syncState, ...list.carried(), carried };
}

/** What is known now, and is in the search attributes; an upsert is an event, so only what changed is sent. */
function published(before: Known, now: Known): Known {
  const changed = [
    ...(now.crmId !== null && now.crmId !== before.crmId
      ? [{ key: SEARCH_ATTRIBUTES.crmId, value: now.crmId }]
      : []),
    ...(now.vendorId !== null && now.vendorId !== before.vendorId
      ? [{ key: SEARCH_ATTRIBUTES.vendorId, value: now.vendorId }]
      : []),
    ...(now.state === before.state ? [] : [{ key: SEARCH_ATTRIBUTES.syncState, value: now.state }]),
  ];
  if (changed.length > 0) upsertSearchAttributes(changed);
  return now;
}
