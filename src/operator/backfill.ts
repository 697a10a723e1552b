import type { BackfillOrder } from '../domain/backfill/backfill.ts';
import type { BackfillStanding, Backfills, BackfillWord } from '../intake/backfill.ts';

/** Where a tenant's backfill stands. */
export type BackfillTold = BackfillStanding & { readonly shape: 'backfill/1'; readonly tenant: string };

export type BackfillPorts = {
  readonly backfills: Backfills;
  readonly pause: (ms: number) => Promise<void>;
};

/** A person's word that cannot be followed; the message says why, and what can be done. */
export class CannotBackfill extends Error {
  override readonly name = 'CannotBackfill';
}

const LOOK_MS = 500;
const MOST_LOOKS = 120;

/** Begins a backfill. Throws CannotBackfill where one is under way. */
export async function startBackfill(
  ports: BackfillPorts,
  tenant: string,
  order: BackfillOrder,
): Promise<BackfillTold> {
  if (!(await ports.backfills.start(tenant, order)))
    throw new CannotBackfill(
      `A backfill of ${tenant} is under way: lockstep backfill status --tenant ${tenant} says where it stands.`,
    );
  return backfillStatus(ports, tenant);
}

/** Where the last one stands. Throws CannotBackfill where there was none. */
export async function backfillStatus({ backfills }: BackfillPorts, tenant: string): Promise<BackfillTold> {
  const standing = await backfills.status(tenant);
  if (standing === null)
    throw new CannotBackfill(
      `There was no backfill of ${tenant}: begin one with lockstep backfill --since 2026-01-01.`,
    );
  return { shape: 'backfill/1', tenant, ...standing };
}

/** Tells where it stands, over and over until it has ended or the signal; where it stood last. */
export async function followBackfill(
  ports: BackfillPorts,
  tenant: string,
  { signal, tell }: { readonly signal: AbortSignal; readonly tell: (told: BackfillTold) => void },
): Promise<BackfillTold> {
  for (;;) {
    const told = await backfillStatus(ports, tenant);
    if (!told.isRunning || signal.aborted) return told;
    tell(told);
    await ports.pause(LOOK_MS);
  }
}

/** Has it pause, go on or end, and waits a minute at most until it has. Throws CannotBackfill where none is under way. */
export async function tellBackfill(
  ports: BackfillPorts,
  tenant: string,
  word: BackfillWord,
): Promise<BackfillTold> {
  if (!(await ports.backfills.tell(tenant, word)))
    throw new CannotBackfill(`No backfill of ${tenant} is under way.`);
  for (let look = 0; ; look += 1) {
    const told = await backfillStatus(ports, tenant);
    if (look === MOST_LOOKS || hasHeard(told, word)) return told;
    await ports.pause(LOOK_MS);
  }
}

function hasHeard({ standing, isRunning }: BackfillTold, word: BackfillWord): boolean {
  if (!isRunning) return true;
  if (word === 'pause') return standing === 'paused';
  return word === 'resume' && standing !== 'paused';
}
