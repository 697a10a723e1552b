import type { Command } from 'commander';
import type { ActionOutcome } from '../operator/actions/record-action.ts';
import type { CliContext } from './context.ts';
import { type DealNames, type ListedDeals, NO_NAMES, readDealNames } from './deal-names.ts';
import { EXIT } from './exit.ts';
import type { OperatorTools } from './operator-tools.ts';
import { reasonOption, type VerbEffect, verbOf } from './verb-effect.ts';

/** The answer of a command. `shape` or, in a JSON Schema, `$schema` names its form and version. */
export type Shaped = { readonly shape: `${string}/${number}` } | { readonly $schema: string };

/** A command for operators: it runs one use case of `src/operator`. This is its name, arguments and help on the command line. */
export type OperatorVerb<Given extends readonly unknown[], Answer extends Shaped> = {
  readonly name: string;
  /** The description in one line. Only subcommands set it here; all other commands have their descriptions in the table of commands. */
  readonly description?: string;
  /** The text below the command's help; begins with "Example:". */
  readonly example: string;
  /** Adds the command's own arguments and options. Every command has `--json`. */
  readonly takes?: (command: Command) => Command;
  /**
   * Runs the use case with the arguments in order, then the options. It catches no error: `runVerbs` prints the message and exits with 1.
   */
  readonly run: (tools: OperatorTools, ...given: Given) => Promise<Answer>;
  /** What a run of the command changes. Each command must declare it, so that the operators' audit log misses no change. */
  readonly effect: VerbEffect<NoInfer<Given>>;
  /** Facts for the audit log that are known only from the command's answer, such as the tenants that were changed. */
  readonly outcome?: (answer: Answer) => Omit<ActionOutcome, 'hasFailed'>;
  /** The answer as lines of text, with the names of its deals; `--json` prints the answer itself. */
  readonly lines: (answer: Answer, names: DealNames) => readonly string[];
  /** The deals whose names the printed lines show beside their ids. */
  readonly deals?: (answer: Answer) => readonly ListedDeals[];
  /** Whether the answer shows that something needs a person. The exit code is then 2. */
  readonly needsAttention?: (answer: Answer) => boolean;
  /** Whether the command failed although there is an answer. The exit code is then 1. */
  readonly hasFailed?: (answer: Answer) => boolean;
};

/** Adds the option `--tenant`, for a command on one tenant. */
export function tenantOption(command: Command): Command {
  return command.option('--tenant <name>', 'the tenant, where there are several');
}

/** Adds the tenant as an argument and as an option, for a command on a whole tenant. */
export function tenantArgument(command: Command): Command {
  return tenantOption(command.argument('[tenant]', 'the name of the tenant, where there are several'));
}

/** Makes a command: parses arguments, runs the use case, prints the answer, and closes the opened resources. */
export function operatorVerb<Given extends readonly unknown[], Answer extends Shaped>(
  verb: OperatorVerb<Given, Answer>,
): (program: Command, context: CliContext) => void {
  return (program, context) => {
    const command = program.command(verb.name).description(verb.description ?? '');
    if (verb.effect !== 'reads') reasonOption(command);
    (verb.takes?.(command) ?? command)
      .option('--json', 'print the result as JSON')
      .addHelpText('after', `\n${verb.example}`)
      .action(async (...passed: unknown[]) => {
        // Commander passes the command itself last.
        const given = passed.slice(0, -1) as unknown as Given;
        const { json, reason = null } = given.at(-1) as { readonly json?: true; readonly reason?: string };
        const action = verb.effect === 'reads' ? null : verb.effect(...given);
        const { runRecorded, withTools } = await import('./operator-tools.ts');
        const { answer, names } = await withTools(context, { json: json === true }, async (tools) => {
          const work = (): Promise<Answer> => verb.run(tools, ...given);
          const outcomeOf = (answer: Answer): ActionOutcome => ({
            hasFailed: verb.hasFailed?.(answer) === true,
            ...verb.outcome?.(answer),
          });
          const answered =
            action === null
              ? await work()
              : await runRecorded(tools, verbOf(command), action, { reason, work, outcomeOf });
          const listed = json === true || !context.toTerminal ? [] : (verb.deals?.(answered) ?? []);
          const found = listed.length === 0 ? NO_NAMES : await readDealNames(tools.readable, listed);
          return { answer: answered, names: found };
        });
        if (verb.needsAttention?.(answer) === true) context.exitCode = EXIT.attention;
        if (verb.hasFailed?.(answer) === true) context.exitCode = EXIT.failed;
        if (json === true) return context.print(oneLine(JSON.stringify(answer)));
        for (const line of [...verb.lines(answer, names), ...names.notes]) context.say(oneLine(line));
      });
  };
}

/** Escapes line breaks, so that a remote system's text cannot look like a line of Lockstep. */
function oneLine(line: string): string {
  return line.replaceAll('\n', '\\u000a');
}
