import type { Story } from './story.ts';
import type { World } from './world.ts';

/** The least that a vendor of a story asks to be left alone for, whether it says so or not. */
const LEAST_RESET_MS = 2_000;

const UNSTEADY: ReadonlySet<string> = new Set(['pause', 'overlap', 'lose']);

/** Whether a story leaves each worker alone: one that stood still between asking the gate and sending knows of no later answer. */
export function leavesWorkersAlone({ happenings }: Pick<Story, 'happenings'>): boolean {
  return !happenings.some(({ kind }) => UNSTEADY.has(kind));
}

/**
 * QUO: once the vendor has said "too many", in whatever words, none of the tenant's records asks it anything before its
 * window ends.
 */
export async function unheeded(world: World): Promise<readonly string[]> {
  const requests = (await world.vendor.requests()).filter(({ operation }) =>
    operation.includes('LeadOpportunit'),
  );
  return requests.flatMap(({ status, time }, place) => {
    const next = requests[place + 1];
    if (status !== 429 || next === undefined) return [];
    const waitedMs = Date.parse(next.time) - Date.parse(time);
    return waitedMs >= LEAST_RESET_MS
      ? []
      : [`QUO: ${next.operation} ${waitedMs} ms after a 429 at ${time.slice(11, 23)}`];
  });
}
