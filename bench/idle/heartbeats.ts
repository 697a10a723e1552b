import { setTimeout as pause } from 'node:timers/promises';
import { RUN_MS } from '../../src/worker/schedules.ts';
import { workflowIds } from '../../temporal.config.ts';
import { until } from '../../test/support/until.ts';
import { openWorld } from '../engine/world.ts';

/** How long the heartbeats of a run are counted, and how often the server is asked for the last one. */
const [COUNTED_MS, ASKED_EVERY_MS] = [60_000, 250];

/** How many heartbeats one run of a shard sends to the Temporal server. Counts those of a real worker for a minute. */
export async function heartbeatsOfRun(): Promise<number> {
  const world = await openWorld({ records: 1 });
  try {
    const { client } = world.stack;
    const activity = async () => {
      const { info } = await client.schedule.getHandle(workflowIds.readTenants(0)).describe();
      const workflow = info.runningActions.at(-1)?.workflow;
      if (workflow === undefined) return null;
      const { raw } = await client.workflow.getHandle(workflow.workflowId).describe();
      return raw.pendingActivities?.[0];
    };
    const lastBeat = async (): Promise<string | null> => {
      const beat = (await activity())?.lastHeartbeatTime;
      return beat == null ? null : `${beat.seconds}.${beat.nanos}`;
    };
    await until('a worker reads the shard', async () => (await activity())?.lastStartedTime != null);
    const beats = new Set<string>();
    const before = await lastBeat();
    for (const endMs = Date.now() + COUNTED_MS; Date.now() < endMs; await pause(ASKED_EVERY_MS)) {
      const beat = await lastBeat();
      if (beat !== null && beat !== before) beats.add(beat);
    }
    return (beats.size * RUN_MS) / COUNTED_MS;
  } finally {
    await world.stop();
  }
}
