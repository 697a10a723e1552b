import type { AddVerb } from './run-verbs.ts';

/** A verb with verbs of its own, such as `inbox retry`: each is an operator's verb, added to its parent. */
export function withSubverbs(parent: AddVerb, ...children: readonly AddVerb[]): AddVerb {
  return (program, context) => {
    parent(program, context);
    const command = program.commands.at(-1);
    if (command === undefined) throw new TypeError('the parent has added no verb');
    // An option after the child's name is the child's, also where both have one of that name.
    program.enablePositionalOptions();
    command.enablePositionalOptions();
    for (const add of children) add(command, context);
  };
}
