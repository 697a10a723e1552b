import type { Story } from './story.ts';
import type { World } from './world.ts';

/** Requests that leave at once are this far apart by the clock of a story. */
const UNDER_WAY_MS = 35;

/** The least that a vendor of a story asks to be left alone for, whether it says so or not. */
const LEAST_RESET_MS = 2_000;

const UNSTEADY: ReadonlySet<string> = new Set(['pause', 'overlap', 'lose']);

/** Whether a story leaves each worker alone: one that stood still between asking the gate and sending knows of no later answer. */
export function leavesWorkersAlone({ happenings }: Pick<Story, 'happenings'>): boolean {
  return !happenings.some(({ kind }) => UNSTEADY.has(kind));
}

/**
 * QUO: once the vendor has said "too many", in whatever words, none of the tenant's records asks it anything before its
 * window ends. What was under way with the one that was told so does not count: as
 * many as `width` leave at once.
 */
export async function unheeded(world: World, width: number): Promise<readonly string[]> {
  const underWayMs = (width - 1) * UNDER_WAY_MS;
  const requests = (await world.vendor.requests()).filter(({ operation }) => operation.includes('LeadOpportunit'));
  return requests.flatMap(({ status, time }, place) => {
    if (status !== 429) return [];
    const since = (later: string): number => Date.parse(later) - Date.parse(time);
    const next = requests.slice(place + 1).find((each) => since(each.time) > underWayMs);
    if (next === undefined) return [];
    const waitedMs = since(next.time);
    return waitedMs >= LEAST_RESET_MS
      ? []
      : [`QUO: ${next.operation} ${waitedMs} ms after a 429 at ${time.slice(11, 23)}`];
  });
}
