import { workflowIds } from '../../temporal.config.ts';
import type { Stack } from '../support/stack/stack.ts';

/** Steps shorter than this are left out. */
const LONG_MS = 500;

/**
 * Where a record's change stayed, from its first wake-up on: each long step of its workflow's history, by the event that ended it.
 * `since` is when the change was made, milliseconds since 1970.
 */
export async function whereTimeWent(
  { client, tenant }: Stack,
  crmId: string,
  since: number,
): Promise<readonly string[]> {
  const handle = client.workflow.getHandle(workflowIds.syncOpportunity(tenant, crmId));
  const { events } = await handle.fetchHistory();
  const { raw } = await handle.describe();
  let before = since;
  const steps = (events ?? []).flatMap((event) => {
    const at = msOf(event.eventTime);
    const took = at - before;
    before = at;
    const activity = event.activityTaskScheduledEventAttributes?.activityType?.name ?? '';
    return took < LONG_MS ? [] : [`${Math.round(took)} ms until ${nameOf(event)} ${activity}`.trim()];
  });
  const pending = (raw.pendingActivities ?? []).map(
    ({ activityType, attempt, lastStartedTime, scheduledTime, ...of }) => {
      const [scheduled, started] = [msOf(scheduledTime), msOf(lastStartedTime)].map((at) => Math.round(at - since));
      const failure = of.lastFailure?.message ?? 'no failure';
      return `${activityType?.name} under way, attempt ${attempt}, scheduled at ${scheduled} ms, started at ${started} ms, ${failure}`;
    },
  );
  return [...steps, ...pending];
}

type Stamp = { readonly seconds?: unknown; readonly nanos?: number | null } | null | undefined;

function msOf(stamp: Stamp): number {
  return Number(stamp?.seconds ?? 0) * 1000 + (stamp?.nanos ?? 0) / 1e6;
}

/** The attributes' name says which kind of event it is. */
function nameOf(event: object): string {
  const name = Object.entries(event).find(([key, value]) => key.endsWith('EventAttributes') && value !== null);
  return name?.[0].replace('EventAttributes', '') ?? 'an event';
}
