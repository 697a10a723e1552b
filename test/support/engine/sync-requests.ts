import type { Story } from './story.ts';
import type { World } from './world.ts';

/** The time between requests that leave at once, by the story's clock. */
const UNDER_WAY_MS = 35;

/** The shortest wait that a story's vendor demands, whether it says so or not. */
const LEAST_RESET_MS = 2_000;

const UNSTEADY: ReadonlySet<string> = new Set(['pause', 'overlap', 'lose']);

/** Whether a story pauses no worker: a worker that paused between asking the gate and sending does not know later answers. */
export function leavesWorkersAlone({ happenings }: Pick<Story, 'happenings'>): boolean {
  return !happenings.some(({ kind }) => UNSTEADY.has(kind));
}

/**
 * QUO: after the vendor has answered "too many", in whatever form, the tenant's records send nothing before the end of its window. Requests
 * that were under way with the refused one do not count: at most `width` leave at once.
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
