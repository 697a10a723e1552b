import type { AddVerb } from './run-verbs.ts';

/** Makes a command with subcommands, such as `inbox` with `inbox retry`. */
export function withSubverbs(parent: AddVerb, ...children: readonly AddVerb[]): AddVerb {
  return (program, context) => {
    parent(program, context);
    const command = program.commands.at(-1);
    if (command === undefined) throw new TypeError('the parent has added no verb');
    // An option after the subcommand's name belongs to the subcommand, even if the parent has an option with that name.
    program.enablePositionalOptions();
    command.enablePositionalOptions();
    for (const add of children) add(command, context);
  };
}
