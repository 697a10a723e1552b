/**
 * The limits of the sync engine, measured on the real stack: `npm run bench:engine [-- --json] [--only NAME]
 * [--records N]`. Numbers are counted in the simulators' request logs and in workflow histories; what has to do with time
 * or memory is a ratio of two measurements of the same run. Ends with 2 when a limit does not hold.
 */
import { scriptOptions } from '../scripts/setup/script-options.mjs';
import { bulk } from './engine/bulk.ts';
import { heap } from './engine/heap.ts';
import { hotEdits, manySignals } from './engine/hot.ts';
import { lone } from './engine/lone.ts';
import { poison } from './engine/poison.ts';
import { scripts } from './engine/scripts.ts';
import { steady } from './engine/steady.ts';
import { isHeld, type Measured, table } from './engine/table.ts';
import { openWorld, type World } from './engine/world.ts';

const SCENARIOS: Readonly<Record<string, (world: World) => Promise<readonly Measured[]>>> = {
  lone,
  edits: hotEdits,
  signals: manySignals,
  poison,
  steady,
  bulk,
  heap,
  scripts,
};

const { only, records, json } = scriptOptions('bench:engine');
const names = Object.keys(SCENARIOS).filter((name) => only.length === 0 || only.some((wanted) => wanted === name));
const rows: Measured[] = [];
const world = await openWorld({ records });
try {
  for (const name of names) {
    process.stderr.write(`bench: ${name}\n`);
    const found = (await SCENARIOS[name]?.(world)) ?? [];
    // Told at once: a later one may take long, and be ended.
    if (names.length > 1) process.stderr.write(table(found));
    rows.push(...found);
  }
} finally {
  await world.stop();
}
process.stdout.write(json ? `${JSON.stringify(rows)}\n` : table(rows));
process.exitCode = rows.every(isHeld) ? 0 : 2;
