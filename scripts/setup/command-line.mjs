import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, setupPaths } from './paths.mjs';
import { childEnvironment, runChild } from './run-child.mjs';

/**
 * Runs the command line with the Node from the set-up.
 * @param {readonly string[]} argv
 * @returns {Promise<number>} exit code
 */
export async function runCommandLine(argv) {
  const paths = setupPaths(ROOT);
  if (!existsSync(paths.node)) {
    process.stderr.write('Lockstep is not set up here yet: run "npm start" once.\n');
    return 1;
  }
  const args = [join(ROOT, 'playground', 'main.ts'), ...argv];
  const env = childEnvironment(process.env, paths, null);
  return runChild(paths.node, args, { cwd: process.cwd(), env, channel: true });
}
