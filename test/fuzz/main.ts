/** `npm run fuzz:remotes -- --minutes N --seed S`: both remotes of one tenant answer anything; the other must not notice. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptOptions } from '../../scripts/setup/script-options.mjs';
import { watchShutdown } from '../../src/platform/shutdown.ts';
import { fuzzRemotes } from './fuzz-remotes.ts';
import { problemsOf } from './judge.ts';

const ROUND_MS = 30_000;

const { minutes, ...given } = scriptOptions('fuzz:remotes');
const seed = given.seed || String(Date.now() % 1_000_000);

const tell = (line: string): void => void process.stdout.write(`${line}\n`);
const home = await mkdtemp(join(tmpdir(), 'lockstep-fuzz-'));
const shutdown = watchShutdown();
tell(`seed ${seed}; give it again with: npm run fuzz:remotes -- --seed ${seed}`);
const { signal } = shutdown;
const seen = await fuzzRemotes({ seed, minutes, roundMs: ROUND_MS, home, tell, signal });
const problems = problemsOf(seen);
shutdown.dispose();
await rm(home, { recursive: true, force: true });
for (const problem of problems) tell(`NOT HELD: ${problem}`);
tell(problems.length === 0 ? 'the other tenant noticed nothing' : `${problems.length} problems; seed ${seed}`);
process.exitCode = problems.length === 0 ? 0 : 1;
