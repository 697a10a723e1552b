import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { SyncSummary } from '../activities/summary.ts';
import type { Cause } from '../src/domain/step.ts';
import { begin, type Command, type SyncState, step } from '../src/domain/step.ts';
import { SEARCH_ATTRIBUTES } from '../temporal.config.ts';
import { carryOut } from './carry-out.ts';
import { pokeSignal, type SyncOpportunityInput, statusQuery } from './messages.ts';
import { describe, nameOf } from './story.ts';

/**
 * Keeps one deal the same on both sides: observe, decide, act, settle, until no poke is left; lingers; completes.
 * One run at a time exists for a deal, so nothing else writes to it meanwhile. Carries ids, codes and field names only.
 */
export async function syncOpportunity(input: SyncOpportunityInput): Promise<void> {
  const early: Cause[] = [...(input.poked ?? [])];
  let state: SyncState | null = null;
  let seen: SyncSummary | null = null;
  let doing = 'starting';

  setHandler(pokeSignal, ({ cause }) => {
    if (state === null) early.push(cause);
    else state = step(state, { type: 'poked', cause }).state;
  });
  setHandler(statusQuery, () => ({
    phase: state?.phase ?? 'act',
    syncState: seen?.state ?? null,
    doing,
    failures: state?.failures ?? 0,
  }));

  await condition(() => early.length > 0);
  const first = begin([...new Set(early)]);
  state = first.state;
  let command: Command | null = first.command;

  while (command !== null && command.type !== 'complete') {
    doing = describe(command);
    setCurrentDetails(`${nameOf(input, seen)}: ${doing}`);
    const event = await carryOut(
      command,
      { tenant: input.tenant, key: input.key },
      nameOf(input, seen),
      () => (state?.poked.length ?? 0) > 0,
      (summary) => {
        publish(seen, summary);
        seen = summary;
      },
    );
    const next = step(state, event);
    state = next.state;
    command = command.type === 'outage' ? { type: 'complete' } : next.command;
    if (state.phase === 'linger' && workflowInfo().continueAsNewSuggested) break;
  }

  await condition(allHandlersFinished);
  if (state.poked.length === 0 || state.phase === 'done') return;
  await continueAsNew<typeof syncOpportunity>({ ...input, poked: state.poked });
}

/** Keeps the search attributes true; an upsert is an event, so only what changed is sent. */
function publish(before: SyncSummary | null, now: SyncSummary): void {
  const changed = [
    ...(now.crmId !== null && now.crmId !== before?.crmId
      ? [{ key: SEARCH_ATTRIBUTES.crmId, value: now.crmId }]
      : []),
    ...(now.vendorId !== null && now.vendorId !== before?.vendorId
      ? [{ key: SEARCH_ATTRIBUTES.vendorId, value: now.vendorId }]
      : []),
    ...(now.state === before?.state ? [] : [{ key: SEARCH_ATTRIBUTES.syncState, value: now.state }]),
  ];
  if (changed.length > 0) upsertSearchAttributes(changed);
}
