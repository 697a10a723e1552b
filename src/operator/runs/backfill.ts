import type { BackfillOrder } from '../../domain/backfill/backfill.ts';
import type { BackfillRunStatus, Backfills, BackfillWord } from '../../intake/backfill.ts';
import { Unanswered } from '../../intake/single-run.ts';

/** Where a tenant's backfill stands. */
export type BackfillAnswer = BackfillRunStatus & { readonly shape: 'backfill/1'; readonly tenant: string };

export type BackfillPorts = {
  readonly backfills: Backfills;
  readonly pause: (ms: number) => Promise<void>;
};

/** A person's word that cannot be followed; the message says why, and what can be done. */
export class CannotBackfill extends Error {
  override readonly name = 'CannotBackfill';
}

/** `isAnswered`: it stands so now, and did not only when somebody answered last. */
export type Follower = {
  readonly signal: AbortSignal;
  readonly tell: (told: BackfillAnswer, isAnswered: boolean) => void;
};

const POLL_MS = 500;
const MOST_POLLS = 120;

/** Begins a backfill. Throws CannotBackfill where one is under way. */
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

/** Where the last one stands. Throws CannotBackfill where there was none. */
export async function backfillStatus({ backfills }: BackfillPorts, tenant: string): Promise<BackfillAnswer> {
  const state = await backfills.status(tenant);
  if (state === null)
    throw new CannotBackfill(
      `There was no backfill of ${tenant}: begin one with lockstep backfill --since 2026-01-01.`,
    );
  return { shape: 'backfill/1', tenant, ...state };
}

/**
 * Tells where it stands, over and over until it has ended or the signal; where it stood last. While nobody answers, as while workers
 * are restarted, that is told, with where it stood before.
 */
export async function followBackfill(
  ports: BackfillPorts,
  tenant: string,
  { signal, tell }: Follower,
): Promise<BackfillAnswer> {
  let last: BackfillAnswer | null = null;
  for (;;) {
    const told = await answered(ports, tenant, last);
    if (told !== null) last = told;
    if (last !== null && (!last.isRunning || signal.aborted)) return last;
    if (last !== null) tell(last, told !== null);
    await ports.pause(POLL_MS);
  }
}

/** Null where nobody answers who has answered before. */
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

/** Has it pause, go on or end, and waits a minute at most until it has. Throws CannotBackfill where none is under way. */
export async function tellBackfill(
  ports: BackfillPorts,
  tenant: string,
  word: BackfillWord,
): Promise<BackfillAnswer> {
  if (!(await ports.backfills.tell(tenant, word)))
    throw new CannotBackfill(`No backfill of ${tenant} is under way.`);
  for (let look = 0; ; look += 1) {
    const told = await backfillStatus(ports, tenant);
    if (look === MOST_POLLS || hasHeard(told, word)) return told;
    await ports.pause(POLL_MS);
  }
}

function hasHeard({ state, isRunning }: BackfillAnswer, word: BackfillWord): boolean {
  if (!isRunning) return true;
  if (word === 'pause') return state === 'paused';
  return word === 'resume' && state !== 'paused';
}
