import type { Story } from './story.ts';
import type { World } from './world.ts';

/** The time between requests that leave at once, by the story's clock. */
const UNDER_WAY_MS = 35;

/** What Lockstep waits at least after a 429, and what a vendor that says nothing can expect. */
const [LEAST_WAIT_MS, USUAL_WAIT_MS] = [1_000, 2_000];

const UNSTEADY: ReadonlySet<string> = new Set(['pause', 'overlap', 'lose']);

/** Whether a story pauses no worker: a worker that paused between asking the gate and sending does not know later answers. */
export function leavesWorkersAlone({ happenings }: Pick<Story, 'happenings'>): boolean {
  return !happenings.some(({ kind }) => UNSTEADY.has(kind));
}

/** The shortest wait after a 429 that a story's vendor demands: the later of both counts of its headers, but never less than a second. */
export function shortestWaitMs({ happenings }: Pick<Story, 'happenings'>): number {
  const demands = happenings.flatMap((item) => {
    if (item.kind !== 'vendor fault' || item.fault['status'] !== 429) return [];
    const counts = [item.fault['resetSeconds'], item.fault['retryAfterSeconds']].filter((count) => count !== undefined);
    return counts.length === 0 ? [] : [1_000 * Math.max(...counts.map(Number))];
  });
  return Math.max(LEAST_WAIT_MS, Math.min(USUAL_WAIT_MS, ...demands));
}

/**
 * QUO: after the vendor has answered "too many", in whatever form, the tenant's records send nothing before the wait is over. Requests
 * that were under way with the refused one do not count: at most `width` leave at once.
 */
export async function unheeded(world: World, width: number, leastMs: number): Promise<readonly string[]> {
  const underWayMs = (width - 1) * UNDER_WAY_MS;
  const requests = (await world.vendor.requests()).filter(({ operation }) => operation.includes('LeadOpportunit'));
  return requests.flatMap(({ status, time }, place) => {
    if (status !== 429) return [];
    const since = (later: string): number => Date.parse(later) - Date.parse(time);
    const next = requests.slice(place + 1).find((each) => since(each.time) > underWayMs);
    if (next === undefined) return [];
    const waitedMs = since(next.time);
    return waitedMs >= leastMs ? [] : [`QUO: ${next.operation} ${waitedMs} ms after a 429 at ${time.slice(11, 23)}`];
  });
}
