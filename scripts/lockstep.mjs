#!/usr/bin/env node
/** The `lockstep` program: the command line, run by the Node that the set-up provided. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment, handOver } from './setup/hand-over.mjs';
import { ROOT, setupPaths } from './setup/paths.mjs';

const paths = setupPaths(ROOT);
if (!existsSync(paths.node)) {
  process.stderr.write('Lockstep is not set up here yet: run "npm start" once.\n');
  process.exitCode = 1;
} else {
  const args = [join(ROOT, 'src', 'cli', 'main.ts'), ...process.argv.slice(2)];
  const env = childEnvironment(process.env, paths, null);
  process.exitCode = await handOver(paths.node, args, { cwd: process.cwd(), env, channel: true });
}
