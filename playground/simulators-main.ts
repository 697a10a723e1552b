#!/usr/bin/env node
import { processContext } from '../src/cli/context.ts';
import { runVerbs } from '../src/cli/run-verbs.ts';
/** The `lockstep` program of the simulators' package; it has only the command `simulators`. */
import { addSimulators } from './commands/simulators.ts';

const exitCode = await runVerbs([addSimulators], process.argv.slice(2), processContext());
process.exit(exitCode);
