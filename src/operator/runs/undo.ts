import type { Backfills } from '../../intake/backfill.ts';
import { Unanswered } from '../../intake/single-run.ts';
import type { UndoRunStatus, Undos } from '../../intake/undo.ts';
import type { LinkLedger } from '../../ledger/links/link-ledger.ts';
import { findLinkOf } from '../records/find-link.ts';
import { UnknownRecord } from '../records/remote-records.ts';
import type { UndoWish } from './plan-undo.ts';

export type UndoAnswer = UndoRunStatus & { readonly shape: 'undo/1'; readonly tenant: string };

export type UndoPorts = {
  readonly undos: Undos;
  readonly pause: (ms: number) => Promise<void>;
};

export type UndoStartPorts = UndoPorts & {
  readonly backfills: Pick<Backfills, 'status'>;
  readonly ledger: Pick<LinkLedger, 'findLink' | 'findLinkByIds'>;
};

/** Thrown if a command on an undo cannot be executed. The message names the reason and the repair. */
export class CannotUndo extends Error {
  override readonly name = 'CannotUndo';
}

const POLL_MS = 500;

/** Starts an undo. Throws UnknownRecord, and CannotUndo if an undo or a backfill is running. */
export async function startUndo(
  ports: UndoStartPorts,
  tenant: string,
  { id, scope, fields }: UndoWish,
  share: number,
): Promise<UndoAnswer> {
  const link = id === null ? null : await findLinkOf(ports.ledger, tenant, id);
  if (id !== null && link === null) throw new UnknownRecord(`${id} is no record that Lockstep knows.`);
  const backfill = await ports.backfills.status(tenant);
  if (backfill?.isRunning === true)
    throw new CannotUndo(
      `A backfill of ${tenant} is under way; wait for it, or end it: lockstep backfill cancel --tenant ${tenant}.`,
    );
  const order = { scope, key: link?.key ?? null, share, ...(fields === undefined ? {} : { fields }) };
  if (!(await ports.undos.start(tenant, order)))
    throw new CannotUndo(`An undo of ${tenant} is under way: lockstep undo status --tenant ${tenant} says how far.`);
  return undoStatus(ports, tenant);
}

/** The status of the last undo. Throws CannotUndo if there was none. */
export async function undoStatus({ undos }: Pick<UndoPorts, 'undos'>, tenant: string): Promise<UndoAnswer> {
  const status = await undos.status(tenant);
  if (status === null) throw new CannotUndo(`There was no undo of ${tenant}.`);
  return { shape: 'undo/1', tenant, ...status };
}

/** Calls `report` with an undo's status twice a second, until the undo ends or the signal aborts. */
export async function followUndo(
  ports: UndoPorts,
  tenant: string,
  { signal, report }: { readonly signal: AbortSignal; readonly report: (status: UndoAnswer) => void },
): Promise<UndoAnswer> {
  let last: UndoAnswer | null = null;
  for (;;) {
    last = await answered(ports, tenant, last);
    if (!last.isRunning || signal.aborted) return last;
    report(last);
    await ports.pause(POLL_MS);
  }
}

/** Asks for the undo's present status. If no worker answers now, returns the last known status. Throws if no status is known yet. */
async function answered(ports: UndoPorts, tenant: string, last: UndoAnswer | null): Promise<UndoAnswer> {
  try {
    return await undoStatus(ports, tenant);
  } catch (error) {
    if (last !== null && error instanceof Unanswered) return last;
    throw error;
  }
}

/**
 * Stops the running undo. Values whose restoration is already stored in the ledger (Lockstep's database) are still restored. Throws
 * CannotUndo if no undo is running.
 */
export async function cancelUndo(ports: UndoPorts, tenant: string): Promise<UndoAnswer> {
  if (!(await ports.undos.cancel(tenant))) throw new CannotUndo(`No undo of ${tenant} is under way.`);
  return undoStatus(ports, tenant);
}
