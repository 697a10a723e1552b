import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hashOf, ownBuild } from '../../src/platform/build.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-build-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('a hash rests on the name and content of every file', async () => {
  await mkdir(join(folder, 'a'));
  await writeFile(join(folder, 'a', 'one.ts'), '1');
  const hashes = [await hashOf(folder, ['a'])];
  expect(await hashOf(folder, ['a'])).toBe(hashes[0]);
  await writeFile(join(folder, 'a', 'one.ts'), '2');
  hashes.push(await hashOf(folder, ['a']));
  await rm(join(folder, 'a', 'one.ts'));
  await writeFile(join(folder, 'a', 'two.ts'), '2');
  hashes.push(await hashOf(folder, ['a']));
  await writeFile(join(folder, 'lone.ts'), '');
  hashes.push(await hashOf(folder, ['a', 'lone.ts']));
  hashes.push(await hashOf(folder, ['a', 'absent.ts']));
  expect(new Set(hashes).size).toBe(hashes.length);
});

it('the same files are the same build, wherever they are, and a change makes another', async () => {
  const builds = [];
  for (const [place, code] of [
    ['one', 'a'],
    ['two', 'a'],
    ['three', 'b'],
  ] as const) {
    await mkdir(join(folder, place, 'src'), { recursive: true });
    await writeFile(join(folder, place, 'package.json'), '{"version":"1.2.3"}');
    await writeFile(join(folder, place, 'src', 'main.js'), code);
    builds.push(await ownBuild(join(folder, place)));
  }
  expect(builds[1]).toEqual(builds[0]);
  expect(builds[2]).not.toEqual(builds[0]);
  expect(builds[0]).toEqual({ version: '1.2.3', buildId: expect.stringMatching(/^[0-9a-f]{12}$/) });
});
