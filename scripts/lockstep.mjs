#!/usr/bin/env node
/** The `lockstep` program. npm puts only this file of the command line into every tarball, so it locates the other files. */
import { existsSync } from 'node:fs';

if (existsSync(new URL('./setup/command-line.mjs', import.meta.url))) {
  const { runCommandLine } = await import('./setup/command-line.mjs');
  process.exitCode = await runCommandLine(process.argv.slice(2));
} else {
  process.stderr.write('This package holds the partner API client; the command line runs from a checkout only.\n');
  process.exitCode = 1;
}
