import type { Node } from './ast.ts';
import { callFunction } from './functions/registry.ts';
import { compileBinary, compileUnary } from './operators.ts';
import { parseFormula } from './parse.ts';
import { type Compiled, FormulaError, Num, type References } from './types.ts';
import { textOrBlank } from './values.ts';

const CONSTANTS: Readonly<Record<string, Compiled>> = {
  TRUE: { type: 'boolean', run: () => true },
  FALSE: { type: 'boolean', run: () => false },
  NULL: { type: 'null', run: () => null },
};

/**
 * Parses and type-checks a formula, so that it can be evaluated for any row. Throws FormulaError for misspelled, wrongly typed or unknown
 * parts.
 */
export function compileFormula(formula: string, references: References): Compiled {
  return compileNode(parseFormula(formula), references);
}

/** An expression as a function of a row. */
export function compileNode(node: Node, references: References): Compiled {
  switch (node.kind) {
    case 'number': {
      const value = new Num(node.text);
      return { type: 'number', run: () => value };
    }
    case 'text': {
      const value = textOrBlank(node.text);
      return { type: 'text', run: () => value };
    }
    case 'field':
      return CONSTANTS[node.name.toUpperCase()] ?? references.resolve(node.name, node.at);
    case 'unary':
      return compileUnary(node, compileNode(node.operand, references));
    case 'binary':
      return compileBinary(node, compileNode(node.left, references), compileNode(node.right, references));
    case 'call':
      return callFunction({
        name: node.name,
        at: node.at,
        nodes: node.args,
        references,
        args: node.args.map((each) => compileNode(each, references)),
        fail: (message) => {
          throw new FormulaError(message, node.at);
        },
      });
  }
}
