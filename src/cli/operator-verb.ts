import type { Command } from 'commander';
import type { ActionOutcome } from '../operator/actions/record-action.ts';
import type { CliContext } from './context.ts';
import { type DealNames, type ListedDeals, NO_NAMES, readDealNames } from './deal-names.ts';
import { EXIT } from './exit.ts';
import type { OperatorTools } from './operator-tools.ts';
import { reasonOption, type VerbEffect, verbOf } from './verb-effect.ts';

/** The answer of a command. `shape` or, in a JSON Schema, `$schema` names its form and version. */
export type Shaped = { readonly shape: `${string}/${number}` } | { readonly $schema: string };

/** Describes one operator's command: its name, arguments and help on the command line, and the function of `src/operator` that it runs. */
export type OperatorVerb<Given extends readonly unknown[], Answer extends Shaped> = {
  readonly name: string;
  /** The description in one line. Only subcommands set it here. The descriptions of all other commands are in `connector-verbs.ts`. */
  readonly description?: string;
  /** The text below the command's help; begins with "Example:". */
  readonly example: string;
  /** Adds the command's own arguments and options. Every command has `--json`. */
  readonly takes?: (command: Command) => Command;
  /**
   * Runs the command's work. `given`: the arguments in their order, then the options. It catches no error, because `runVerbs` prints the
   * error's message and returns the exit code.
   */
  readonly run: (tools: OperatorTools, ...given: Given) => Promise<Answer>;
  /** What a run of the command changes. Each command must declare it, so that the operators' audit log contains every change. */
  readonly effect: VerbEffect<NoInfer<Given>>;
  /** Facts for the audit log that are known only from the command's answer, such as the tenants that were changed. */
  readonly outcome?: (answer: Answer) => Omit<ActionOutcome, 'hasFailed'>;
  /** The answer as lines of text. `names`: names of the deals in the answer. With `--json`, the answer itself is printed instead. */
  readonly lines: (answer: Answer, names: DealNames) => readonly string[];
  /** The deals in the answer. On a terminal, the printed lines show their names beside their ids. */
  readonly deals?: (answer: Answer) => readonly ListedDeals[];
  /** Whether the answer shows that a user or operator must act. The exit code is then 2. */
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

/**
 * Makes a command from its description. The command parses its arguments, does its work, prints the answer, and closes the opened
 * resources.
 */
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

/** Escapes line breaks, so that text from a remote system cannot look like a separate line that Lockstep printed. */
function oneLine(line: string): string {
  return line.replaceAll('\n', '\\u000a');
}
