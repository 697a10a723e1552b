import { cpSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { buildConnector } from '../../scripts/package/build-connector.mjs';
import { npm } from '../../scripts/package/try/npm.ts';
import { ROOT } from '../../scripts/setup/paths.mjs';
import { packagesIn } from '../../scripts/setup/spare-parts.mjs';

const QUIET = ['--no-audit', '--no-fund'];
/** What a checkout's folder contains besides its files: the results of set-up and builds, and the folder of version control. */
const MADE = /^(node_modules|\.git|\.lockstep|dist.*)$/;

/** Packs the connector and installs the package in an empty project, as an installation does. Returns the project's folder. */
export async function installedConnector(work: string): Promise<string> {
  const built = join(work, 'built-connector');
  await buildConnector(built);
  const [{ filename }] = JSON.parse(await npm(work, ['pack', '--json', built]));
  const project = join(work, 'connector');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
  await npm(project, ['install', '--omit=dev', ...QUIET, join(work, filename)]);
  return project;
}

/** Copies the checkout's files and installs its locked dependencies. Returns the copy's folder. */
export async function installedCheckout(work: string): Promise<string> {
  const folder = join(work, 'checkout');
  for (const name of readdirSync(ROOT).filter((entry) => !MADE.test(entry)))
    cpSync(join(ROOT, name), join(folder, name), {
      recursive: true,
      filter: (path) => basename(path) !== 'node_modules',
    });
  await npm(folder, ['ci', ...QUIET]);
  return folder;
}

/** The bytes of a folder, as `du -sb` counts them: of files and of folders themselves. */
export function bytesOf(folder: string): number {
  const inside = readdirSync(folder, { recursive: true, withFileTypes: true });
  return inside.reduce(
    (sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size,
    lstatSync(folder).size,
  );
}

export type PackageSize = { readonly name: string; readonly bytes: number };

/** Each package's bytes without the packages inside it, the largest first; several of one name are added. */
export function packageSizes(folder: string): readonly PackageSize[] {
  const sizes = new Map<string, number>();
  for (const { name, folder: at } of packagesIn(join(folder, 'node_modules'))) {
    const inside = packagesIn(join(at, 'node_modules')).filter(({ folder: inner }) => isDirectly(at, inner));
    const own = inside.reduce((left, { folder: inner }) => left - bytesOf(inner), bytesOf(at));
    sizes.set(name, (sizes.get(name) ?? 0) + own);
  }
  return [...sizes].map(([name, bytes]) => ({ name, bytes })).toSorted((a, b) => b.bytes - a.bytes);
}

/** Whether a package is in another's own `node_modules`, not in that of a package inside. */
function isDirectly(outer: string, inner: string): boolean {
  return relative(outer, inner).split('node_modules').length === 2;
}
