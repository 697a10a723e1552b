/**
 * Where the time of a change goes, on the real stack: `npm run profile [-- --records N] [--json] [--out FOLDER]`. Changes are made on
 * both sides of N deals; the worker's threads are sampled meanwhile, and the processor time of the worker, the receiver, PostgreSQL and
 * Temporal's server is read. Writes a flame graph that opens without network, and the profile that it shows.
 */
import { resolve } from 'node:path';
import { scriptOptions } from '../scripts/setup/script-options.mjs';
import { openWorld } from './engine/world.ts';
import { writeFlameGraphs } from './profile/flame-graph.ts';
import { changeAll, openDeals } from './profile/load.ts';
import type { CpuProfile } from './profile/parts.ts';
import { processorMs, threadsMs } from './profile/processor-time.ts';
import { sampled } from './profile/sample.ts';
import { rowsOf, shareTable, type Taken } from './profile/shares.ts';

const { records, json, out } = scriptOptions('profile');
const world = await openWorld({ records, inspected: true });
try {
  process.stderr.write(`profile: ${records} deals are made\n`);
  const deals = await openDeals(world);
  // What a process does once, such as compiling, is no part of a change.
  await changeAll(world, deals, 'WARM');
  process.stderr.write('profile: samples are taken\n');
  let changes = 0;
  const before = takenSoFar();
  const profiles = await sampled(world.worker.inspector ?? '', async () => {
    changes = await changeAll(world, deals, 'SAMPLED');
  });
  const rows = rowsOf(profiles, since(before, takenSoFar()), changes);
  const pages = await writeFlameGraphs(resolve(out), named(profiles));
  process.stdout.write(json ? `${JSON.stringify({ changes, rows, pages })}\n` : shareTable(rows));
  process.stderr.write(`profile: of ${changes} changes; flame graphs: ${pages.join(', ')}\n`);
} finally {
  await world.stop();
}

function takenSoFar(): Taken {
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

/** The first is the main thread's; the others run workflows. */
function named([main, ...workflows]: readonly CpuProfile[]): Readonly<Record<string, CpuProfile>> {
  const others = workflows.map((profile, index) => [`workflows-${index + 1}`, profile] as const);
  return Object.fromEntries([...(main === undefined ? [] : [['activities', main] as const]), ...others]);
}
