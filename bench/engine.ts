/**
 * The limits of the sync engine, measured on the real stack: `npm run bench:engine [-- --json] [--only NAME]
 * [--records N]`. Numbers are counted in the simulators' request logs and in workflow histories; what has to do with time
 * or memory is a ratio of two measurements of the same run. Ends with 2 when a limit does not hold.
 */
import { parseArgs } from 'node:util';
import { bulk } from './engine/bulk.ts';
import { heap } from './engine/heap.ts';
import { hotEdits, manySignals } from './engine/hot.ts';
import { lone } from './engine/lone.ts';
import { poison } from './engine/poison.ts';
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
};

const USAGE = `Measures the sync engine on a stack of its own and holds it to its limits; ends with 2 when one does not hold.

  npm run bench:engine -- --only lone --only heap

  --only NAME    one of ${Object.keys(SCENARIOS).join(', ')}; all when absent
  --records N    vendor changes of the scenario bulk, 1000 when absent
  --json         rows for machines
`;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    records: { type: 'string', default: '1000' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(USAGE);
  process.exit();
}

const names = Object.keys(SCENARIOS).filter((name) => values.only.length === 0 || values.only.includes(name));
const rows: Measured[] = [];
const world = await openWorld({ records: Number(values.records) });
try {
  for (const name of names) {
    process.stderr.write(`bench: ${name}\n`);
    rows.push(...((await SCENARIOS[name]?.(world)) ?? []));
  }
} finally {
  await world.stop();
}
process.stdout.write(values.json ? `${JSON.stringify(rows)}\n` : table(rows));
process.exitCode = rows.every(isHeld) ? 0 : 2;
