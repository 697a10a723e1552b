/**
 * Measures the disk space of the packed connector and of a checkout, each installed in an empty folder: `npm run bench:size [-- --only
 * NAME] [--most N] [--json]`. Lists the largest packages. Exit code 2 if one takes more than it may.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptOptions } from '../scripts/setup/script-options.mjs';
import { isHeld, type Measured, table } from './engine/table.ts';
import { bytesOf, installedCheckout, installedConnector, type PackageSize, packageSizes } from './size/installed.ts';

const MB = 1_000_000;

type Installed = {
  readonly install: (work: string) => Promise<string>;
  /** MB before decision 75. */
  readonly before: number;
  /** How much of it is allowed. */
  readonly ratio: number;
};

const INSTALLED: Readonly<Record<string, Installed>> = {
  connector: { install: installedConnector, before: 409, ratio: 0.6 },
  checkout: { install: installedCheckout, before: 973, ratio: 0.65 },
};

const { only, most, json } = scriptOptions('bench:size');
const names = Object.keys(INSTALLED).filter((name) => only.length === 0 || only.some((wanted) => wanted === name));
const work = await mkdtemp(join(tmpdir(), 'lockstep-size-'));
const rows: Measured[] = [];
try {
  for (const name of names) {
    process.stderr.write(`bench: ${name}\n`);
    const { install, before, ratio } = INSTALLED[name] as Installed;
    const folder = await install(work);
    const measured = bytesOf(folder) / MB;
    rows.push(
      { scenario: name, what: 'MB', measured, limit: null },
      { scenario: name, what: `of ${before} MB`, measured: measured / before, limit: ratio },
      ...packageSizes(folder)
        .slice(0, most)
        .map((size) => rowOf(name, size)),
    );
  }
} finally {
  await rm(work, { recursive: true, force: true });
}
process.stdout.write(json ? `${JSON.stringify(rows)}\n` : table(rows));
process.exitCode = rows.every(isHeld) ? 0 : 2;

function rowOf(scenario: string, { name, bytes }: PackageSize): Measured {
  return { scenario, what: `MB of ${name}`, measured: bytes / MB, limit: null };
}
