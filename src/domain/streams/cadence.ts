/** How often a stream is looked at: so while something is found, and more seldom, within its bounds, the longer nothing was. */
export type Cadence = { readonly everyMs: number; readonly idleMs: number };

/** What comes after a time of quiet is found within this part of that time. */
const PART_OF_QUIET = 0.1;
/** Looks come up to this much earlier than they have to, so that those of many tenants stay apart. */
const JITTER = 0.1;

/** The time between two looks. `quietMs`: since something was found last; infinite where nothing ever was. */
export function cadenceMs({ everyMs, idleMs }: Cadence, quietMs: number): number {
  return Math.max(everyMs, Math.min(idleMs, quietMs * PART_OF_QUIET));
}

/** What is known of the looks at a stream, in epoch milliseconds; null where there was none. */
export type Polled = { readonly lastMs: number | null; readonly foundMs: number | null };

/** When a stream is looked at next. `random`: from 0 to 1. The first look comes within the shortest time between two, half a minute at most. */
export function nextPollMs(
  cadence: Cadence,
  { lastMs, foundMs }: Polled,
  nowMs: number,
  random: number,
): number {
  if (lastMs === null) return nowMs + random * Math.min(cadence.everyMs, MOST_UNTIL_FIRST_MS);
  const quietMs = foundMs === null ? Number.POSITIVE_INFINITY : lastMs - foundMs;
  return lastMs + cadenceMs(cadence, quietMs) * (1 - JITTER * random);
}

const MOST_UNTIL_FIRST_MS = 30_000;

/**
 * The last of the instants that follow each other at this distance, counted from the epoch and `part` (0 to 1) of the distance later:
 * what is done once between two of them is done at a time of its own.
 */
export function lastTurnMs(everyMs: number, part: number, nowMs: number): number {
  const offsetMs = Math.floor(part * everyMs);
  return Math.floor((nowMs - offsetMs) / everyMs) * everyMs + offsetMs;
}
