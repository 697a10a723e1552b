import type { Command } from 'commander';
import { CONNECTOR_VERBS } from '../src/cli/connector-verbs.ts';
import type { CliContext } from '../src/cli/context.ts';
import type { ExitCode } from '../src/cli/exit.ts';
import { programOf, runVerbs, type Verb, verb } from '../src/cli/run-verbs.ts';
import { SIMULATORS_VERB } from './simulators-verb.ts';

/** All commands; the one that starts everything on one machine comes first. */
const VERBS: readonly Verb[] = [
  verb(
    'up',
    'start everything on this machine and show the main job being done (npm start)',
    async () => (await import('./commands/up.ts')).addUp,
  ),
  SIMULATORS_VERB,
  ...CONNECTOR_VERBS,
];

/** Makes the whole command line. It throws usage errors and help, and never exits the process. */
export function buildProgram(context: CliContext): Promise<Command> {
  return programOf(VERBS, context);
}

/** Runs one command line. A failure is printed as one sentence on stderr. Returns the exit code. */
export function runCli(args: readonly string[], context: CliContext): Promise<ExitCode> {
  return runVerbs(VERBS, args, context);
}
