import type { Node } from '../ast.ts';
import type { Compiled, FormulaType, FormulaValue, References } from '../types.ts';

/** One call of a function in a formula. */
export type Call = {
  readonly name: string;
  readonly at: number;
  readonly args: readonly Compiled[];
  readonly nodes: readonly Node[];
  readonly references: References;
  /** Refuses the call. */
  readonly fail: (message: string) => never;
};

export type FunctionDef = (call: Call) => Compiled;

/** The types of a function's arguments, in order. `?` marks an optional argument; `*` after the last type lets it repeat. */
type Signature = readonly string[];

/**
 * A function of its arguments' values. If a required argument is blank, the result is blank. `takesBlank` passes blanks to the function.
 */
export function simple(
  type: FormulaType,
  signature: Signature,
  work: (...values: readonly FormulaValue[]) => FormulaValue,
  options: { readonly takesBlank?: boolean } = {},
): FunctionDef {
  return (call) => {
    checkArguments(call, signature);
    const runs = call.args.map(({ run }) => run);
    return {
      type,
      run: (context) => {
        const values = runs.map((run) => run(context));
        if (options.takesBlank !== true && values.includes(null)) return null;
        return work(...values);
      },
    };
  };
}

/** Refuses a call with too few or many arguments, or with one of a wrong type. */
export function checkArguments(call: Call, signature: Signature): void {
  const { name, args, fail } = call;
  const repeats = signature.at(-1)?.endsWith('*') === true;
  const least = signature.filter((each) => !each.endsWith('?')).length;
  if (args.length < least || (!repeats && args.length > signature.length)) {
    fail(`Incorrect number of parameters for function '${name}()'. Expected ${least}, received ${args.length}`);
  }
  for (const [position, { type }] of args.entries()) {
    const wanted = (signature[position] ?? signature.at(-1) ?? '').replace(/[?*]$/, '').split('|');
    if (type === 'null' || wanted.includes('any') || wanted.includes(type)) continue;
    fail(
      `Incorrect parameter type for function '${name}()'. Expected ${wanted.join(', ')}, received ${type} at position ${position + 1}`,
    );
  }
}

/** The common type of several results; a blank fits every type. */
export function commonType(call: Call, results: readonly Compiled[]): FormulaType {
  const types = [...new Set(results.map(({ type }) => type).filter((type) => type !== 'null'))];
  if (types.length > 1) {
    call.fail(`Incorrect parameter type for function '${call.name}()'. Results are ${types.join(' and ')}`);
  }
  const [type = 'null'] = types;
  return type === 'picklist' ? 'text' : type;
}
