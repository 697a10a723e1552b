import { Command, CommanderError } from 'commander';
import { ownBuild } from '../platform/build.ts';
import type { CliContext } from './context.ts';
import { CliError, EXIT, type ExitCode, explain } from './exit.ts';

/** A function that adds one command to the command line. */
export type AddVerb = (program: Command, context: CliContext) => void;

/** A command whose module is loaded only when the command runs or its own help is shown. */
export type Verb = {
  readonly name: string;
  /** One line in the help of the whole program. */
  readonly description: string;
  readonly load: () => Promise<AddVerb>;
};

/** Makes one row of the table of commands. */
export function verb(name: string, description: string, load: Verb['load']): Verb {
  return { name, description, load };
}

const CLOSING = `
Exit codes: 0 done, 1 failed, 2 differences or attention needed, 64 wrong usage.
LOCKSTEP_LOG_LEVEL=debug shows where a failure came from.`;

const VERSION_OPTION = '-V, --version';

/**
 * Makes the command line with all these commands, and loads the modules of all of them. Parsing throws usage errors and help texts, and
 * never exits the process.
 */
export function programOf(verbs: readonly Verb[], context: CliContext): Promise<Command> {
  return programWith(verbs, context, () => true);
}

/**
 * Makes the command line. Only the commands that `isNeeded` selects are loaded; the others have just a name and a description for the
 * program's help.
 */
async function programWith(
  verbs: readonly Verb[],
  context: CliContext,
  isNeeded: (verb: Verb) => boolean,
): Promise<Command> {
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
  for (const verb of verbs) {
    if (isNeeded(verb)) (await verb.load())(program, context);
    else program.command(verb.name);
    program.commands.at(-1)?.description(verb.description);
  }
  return program;
}

/** Runs one command line. A failure is printed as one sentence on stderr. Returns the exit code. */
export async function runVerbs(
  verbs: readonly Verb[],
  args: readonly string[],
  context: CliContext,
): Promise<ExitCode> {
  const word = verbIn(args);
  const program = await programWith(verbs, context, ({ name }) => name === word || word === ABOUT_ALL);
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

/** The command that prints the names and options of all other commands. Only for this command, the modules of all commands are loaded. */
const ABOUT_ALL = 'completion';

/** The command's name as typed. In `help <command>`, the name after `help`. */
function verbIn(args: readonly string[]): string | undefined {
  return args[0] === 'help' ? args[1] : args[0];
}

/**
 * For an unknown command, the arguments to parse instead of the typed ones, so that Commander reports an unknown command; null if the
 * command is known. Without this check, Commander answers `unknown --help` with the general help and success.
 */
function unknownVerb(program: Command, args: readonly string[]): readonly string[] | null {
  const word = verbIn(args);
  if (word === undefined || word.startsWith('-') || word === 'help') return null;
  return program.commands.some((command) => command.name() === word) ? null : [word];
}
