#!/usr/bin/env node
/** The `lockstep` program of the simulators' package; it has only the command `simulators`. */
import { processContext } from '../src/cli/context.ts';
import { runVerbs } from '../src/cli/run-verbs.ts';
import { SIMULATORS_VERB } from './simulators-verb.ts';

const exitCode = await runVerbs([SIMULATORS_VERB], process.argv.slice(2), processContext());
process.exit(exitCode);
