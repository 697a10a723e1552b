import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../setup/paths.mjs';
import { exec } from './npm.ts';

const ORIGIN = 'https://a-token@github.com/acme/lockstep.git';
const REPOSITORY = { type: 'git', url: 'git+https://github.com/acme/lockstep.git' };
const BUILDS = ['build.mjs', 'build-simulators.mjs', 'build-connector.mjs'];

/** Packs in a clone of this checkout's commit whose origin is a git host. Rejects if the manifests do not name that host. */
export async function tryClone(folder: string): Promise<string> {
  await exec('git', ['clone', '--quiet', '--depth', '1', pathToFileURL(ROOT).href, folder]);
  await exec('git', ['-C', folder, 'remote', 'set-url', 'origin', ORIGIN]);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const build of BUILDS) {
    const built = join(folder, `built-by-${build}`);
    await exec(process.execPath, [join(folder, 'scripts', 'package', build), built]);
    const { repository } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
    if (JSON.stringify(repository) !== JSON.stringify(REPOSITORY)) {
      throw new Error(`${build} says ${JSON.stringify(repository)}`);
    }
  }
  return '';
}
