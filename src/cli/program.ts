import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addMigrate } from './commands/migrate.ts';
import { addResume } from './commands/resume.ts';
import { addServe } from './commands/serve.ts';
import { addSimulators } from './commands/simulators.ts';
import { addStatus } from './commands/status.ts';
import { addSync } from './commands/sync.ts';
import { addUp } from './commands/up.ts';
import { addWorker } from './commands/worker.ts';
import type { CliContext } from './context.ts';
import { CliError, EXIT, type ExitCode, explain } from './exit.ts';

const VERBS = [addUp, addWorker, addServe, addMigrate, addSimulators, addSync, addStatus, addResume];

const CLOSING = `
Exit codes: 0 done, 1 failed, 2 differences or attention needed, 64 wrong usage.
LOCKSTEP_LOG_LEVEL=debug shows where a failure came from.`;

/** The whole command line. Usage errors and help are thrown, never exits of the process. */
export function buildProgram(context: CliContext): Command {
  const program = new Command('lockstep')
    .description("Keeps a partner's Salesforce pipeline and a vendor's pipeline the same pipeline.")
    .version(ownVersion(), '-V, --version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.print(text.trimEnd()),
      writeErr: (text) => context.tell(text.trimEnd()),
    })
    .showSuggestionAfterError()
    .addHelpText('after', CLOSING);
  for (const add of VERBS) add(program, context);
  return program;
}

/** Runs one command line to its end; failures become one sentence on stderr. Returns the exit code. */
export async function runCli(args: readonly string[], context: CliContext): Promise<ExitCode> {
  const program = buildProgram(context);
  try {
    if (args.length === 0) throw new CliError(program.helpInformation().trimEnd(), EXIT.usage);
    await program.parseAsync(unknownVerb(program, args) ?? args, { from: 'user' });
    return context.exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.done : EXIT.usage;
    context.tell(explain(thrown, context.env['LOCKSTEP_LOG_LEVEL'] === 'debug'));
    return thrown instanceof CliError ? thrown.exitCode : EXIT.failed;
  }
}

function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return (manifest as { readonly version: string }).version;
}

/** A verb that does not exist, alone: with `--help` or after `help` Commander would show the help of all, as a success. */
function unknownVerb(program: Command, args: readonly string[]): readonly string[] | null {
  const verb = args[0] === 'help' ? args[1] : args[0];
  if (verb === undefined || verb.startsWith('-') || verb === 'help') return null;
  return program.commands.some((command) => command.name() === verb) ? null : [verb];
}
