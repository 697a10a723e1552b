#!/usr/bin/env node
/** The `lockstep` program of the connector's package and image. */
import { CONNECTOR_VERBS } from './connector-verbs.ts';
import { processContext } from './context.ts';
import { runVerbs } from './run-verbs.ts';

const exitCode = await runVerbs(CONNECTOR_VERBS, process.argv.slice(2), processContext());
process.exit(exitCode);
