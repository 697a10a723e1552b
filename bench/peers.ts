/**
 * Compares what people would use instead of Lockstep: a plain script, and a plain Temporal workflow for each change, on the same work
 * against the same simulators: `npm run bench:peers [-- --records N] [--rounds N] [--json]`. They take turns (A B C A B C), so that a
 * slower moment of the machine meets all of them. Exit code 2 if a final state is wrong.
 */
import { scriptOptions } from '../scripts/setup/script-options.mjs';
import { linked } from './engine/bulk.ts';
import { isHeld, type Measured, table } from './engine/table.ts';
import { openWorld } from './engine/world.ts';
import { type Direction, measuredBurst } from './peers/measured.ts';
import { PEERS } from './peers/started.ts';

const LIMIT_MS = 600_000;
const DIRECTIONS: readonly Direction[] = ['pull', 'push'];

const { records, rounds, json } = scriptOptions('bench:peers');
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
        const measured = await measuredBurst(world, deals, { peer, name, direction, value });
        if (round > 0) rows.push(...measured);
      }
      await peer.stop();
    }
} finally {
  await world.stop();
}
const shown = means(rows);
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
