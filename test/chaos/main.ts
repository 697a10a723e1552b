/** `npm run chaos -- --seed S --records N --kills K --seconds T [--fleet]`: kills the stack's processes under load. */
import { scriptOptions } from '../../scripts/setup/script-options.mjs';
import { watchShutdown } from '../../src/platform/shutdown.ts';
import { runChaos } from './run-chaos.ts';
import { runFleet } from './run-fleet.ts';

const CALM_LIMIT_MS = 600_000;

const { records, kills, seconds, fleet, ...given } = scriptOptions('chaos');
const seed = given.seed || String(Date.now() % 1_000_000);

const startedAt = performance.now();
const tell = (line: string): void => {
  const at = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(7);
  process.stdout.write(`${at} s  ${line}\n`);
};

const shutdown = watchShutdown();
tell(`seed ${seed}; give it again with: npm run chaos -- --seed ${seed}${fleet ? ' --fleet' : ''}`);
const { problems, summary } = await (fleet ? runFleet : runChaos)({
  ...{ seed, records, kills },
  loadMs: seconds * 1000,
  calmLimitMs: CALM_LIMIT_MS,
  tell,
  signal: shutdown.signal,
});
shutdown.dispose();
tell(summary);
for (const problem of problems) tell(`NOT HELD: ${problem}`);
tell(problems.length === 0 ? 'every invariant held' : `${problems.length} problems; seed ${seed}`);
process.exitCode = problems.length === 0 ? 0 : 1;
