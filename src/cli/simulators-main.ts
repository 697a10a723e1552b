#!/usr/bin/env node
/** The `lockstep` program of the simulators' package; it has only the command `simulators`. */
import { addSimulators } from './commands/simulators.ts';
import { processContext } from './context.ts';
import { runVerbs } from './run-verbs.ts';

const exitCode = await runVerbs([addSimulators], process.argv.slice(2), processContext());
process.exit(exitCode);
