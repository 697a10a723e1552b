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
import { type Direction, measuredBurst, measuredLone, measuredNothing } from './peers/measured.ts';
import { PEERS } from './peers/started.ts';

const LIMIT_MS = 600_000;
const DIRECTIONS: readonly Direction[] = ['pull', 'push'];

const { records, lone, rounds, json } = scriptOptions('bench:peers');
const world = await openWorld({ records, shippedOverlap: true });
const rows: Measured[] = [];
try {
  const deals = await linked(world);
  await world.poll();
  await world.quiet(LIMIT_MS);
  await Promise.all([world.worker.end(), world.receiver.end()]);
  for (let round = 1; round <= rounds; round += 1)
    for (const [name, start] of Object.entries(PEERS)) {
      process.stderr.write(`bench: ${name}, round ${round} of ${rounds}\n`);
      const peer = await start(world);
      try {
        const textOf = (more: string): string => `${name}-${round}-${more}`.toUpperCase().replaceAll(/\W+/g, '-');
        // One-time work of a process, such as compiling, is not part of a change.
        for (const direction of DIRECTIONS)
          await measuredBurst(world, deals, { peer, name, direction, value: textOf('warm') });
        for (const direction of DIRECTIONS) {
          const work = { peer, name, direction };
          rows.push(...(await measuredBurst(world, deals, { ...work, value: textOf('burst') })));
          const some = deals.slice(0, lone);
          const single = { ...work, value: textOf('lone') };
          if (some.length > 0)
            rows.push(...(await measuredNothing(world, some, single)), ...(await measuredLone(world, some, single)));
        }
      } finally {
        await peer.stop();
      }
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
