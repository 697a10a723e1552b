import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fuzzRemotes } from '../fuzz/fuzz-remotes.ts';
import { notLivedThrough } from '../fuzz/judge.ts';

/**
 * Half a minute of `npm run fuzz:remotes`: both remotes of one tenant answer anything, and its sender floods. The changes of the
 * other get through, and worker and receiver live. How long a change takes is judged by the command alone, since other tests run
 * beside this one.
 */
const home = await mkdtemp(join(tmpdir(), 'lockstep-remotes-'));
afterAll(() => rm(home, { recursive: true, force: true }));

test('the other tenant’s changes get through while both remotes of one answer anything', async () => {
  const seed = String(Date.now() % 1_000_000);
  const lines: string[] = [`seed ${seed}`];
  const tell = (line: string): void => void lines.push(line);
  const signal = AbortSignal.timeout(120_000);
  const options = { seed, minutes: 0.5, roundMs: 7_500, home, tell, signal };
  const seen = await fuzzRemotes(options);

  expect(notLivedThrough(seen), lines.join('\n')).toEqual([]);
  expect(seen.alone.length).toBeGreaterThan(1);
  expect(seen.beside.length).toBeGreaterThan(1);
}, 300_000);
