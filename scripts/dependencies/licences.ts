import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../setup/paths.mjs';

type Locked = {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
};

/** An installed package in all its versions. */
export type LicensedPackage = {
  readonly name: string;
  readonly versions: readonly string[];
  readonly licence: string;
  /** Only needed to build and test. */
  readonly isForDevelopment: boolean;
};

/** Licences that permit use, change and redistribution if the authors are named. */
export const ALLOWED: readonly string[] = [
  ...[
    '0BSD',
    'Apache-2.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'BlueOak-1.0.0',
    'ISC',
    'MIT',
    'MIT-0',
    'Unlicense',
    'Zlib',
  ],
  // The table of countries and similar data, used with attribution as its authors demand.
  'CC-BY-4.0',
];
/**
 * Also acceptable for tools, which are neither changed nor redistributed: MPL demands the sources of changes, and CC0 grants no patent
 * rights.
 */
export const ALLOWED_FOR_TOOLS: readonly string[] = [...ALLOWED, 'CC0-1.0', 'MPL-2.0'];

/** Licences of packages whose manifest names none, read from their licence files. */
const BY_THEIR_FILE: Readonly<Record<string, string>> = { exit: 'MIT', unionfs: 'Unlicense' };

/** All packages of the lock file by name. A package for several platforms is listed once for each. */
export function licensedPackages(): readonly LicensedPackage[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const found = new Map<string, LicensedPackage>();
  for (const [path, locked] of Object.entries(lock.packages as Record<string, Locked>)) {
    // Skips this repository itself and its workspaces.
    if (!path.includes('node_modules/') || locked.link === true) continue;
    const name = path.replace(/^.*node_modules\//, '');
    const licence = locked.license ?? BY_THEIR_FILE[name] ?? 'none';
    const known = found.get(`${name} ${licence}`);
    found.set(`${name} ${licence}`, {
      name,
      versions: [...new Set([...(known?.versions ?? []), locked.version ?? ''])].toSorted(),
      licence,
      isForDevelopment: (known?.isForDevelopment ?? true) && locked.dev === true,
    });
  }
  return [...found.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/**
 * True if one of the licences that the expression offers as alternatives is allowed, or if all licences that it demands together are
 * allowed.
 */
export function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  const choices = plain.split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((one) => allowed.includes(one)));
}

/** The content of `docs/licences.md`. */
export function licencesPage(): string {
  const packages = licensedPackages();
  const running = packages.filter(({ isForDevelopment }) => !isForDevelopment);
  const tools = packages.filter(({ isForDevelopment }) => isForDevelopment);
  return `# Licences of what is installed

This page is made from \`package-lock.json\` by \`npm run docs:licences\`; a test compares both and lets in no licence that is
not allowed (\`scripts/dependencies/licences.ts\`).

## To run

${table(running)}

## To build and test

${table(tools)}
`;
}

function table(packages: readonly LicensedPackage[]): string {
  const byLicence = Object.groupBy(packages, ({ licence }) => licence);
  const rows = Object.entries(byLicence).toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  return rows
    .map(([licence, all = []]) => {
      const names = all.map(({ name, versions }) => `${name} ${versions.join(' and ')}`);
      return `**${licence}** (${all.length}): ${names.join(', ')}.`;
    })
    .join('\n\n');
}
