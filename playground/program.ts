import type { Command } from 'commander';
import { CONNECTOR_VERBS } from '../src/cli/connector-verbs.ts';
import type { CliContext } from '../src/cli/context.ts';
import type { ExitCode } from '../src/cli/exit.ts';
import { programOf, runVerbs } from '../src/cli/run-verbs.ts';
import { addSimulators } from './commands/simulators.ts';
import { addUp } from './commands/up.ts';

/** All commands; the one that starts everything on one machine comes first. */
const VERBS = [addUp, addSimulators, ...CONNECTOR_VERBS];

/** The whole command line. Usage errors and help are thrown; the process does not exit. */
export function buildProgram(context: CliContext): Command {
  return programOf(VERBS, context);
}

/** Runs one command line. A failure is printed as one sentence on stderr. Returns the exit code. */
export function runCli(args: readonly string[], context: CliContext): Promise<ExitCode> {
  return runVerbs(VERBS, args, context);
}
