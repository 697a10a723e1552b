import { POLLED_STREAMS } from '../../src/domain/streams/streams.ts';
import { cadenceOf } from '../../src/platform/stream-rhythm.ts';
import { ACTIONS, type IdleFleet, type TemporalCosts } from './idle-fleet.ts';

const HOUR = 3_600_000;
/** Events of a workflow that runs activities one after another, and events of each activity. */
const [EVENTS, EVENTS_OF_ACTIVITY] = [5, 6];

/** One schedule per tenant and stream with the stream's interval. A poll also wakes records that are overdue. */
export async function bySchedules(
  { names, tenant, clock, read, wakeOverdue }: IdleFleet,
  hours: number,
): Promise<TemporalCosts> {
  let [workflows, activities] = [0, 0];
  const beginMs = clock.ms;
  const due = names.flatMap((name) =>
    POLLED_STREAMS.flatMap((stream) => {
      const { everyMs } = cadenceOf(tenant(name), stream);
      const times = Math.floor((hours * HOUR) / everyMs);
      return Array.from({ length: times }, (_, n) => ({ name, stream, atMs: beginMs + (n + 1) * everyMs }));
    }),
  );
  for (const { name, stream, atMs } of due.sort((one, other) => one.atMs - other.atMs)) {
    clock.ms = atMs;
    workflows += 1;
    for (let more = true; more; activities += 1) ({ more } = await read(stream, { tenant: name }));
    if (stream !== 'pollVendor') continue;
    await wakeOverdue({ tenant: name });
    activities += 1;
  }
  return {
    ...{ workflows, activities, events: EVENTS * workflows + EVENTS_OF_ACTIVITY * activities },
    actions: ACTIONS.schedule * workflows + ACTIONS.activity * activities,
  };
}
