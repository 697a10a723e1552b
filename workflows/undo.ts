import { condition, continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import type { UndoStep } from '../activities/backfill/advance-undo.ts';
import { NOTHING_UNDONE } from '../src/domain/backfill/undo-run.ts';
import { describeUndo } from './descriptions.ts';
import { isLong } from './history.ts';
import { cancelUndoSignal, type UndoInput, type UndoStatus, undoQuery } from './messages.ts';
import { upkeep } from './proxies.ts';
import { readFailure } from './read-failure.ts';

/** How long an undo waits, in ms, between two checks of the records that are being synced. */
const POLL_MS = 2_000;
/** How long the undo waits, in ms, before it tries again after an outage of the tenant's remote systems. */
const OUTAGE_MS = 15_000;

/**
 * Restores the values that past writes replaced. The undo stores on each record which values to restore. The record's own workflow, or the
 * lane (the workflow for many records), then writes them. The ledger (Lockstep's database) stores the progress, so an undo that is
 * restarted continues where it stopped. Operators can cancel it.
 */
export async function undo({ tenant, order, run: carried }: UndoInput): Promise<UndoStatus> {
  const run = carried ?? workflowInfo().runId;
  let isCancelled = false;
  let status: UndoStatus = { ...NOTHING_UNDONE, order, state: 'running' };
  const show = (state: UndoStatus['state'], step?: UndoStep): void => {
    const { isOver: _, ...counts } = step ?? { ...status, isOver: false };
    status = { ...counts, order, state };
    setCurrentDetails(describeUndo(status));
  };
  setHandler(cancelUndoSignal, () => {
    isCancelled = true;
  });
  setHandler(undoQuery, () => status);

  show('running');
  const begun = await upkeep.beginUndo({ tenant, run, order });
  show('running', begun);
  let { isOver } = begun;
  while (!isOver && !isCancelled) {
    if (isLong()) return continueAsNew<typeof undo>({ tenant, order, run });
    const step = await taken(tenant);
    show(step === null ? 'waiting' : 'running', step ?? undefined);
    isOver = step?.isOver === true;
    if (!isOver) await condition(() => isCancelled, step === null ? OUTAGE_MS : POLL_MS);
  }
  await upkeep.endUndo({ tenant });
  show(isOver ? 'done' : 'cancelled');
  return status;
}

/** Takes one step of the undo and returns the progress; null if an outage of the tenant's remote systems stopped the step. */
async function taken(tenant: string): Promise<UndoStep | null> {
  try {
    return await upkeep.advanceUndo({ tenant });
  } catch (error) {
    const failure = readFailure(error);
    if (failure.kind !== 'systemic') throw error;
    const { kind: _, isKnown: __, ...out } = failure;
    await upkeep.reportOutage({ tenant, ...out });
    return null;
  }
}
