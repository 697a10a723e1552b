import { mostUnderWay, NO_PACE } from '../../src/domain/backfill/pace.ts';
import { UNDO_CURSOR, type UndoCounts, type UndoRunOrder, type UndoState } from '../../src/domain/backfill/undo-run.ts';
import { NEEDS_PERSON, type RecordUndo, undoOf } from '../../src/domain/decide/undo.ts';
import { mappingOf } from '../../src/domain/mapping/leads/lead-mapping.ts';
import type { Base } from '../../src/domain/record/base.ts';
import type { JournalEntry } from '../../src/domain/record/journal.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { failure } from '../support/to-failure.ts';

export type BeginUndoArgs = TenantArgs & { readonly run: string; readonly order: UndoRunOrder };

/** The progress of an undo (it restores the values that past writes replaced) after one step. `isOver`: whether no step is left. */
export type UndoStep = UndoCounts & { readonly isOver: boolean };

/** The maximum number of journal lines (stored decisions and writes) that an undo reads for one record. It reads the newest lines. */
const MOST_LINES = 10_000;
const LANE_UNDER_WAY = 5;

/**
 * Starts an undo, which restores the values that past writes replaced, for the records that the operator's `order` names. Returns the
 * progress at the start, such as how many records were found. A repeated call with the same workflow run (`run`) changes nothing.
 */
export function createBeginUndo(deps: ActivityDeps) {
  return async function beginUndo({ tenant, run, order }: BeginUndoArgs): Promise<UndoStep> {
    const at = deps.now();
    const { isOver } = await deps.ledger.openUndo(tenant, { run, begunAt: at, order, isOver: false }, at);
    return { ...(await deps.ledger.countUndo(tenant)), isOver };
  };
}

/**
 * One step of an undo: stores which old values the next records get back, then wakes their workflows (or the lane, the workflow for many
 * records), which write the values. Repeatable: no record is stored twice, and a record is woken again if the earlier signal to its
 * workflow may have been lost.
 */
export function createAdvanceUndo(deps: ActivityDeps) {
  return async function advanceUndo({ tenant }: TenantArgs): Promise<UndoStep> {
    await refuseWhilePaused(deps, tenant, 'records');
    const state = await undoState(deps, tenant);
    const { ratePerSecond } = deps.runtime(tenant).tenant.vendor;
    const usual = mostUnderWay(ratePerSecond * state.order.share, NO_PACE);
    const keys = await deps.ledger.nextToUndo(tenant, deps.usesLane ? LANE_UNDER_WAY * usual : usual);
    for (const key of keys)
      await giveBack(deps, tenant, key, state).catch(async (error: unknown) => {
        if (!isSealed(error)) throw error;
        await deps.ledger.skipUndo(tenant, key);
      });
    const toWake = await deps.ledger.undoToWake(tenant);
    if (toWake.length > 0) {
      await deps.wake(tenant, toWake, 'any');
      await deps.ledger.noteUndoWoken(tenant);
    }
    const counts = await deps.ledger.countUndo(tenant);
    return { ...counts, isOver: counts.done === counts.found };
  };
}

/**
 * Ends an undo (it restores the values that past writes replaced) that is done or was cancelled. Old values that are already stored on
 * records are still written.
 */
export function createEndUndo(deps: ActivityDeps) {
  return async function endUndo({ tenant }: TenantArgs): Promise<void> {
    const state = await undoState(deps, tenant);
    await deps.ledger.closeUndo(tenant, { ...state, isOver: true }, deps.now());
  };
}

async function undoState({ ledger }: ActivityDeps, tenant: string): Promise<UndoState> {
  const state = (await ledger.cursor(tenant, UNDO_CURSOR)) as UndoState | null;
  if (state === null) throw failure('BUG', 'no undo of this tenant was begun');
  return state;
}

async function giveBack(
  deps: ActivityDeps,
  tenant: string,
  key: string,
  { order, begunAt }: Pick<UndoState, 'order' | 'begunAt'>,
): Promise<void> {
  const link = await deps.ledger.findLink(tenant, key);
  if (link === null) return;
  const lines = (await deps.ledger.journal(tenant, key, MOST_LINES)).toReversed();
  const mapping = mappingOf(deps.runtime(tenant).tenant.mapping, link.crmId);
  const undo = undoOf(link, lines, { ...order, until: begunAt }, mapping);
  const goingBack = Object.fromEntries(undo.fields.map(({ field, back }) => [field, back])) as NonNullable<
    Base['goingBack']
  >;
  const at = deps.now();
  const given = { goingBack, values: valuesOf(undo), entry: entryOf(undo, order, at), share: order.share };
  await deps.ledger.giveBack(tenant, link.key, { ...given, expected: link }, at);
}

/** Whether the error says that a record's stored values cannot be decrypted. The undo then skips this record. */
function isSealed(error: unknown): boolean {
  return error instanceof Error && error.name === 'SealingError';
}

function valuesOf({ fields, left }: RecordUndo): UndoCounts['values'] {
  const waits = left.filter(({ why }) => NEEDS_PERSON.has(why)).length;
  return { back: fields.length, left: left.length - waits, waits };
}

function entryOf({ fields }: RecordUndo, { scope }: UndoRunOrder, at: string): JournalEntry {
  const of =
    scope.of === 'since'
      ? `since ${scope.since}`
      : scope.of === 'backfill'
        ? `backfill ${scope.backfill}`
        : 'last change';
  return { at, kind: 'undo', summary: { of, fields: fields.map(({ field }) => field).join(' ') }, decisions: [] };
}
