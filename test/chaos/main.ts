/** `npm run chaos -- --seed S --records N --kills K --seconds T`: kills the stack's processes under load. */
import { parseArgs } from 'node:util';
import { watchShutdown } from '../../src/platform/shutdown.ts';
import { runChaos } from './run-chaos.ts';

const DEFAULTS = { records: '300', kills: '24', seconds: '180' } as const;
const CALM_LIMIT_MS = 600_000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    records: { type: 'string', default: DEFAULTS.records },
    kills: { type: 'string', default: DEFAULTS.kills },
    seconds: { type: 'string', default: DEFAULTS.seconds },
  },
});

const startedAt = performance.now();
const tell = (line: string): void => {
  const at = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(7);
  process.stdout.write(`${at} s  ${line}\n`);
};

const shutdown = watchShutdown();
tell(`seed ${values.seed}; give it again with: npm run chaos -- --seed ${values.seed}`);
const { problems, summary } = await runChaos({
  seed: values.seed,
  records: Number(values.records),
  kills: Number(values.kills),
  loadMs: Number(values.seconds) * 1000,
  calmLimitMs: CALM_LIMIT_MS,
  tell,
  signal: shutdown.signal,
});
shutdown.dispose();
tell(summary);
for (const problem of problems) tell(`NOT HELD: ${problem}`);
tell(problems.length === 0 ? 'every invariant held' : `${problems.length} problems; seed ${values.seed}`);
process.exitCode = problems.length === 0 ? 0 : 1;
