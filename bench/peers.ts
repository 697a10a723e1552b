/**
 * Compares Lockstep with what people would use instead: a plain script, and a plain Temporal workflow for each change. All do the same work
 * against the same simulators: `npm run bench:peers [-- --records N] [--lone N] [--rounds N] [--json]`. They take turns (A B C A B C), so
 * that a slower moment of the machine meets all of them. Exit code 2 if Lockstep takes more than its limit.
 */
import { scriptOptions } from '../scripts/setup/script-options.mjs';
import { linked } from './engine/bulk.ts';
import { isHeld, type Measured, table } from './engine/table.ts';
import { openWorld } from './engine/world.ts';
import { compared } from './peers/compared.ts';
import { type Direction, measuredBurst, measuredLone } from './peers/measured.ts';
import { PEERS } from './peers/started.ts';

const LIMIT_MS = 600_000;
const DIRECTIONS: readonly Direction[] = ['pull', 'push'];

const { records, lone, rounds, json } = scriptOptions('bench:peers');
const world = await openWorld({ records });
const rows: Measured[] = [];
try {
  const deals = await linked(world);
  await world.poll();
  await world.quiet(LIMIT_MS);
  await Promise.all([world.worker.end(), world.receiver.end()]);
  for (let round = 0; round <= rounds; round += 1)
    for (const [name, start] of Object.entries(PEERS)) {
      process.stderr.write(`bench: ${name}, ${round === 0 ? 'first calls, which do not count' : `round ${round}`}\n`);
      const peer = await start(world);
      for (const direction of DIRECTIONS) {
        const value = `${name}-${round}`.toUpperCase().replaceAll(/\W+/g, '-');
        const burst = await measuredBurst(world, deals, { peer, name, direction, value });
        const some = deals.slice(0, lone);
        const work = { peer, name, direction, value: `${value}-LONE` };
        const single = some.length === 0 ? [] : await measuredLone(world, some, work);
        if (round > 0) rows.push(...burst, ...single);
      }
      await peer.stop();
    }
} finally {
  await world.stop();
}
const meanRows = means(rows);
const shown = [...meanRows, ...compared(meanRows)];
process.stdout.write(json ? `${JSON.stringify(shown)}\n` : table(shown));
process.exitCode = shown.every(isHeld) ? 0 : 2;

/** The mean of each number over the rounds. */
function means(all: readonly Measured[]): readonly Measured[] {
  const groups = Map.groupBy(all, ({ scenario, what }) => `${scenario}\n${what}`);
  return [...groups.values()].map((group) => ({
    ...(group[0] as Measured),
    measured: group.reduce((total, { measured }) => total + measured, 0) / group.length,
  }));
}
