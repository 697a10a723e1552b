/**
 * Measures the memory of a worker and a receiver that are busy, of the packed connector or of the checkout: `npm run bench:memory
 * [-- --records N] [--checkout] [--json]`. Edits N deals on either side, several times, on a stack of its own. Exit code 2 if a limit is
 * exceeded. Works on Linux only.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildConnector } from '../scripts/package/build-connector.mjs';
import { scriptOptions } from '../scripts/setup/script-options.mjs';
import { linked } from './engine/bulk.ts';
import { isHeld, type Measured, table } from './engine/table.ts';
import { openWorld, type World } from './engine/world.ts';
import { residentOf } from './memory/resident.ts';
import { changeAll } from './profile/load.ts';
import { processorMs } from './profile/processor-time.ts';

/** MB before decision 75. */
const BEFORE = { worker: 500, receiver: 197 } as const;
/** How much of it is allowed. */
const RATIO = 0.6;
const NAMES = ['worker', 'receiver'] as const;
/** How often all deals are edited on both sides. */
const ROUNDS = 3;

const { records, checkout, json } = scriptOptions('bench:memory');
const built = await mkdtemp(join(tmpdir(), 'lockstep-memory-'));
const rows: Measured[] = [];
try {
  if (!checkout) await buildConnector(built);
  const program = checkout ? {} : { program: join(built, 'src', 'cli', 'connector-main.js') };
  const world = await openWorld({ records, inspected: true, ...program });
  try {
    rows.push(...(await memoryOf(world, 'idle', false)));
    const deals = await linked(world);
    const before = NAMES.map((name) => processorMs(world[name].pid) ?? Number.NaN);
    for (let round = 0; round < ROUNDS; round += 1) await changeAll(world, deals, 'by-lane', `ROUND-${round}`);
    const after = NAMES.map((name) => processorMs(world[name].pid) ?? Number.NaN);
    rows.push(...(await memoryOf(world, 'busy', true)));
    for (const [at, name] of NAMES.entries()) {
      const measured = ((after[at] ?? Number.NaN) - (before[at] ?? Number.NaN)) / (2 * ROUNDS * deals.length);
      rows.push({ scenario: `${name}, busy`, what: 'ms of processor time a change', measured, limit: null });
    }
  } finally {
    await world.stop();
  }
} finally {
  await rm(built, { recursive: true, force: true });
}
process.stdout.write(json ? `${JSON.stringify(rows)}\n` : table(rows));
process.exitCode = rows.every(isHeld) ? 0 : 2;

async function memoryOf(world: World, state: string, isLimited: boolean): Promise<readonly Measured[]> {
  const found: Measured[] = [];
  for (const name of NAMES) {
    const { pid, inspector } = world[name];
    const { peak, heap, used, code, native } = await residentOf(pid, inspector ?? '');
    const scenario = `${name}, ${state}`;
    found.push(
      { scenario, what: 'MB at its peak', measured: peak, limit: null },
      { scenario, what: `peak of ${BEFORE[name]} MB`, measured: peak / BEFORE[name], limit: isLimited ? RATIO : null },
      { scenario, what: "MB of V8's heaps", measured: heap, limit: null },
      { scenario, what: 'MB in use in them', measured: used, limit: null },
      { scenario, what: "MB of programs' code", measured: code, limit: null },
      { scenario, what: 'MB of anything else', measured: native, limit: null },
    );
  }
  return found;
}
