import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { ensureDependencies } from '../../scripts/setup/dependencies.mjs';
import { ensureNativeParts, wantedNode } from '../../scripts/setup/native-parts.mjs';
import { ROOT, setupPaths } from '../../scripts/setup/paths.mjs';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A package mirror serves what it likes. Node runs everything, so no program runs that has another checksum than the lock file's. */

const VERSION = '24.21.0';
const PLATFORM = `${process.platform}-${process.arch}`;
const NAME = `node-${PLATFORM}`;

type Locked = { readonly integrity?: string; readonly link?: true; readonly optional?: true };
const locked: Record<string, Locked> = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;

afterEach(() => vi.unstubAllEnvs());

it('every package of the lock file has a checksum', () => {
  const without = Object.entries(locked).filter(
    ([path, { integrity, link }]) =>
      path.startsWith('node_modules/') && link !== true && !/^sha512-/.test(integrity ?? ''),
  );
  expect(without.map(([path]) => path)).toEqual([]);
});

it.each(['linux-x64', 'linux-arm64'])('the program of Node for %s is a package of the lock file', (platform) => {
  const { name } = wantedNode(ROOT, platform);
  expect(locked[`node_modules/${name}`]).toMatchObject({ integrity: expect.stringMatching(/^sha512-/) });
});

/** A tarball whose program says that it is Node, and leaves a trace when it runs. */
function programTarball(folder: string, ran: string): Buffer {
  const home = join(folder, 'package');
  mkdirSync(join(home, 'bin'), { recursive: true });
  const manifest = {
    ...{ name: NAME, version: VERSION, os: [process.platform], cpu: [process.arch] },
    scripts: { install: `touch ${ran}`, postinstall: `touch ${ran}` },
    bin: { node: 'bin/node' },
  };
  writeFileSync(join(home, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(home, 'bin', 'node'), `#!/bin/sh\ntouch ${ran}\necho v${VERSION}\n`);
  chmodSync(join(home, 'bin', 'node'), 0o755);
  execFileSync('tar', ['-czf', join(folder, 'package.tgz'), '-C', folder, 'package']);
  return readFileSync(join(folder, 'package.tgz'));
}

const checksumOf = (bytes: Buffer): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

/** A project that locks this checksum, on a mirror that serves the tarball and says that its checksum is right. */
async function installed(expected: (tarball: Buffer) => string) {
  const root = temporaryFolder('lockstep-node');
  const ran = join(root, 'ran');
  const tarball = programTarball(root, ran);
  const mirror = createServer((request, response) => {
    if (request.url?.endsWith('.tgz') === true) return response.end(tarball);
    const dist = { tarball: `http://${request.headers.host}/${NAME}.tgz`, integrity: checksumOf(tarball) };
    const versions = { [VERSION]: { name: NAME, version: VERSION, dist } };
    return response.end(JSON.stringify({ name: NAME, versions }));
  });
  await new Promise<void>((settle) => {
    mirror.listen(0, '127.0.0.1', settle);
  });
  const manifest = { name: 'p', version: '1.0.0', optionalDependencies: { [NAME]: VERSION } };
  const entry = {
    hasInstallScript: true,
    ...{ version: VERSION, integrity: expected(tarball), optional: true },
    ...{ os: [process.platform], cpu: [process.arch], bin: { node: 'bin/node' } },
  };
  const packages = { '': manifest, [`node_modules/${NAME}`]: entry };
  writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    join(root, 'package-lock.json'),
    JSON.stringify({ ...manifest, lockfileVersion: 3, requires: true, packages }),
  );
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/`);
  vi.stubEnv('npm_config_cache', join(root, 'cache'));
  const paths = setupPaths(root);
  mkdirSync(join(root, '.lockstep', 'logs'), { recursive: true });
  try {
    const said = await ensureDependencies(paths, () => {})
      .then(() => expect(existsSync(ran)).toBe(false))
      .then(() => ensureNativeParts(paths))
      .catch((error: Error) => error.message);
    return { said, paths, ran: existsSync(ran) };
  } finally {
    mirror.close();
    mirror.closeAllConnections();
  }
}

it('a program with another checksum is neither installed nor run, and the next start tries again', async () => {
  const { said, paths, ran } = await installed(() => checksumOf(Buffer.from('the release')));
  expect(said).toMatch(/checksum/);
  expect([ran, existsSync(paths.node), existsSync(paths.stamp)]).toEqual([false, false, false]);
});

it('the program with the checksum of the lock file is used, and no script of its package ran', async () => {
  const { said, paths } = await installed(checksumOf);
  expect(said).toBe(paths.node);
  expect(realpathSync(paths.node)).toBe(join(realpathSync(paths.modules), NAME, 'bin', 'node'));
});

it('a platform without a locked program uses the Node of the machine, if it is as new', async () => {
  const root = temporaryFolder('lockstep-node');
  const project = (version: string) => {
    writeFileSync(
      join(root, 'package.json'),
      JSON.stringify({ optionalDependencies: { 'node-sunos-sparc': version } }),
    );
    return ensureNativeParts(setupPaths(root));
  };
  await expect(project('99.0.0')).rejects.toThrow(/install Node 99/);
  const own = await project(`${process.versions.node.split('.')[0]}.0.0`);
  expect(realpathSync(own)).toBe(realpathSync(process.execPath));
});
