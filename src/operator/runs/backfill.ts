import type { BackfillOrder } from '../../domain/backfill/backfill.ts';
import type { BackfillRunStatus, Backfills, BackfillWord } from '../../intake/backfill.ts';
import { Unanswered } from '../../intake/single-run.ts';

export type BackfillAnswer = BackfillRunStatus & { readonly shape: 'backfill/1'; readonly tenant: string };

export type BackfillPorts = {
  readonly backfills: Backfills;
  readonly pause: (ms: number) => Promise<void>;
};

/** Thrown if a command on a backfill cannot be executed. The message names the reason and the repair. */
export class CannotBackfill extends Error {
  override readonly name = 'CannotBackfill';
}

/**
 * How a caller follows a backfill. `report` is called with the backfill's status. If no worker answered, `report` gets the last known
 * status, and `isAnswered` is false.
 */
export type Follower = {
  readonly signal: AbortSignal;
  readonly report: (status: BackfillAnswer, isAnswered: boolean) => void;
};

const POLL_MS = 500;
const MOST_POLLS = 120;

/** Starts a backfill. Throws CannotBackfill if one is running. */
export async function startBackfill(
  ports: BackfillPorts,
  tenant: string,
  order: BackfillOrder,
): Promise<BackfillAnswer> {
  if (!(await ports.backfills.start(tenant, order)))
    throw new CannotBackfill(
      `A backfill of ${tenant} is under way: lockstep backfill status --tenant ${tenant} says where it stands.`,
    );
  return backfillStatus(ports, tenant);
}

/** The status of the last backfill. Throws CannotBackfill if there was none. */
export async function backfillStatus({ backfills }: BackfillPorts, tenant: string): Promise<BackfillAnswer> {
  const state = await backfills.status(tenant);
  if (state === null)
    throw new CannotBackfill(
      `There was no backfill of ${tenant}: begin one with lockstep backfill --since 2026-01-01.`,
    );
  return { shape: 'backfill/1', tenant, ...state };
}

/**
 * Calls `report` with a backfill's status twice a second, until the backfill ends or the signal aborts. While no worker answers, `report`
 * gets the last known status.
 */
export async function followBackfill(
  ports: BackfillPorts,
  tenant: string,
  { signal, report }: Follower,
): Promise<BackfillAnswer> {
  let last: BackfillAnswer | null = null;
  for (;;) {
    const status = await answered(ports, tenant, last);
    if (status !== null) last = status;
    if (last !== null && (!last.isRunning || signal.aborted)) return last;
    if (last !== null) report(last, status !== null);
    await ports.pause(POLL_MS);
  }
}

/**
 * Asks for the status of a backfill. If no worker answers now, returns null if `last` contains an earlier answer, so that the caller goes
 * on with `last`. Throws if no worker has answered yet.
 */
async function answered(
  ports: BackfillPorts,
  tenant: string,
  last: BackfillAnswer | null,
): Promise<BackfillAnswer | null> {
  try {
    return await backfillStatus(ports, tenant);
  } catch (error) {
    if (last !== null && error instanceof Unanswered) return null;
    throw error;
  }
}

/**
 * Pauses, resumes or cancels a backfill, and waits at most a minute until the backfill has done so. Throws CannotBackfill if no backfill is
 * running.
 */
export async function controlBackfill(
  ports: BackfillPorts,
  tenant: string,
  word: BackfillWord,
): Promise<BackfillAnswer> {
  if (!(await ports.backfills.tell(tenant, word))) throw new CannotBackfill(`No backfill of ${tenant} is under way.`);
  for (let poll = 0; ; poll += 1) {
    const status = await backfillStatus(ports, tenant);
    if (poll === MOST_POLLS || hasHeard(status, word)) return status;
    await ports.pause(POLL_MS);
  }
}

function hasHeard({ state, isRunning }: BackfillAnswer, word: BackfillWord): boolean {
  if (!isRunning) return true;
  if (word === 'pause') return state === 'paused';
  return word === 'resume' && state !== 'paused';
}
