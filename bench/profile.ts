/**
 * Shows where the time of a change goes, on the real stack: `npm run profile [-- --records N] [--only WAY] [--json] [--out FOLDER]`.
 * Changes both sides of N deals: each alone, and many together without and with the lane. Meanwhile it samples the worker's threads and
 * reads the processor time of the worker, the receiver, PostgreSQL and Temporal's server. Writes the profiles and flame graphs that open
 * without network.
 */
import { join, resolve } from 'node:path';
import { scriptOptions } from '../scripts/setup/script-options.mjs';
import { linked } from './engine/bulk.ts';
import { openWorld, type World } from './engine/world.ts';
import { writeFlameGraphs } from './profile/flame-graph.ts';
import { changeAll, WAY_NAMES, WAYS, type Way } from './profile/load.ts';
import type { CpuProfile } from './profile/parts.ts';
import { processorMs, threadsMs } from './profile/processor-time.ts';
import { sampled } from './profile/sample.ts';
import { type Profiled, rowsOf, shareTable, type Taken } from './profile/shares.ts';

const { records, only, json, out } = scriptOptions('profile');
const profiled: (Profiled & { readonly pages: readonly string[] })[] = [];
for (const way of only.length > 0 ? only : WAY_NAMES) profiled.push(await profile(way as Way));
process.stdout.write(json ? `${JSON.stringify(profiled)}\n` : shareTable(profiled));
process.stderr.write(`profile: flame graphs: ${profiled.flatMap(({ pages }) => pages).join(', ')}\n`);

/** Uses a separate stack for each way, because a worker learns at its start whether there is a lane. */
async function profile(way: Way): Promise<(typeof profiled)[number]> {
  const { says, lane } = WAYS[way];
  const world = await openWorld({ records, inspected: true, shippedOverlap: true, env: { LOCKSTEP_LANE: lane } });
  try {
    process.stderr.write(`profile: ${says}: ${records} deals are made\n`);
    const deals = await linked(world);
    // One-time work of a process, such as compiling, is not part of a change.
    await changeAll(world, deals, way, 'WARM');
    process.stderr.write(`profile: ${says}: samples are taken\n`);
    let changes = 0;
    const before = takenSoFar(world);
    const profiles = await sampled(world.worker.inspector ?? '', async () => {
      changes = await changeAll(world, deals, way, 'SAMPLED');
    });
    const rows = rowsOf(profiles, since(before, takenSoFar(world)), changes);
    return {
      way: says,
      changes,
      rows,
      pages: await writeFlameGraphs(join(resolve(out), way), named(profiles)),
    };
  } finally {
    await world.stop();
  }
}

function takenSoFar(world: World): Taken {
  return {
    temporalServer: processorMs(world.stack.temporal.pid()),
    postgres: processorMs(world.postgresPid),
    receiver: processorMs(world.receiver.pid),
    worker: threadsMs(world.worker.pid),
  };
}

function since(before: Taken, after: Taken): Taken {
  const less = (end: number | null, begin: number | null): number | null =>
    end === null || begin === null ? null : end - begin;
  const { worker } = after;
  return {
    temporalServer: less(after.temporalServer, before.temporalServer),
    postgres: less(after.postgres, before.postgres),
    receiver: less(after.receiver, before.receiver),
    worker: worker && new Map([...worker].map(([name, ms]) => [name, ms - (before.worker?.get(name) ?? 0)])),
  };
}

/** Names the profiles: the first is the main thread's, the others are the workflow threads'. */
function named([main, ...workflows]: readonly CpuProfile[]): Readonly<Record<string, CpuProfile>> {
  const others = workflows.map((profile, index) => [`workflows-${index + 1}`, profile] as const);
  return Object.fromEntries([...(main === undefined ? [] : [['activities', main] as const]), ...others]);
}
