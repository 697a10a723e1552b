/**
 * Measures the memory of a worker and a receiver that are busy: `npm run bench:memory [-- --records N] [--json]`. Edits N deals on either
 * side, several times, on a stack of its own. Exit code 2 if a limit is exceeded. Works on Linux only.
 */
import { scriptOptions } from '../scripts/setup/script-options.mjs';
import { linked } from './engine/bulk.ts';
import { isHeld, type Measured, table } from './engine/table.ts';
import { openWorld } from './engine/world.ts';
import { residentOf } from './memory/resident.ts';
import { changeAll } from './profile/load.ts';

/** MB at most: 0.6 of the 500 and 197 MB that they took before decision 75. */
const LIMITS = { worker: 300, receiver: 118 } as const;
/** How often all deals are edited on both sides; memory does not grow much after the second time. */
const ROUNDS = 3;

const { records, json } = scriptOptions('bench:memory');
const world = await openWorld({ records, inspected: true });
const rows: Measured[] = [];
try {
  rows.push(...(await measured('idle', null)));
  const deals = await linked(world);
  for (let round = 0; round < ROUNDS; round += 1) await changeAll(world, deals, 'by-lane', `ROUND-${round}`);
  rows.push(...(await measured('busy', LIMITS)));
} finally {
  await world.stop();
}
process.stdout.write(json ? `${JSON.stringify(rows)}\n` : table(rows));
process.exitCode = rows.every(isHeld) ? 0 : 2;

async function measured(state: string, limits: typeof LIMITS | null): Promise<readonly Measured[]> {
  const found = [];
  for (const name of ['worker', 'receiver'] as const) {
    const { pid, inspector } = world[name];
    const { peak, heap, used, code, native } = await residentOf(pid, inspector ?? '');
    const scenario = `${name}, ${state}`;
    found.push(
      { scenario, what: 'MB at its peak', measured: peak, limit: limits?.[name] ?? null },
      { scenario, what: "MB of V8's heaps", measured: heap, limit: null },
      { scenario, what: 'MB in use in them', measured: used, limit: null },
      { scenario, what: "MB of programs' code", measured: code, limit: null },
      { scenario, what: 'MB of anything else', measured: native, limit: null },
    );
  }
  return found;
}
