/**
 * Checks the sync engine's limits on the real stack: `npm run bench:engine [-- --json] [--only NAME] [--records N]`. Counts come from the
 * simulators' request logs and from workflow histories; limits of time and memory are ratios of two measurements in the same run. Exit code
 * 2 if a limit is exceeded.
 */
import { scriptOptions } from '../scripts/setup/script-options.mjs';
import { bulk } from './engine/bulk.ts';
import { delay } from './engine/delay.ts';
import { heap } from './engine/heap.ts';
import { hotEdits, manySignals } from './engine/hot.ts';
import { lone } from './engine/lone.ts';
import { poison } from './engine/poison.ts';
import { scripts } from './engine/scripts.ts';
import { shipped } from './engine/shipped.ts';
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
  delay,
  shipped,
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
    // Printed at once, because a later scenario may take long and be stopped by the user.
    if (names.length > 1) process.stderr.write(table(found));
    rows.push(...found);
  }
} finally {
  await world.stop();
}
process.stdout.write(json ? `${JSON.stringify(rows)}\n` : table(rows));
process.exitCode = rows.every(isHeld) ? 0 : 2;
