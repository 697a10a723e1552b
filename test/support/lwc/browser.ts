import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** Chromium from npm, on Linux; elsewhere the Chrome that is installed. */

const MODULES = join(import.meta.dirname, '..', '..', '..', 'node_modules');
/** As one process, the browser would end with its first window. */
const ARGS = chromium.args.filter((one) => one !== '--single-process');
const CACHE = join(MODULES, '.cache', 'chromium');

export async function openBrowser(): Promise<Browser> {
  if (process.platform !== 'linux') return playwright.launch({ channel: 'chrome' });
  return playwright.launch({ executablePath: await unpacked(), args: ARGS });
}

/** The path of the unpacked browser. Files of tests may unpack it at the same time, so each uses a folder of its own and renames it. */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(MODULES, '@sparticuz', 'chromium', 'package.json'), 'utf8'));
  const ready = join(CACHE, version);
  if (!existsSync(ready)) await unpackTo(ready);
  return join(ready, 'chromium');
}

async function unpackTo(ready: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(`${ready}-`);
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = folder;
  try {
    await chromium.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  }
  try {
    renameSync(folder, ready);
  } catch (error) {
    rmSync(folder, { recursive: true });
    if (!existsSync(ready)) throw error;
  }
}
