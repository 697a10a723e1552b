#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=2 --heap-growing-percent=20
/** The `lockstep` program in the connector's package and image. */
import { readFileSync } from 'node:fs';
import { nodeTooOld } from './node-too-old.ts';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const problem = nodeTooOld(manifest.engines.node, process.versions.node);
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
// Imported only after the check, because on an older Node the libraries fail without naming the reason.
const { CONNECTOR_VERBS } = await import('./connector-verbs.ts');
const { processContext } = await import('./context.ts');
const { runVerbs } = await import('./run-verbs.ts');
process.exit(await runVerbs(CONNECTOR_VERBS, process.argv.slice(2), processContext()));
