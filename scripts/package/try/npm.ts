import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npmCommand } from '../../setup/dependencies.mjs';

export const exec = promisify(execFile);

const INSTALL_LIMIT_MS = 5 * 60_000;
/** npm lists each file that it packs. */
const MOST_OUTPUT = 64 * 1_048_576;

/** Runs npm in a folder and returns its output. */
export async function npm(cwd: string, args: readonly string[]): Promise<string> {
  const { command, args: before } = npmCommand(process.env);
  const { stdout } = await exec(command, [...before, ...args], {
    cwd,
    timeout: INSTALL_LIMIT_MS,
    maxBuffer: MOST_OUTPUT,
  });
  return stdout;
}

/** Makes an empty project with these packages. Its own manifest prevents npm from using one in a parent folder. */
export async function projectWith(folder: string, packages: readonly string[]): Promise<string> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  await npm(folder, ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages]);
  return folder;
}

/** The program of a Node version from npm. No install script runs, and npm checks the program against the registry's checksum. */
export async function installNode(folder: string, version: string): Promise<string> {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const name = `${prefix}-${process.platform}-${process.arch}`;
  return join(await projectWith(folder, [`${name}@${version}`]), 'node_modules', name, 'bin', 'node');
}
