import { Command, CommanderError } from 'commander';
import { ownBuild } from '../platform/build.ts';
import type { CliContext } from './context.ts';
import { CliError, EXIT, type ExitCode, explain } from './exit.ts';

/** Adds one command to the command line. */
export type AddVerb = (program: Command, context: CliContext) => void;

const CLOSING = `
Exit codes: 0 done, 1 failed, 2 differences or attention needed, 64 wrong usage.
LOCKSTEP_LOG_LEVEL=debug shows where a failure came from.`;

const VERSION_OPTION = '-V, --version';

/** Makes the command line of these commands. It throws usage errors and help, and never exits the process. */
export function programOf(verbs: readonly AddVerb[], context: CliContext): Command {
  const program = new Command('lockstep')
    .description("Keeps a partner's Salesforce pipeline and a vendor's pipeline the same pipeline.")
    .option(VERSION_OPTION, 'print the version and the build')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.print(text.trimEnd()),
      writeErr: (text) => context.tell(text.trimEnd()),
    })
    .showSuggestionAfterError()
    .addHelpText('after', CLOSING);
  for (const add of verbs) add(program, context);
  return program;
}

/** Runs one command line. A failure is printed as one sentence on stderr. Returns the exit code. */
export async function runVerbs(
  verbs: readonly AddVerb[],
  args: readonly string[],
  context: CliContext,
): Promise<ExitCode> {
  const program = programOf(verbs, context);
  try {
    if (args.length === 1 && VERSION_OPTION.split(', ').includes(args[0] ?? '')) return await printBuild(context);
    if (args.length === 0) throw new CliError(program.helpInformation().trimEnd(), EXIT.usage);
    await program.parseAsync(unknownVerb(program, args) ?? args, { from: 'user' });
    return context.exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.done : EXIT.usage;
    context.tell(explain(thrown, context.env['LOCKSTEP_LOG_LEVEL'] === 'debug'));
    return thrown instanceof CliError ? thrown.exitCode : EXIT.failed;
  }
}

async function printBuild(context: CliContext): Promise<ExitCode> {
  const { version, buildId } = await ownBuild();
  context.print(`${version} build ${buildId}`);
  return EXIT.done;
}

/** The unknown command among the arguments. Without this check, Commander answers `unknown --help` with the general help and success. */
function unknownVerb(program: Command, args: readonly string[]): readonly string[] | null {
  const verb = args[0] === 'help' ? args[1] : args[0];
  if (verb === undefined || verb.startsWith('-') || verb === 'help') return null;
  return program.commands.some((command) => command.name() === verb) ? null : [verb];
}
