import type { Node, Operator } from './ast.ts';
import { lex, type Token } from './lex.ts';
import { FormulaError } from './types.ts';

/** Binary operators from the loosest to the tightest (Help: "Formula Operators"). */
const LEVELS: readonly Readonly<Record<string, Operator>>[] = [
  { '||': '||' },
  { '&&': '&&' },
  { '=': '=', '==': '=', '<>': '<>', '!=': '<>' },
  { '<': '<', '<=': '<=', '>': '>', '>=': '>=' },
  { '+': '+', '-': '-', '&': '&' },
  { '*': '*', '/': '/' },
  { '^': '^' },
];

type Reader = { readonly tokens: readonly Token[]; position: number };

/** Parses a formula. Throws FormulaError, in Salesforce's words, where it is not well-formed. */
export function parseFormula(formula: string): Node {
  const reader: Reader = { tokens: lex(formula), position: 0 };
  const node = readLevel(reader, 0);
  const rest = peek(reader);
  if (rest.kind !== 'end') throw new FormulaError(`Syntax error. Extra '${rest.text}'`, rest.at);
  return node;
}

function peek({ tokens, position }: Reader): Token {
  return tokens[position] ?? { kind: 'end', text: '', at: 0 };
}

function takeSymbol(reader: Reader, ...symbols: readonly string[]): Token | undefined {
  const token = peek(reader);
  if (token.kind !== 'symbol' || !symbols.includes(token.text)) return undefined;
  reader.position += 1;
  return token;
}

function expectSymbol(reader: Reader, symbol: string): void {
  if (takeSymbol(reader, symbol) !== undefined) return;
  const { kind, text, at } = peek(reader);
  const message =
    kind === 'end' ? `Syntax error. Missing '${symbol}'` : `Syntax error. Found '${text}', expected '${symbol}'`;
  throw new FormulaError(message, at);
}

/** Reads the operators of one level, which are left-associative. */
function readLevel(reader: Reader, level: number): Node {
  const operators = LEVELS[level];
  if (operators === undefined) return readUnary(reader);
  let left = readLevel(reader, level + 1);
  for (;;) {
    const token = takeSymbol(reader, ...Object.keys(operators));
    const operator = operators[token?.text ?? ''];
    if (token === undefined || operator === undefined) return left;
    left = { kind: 'binary', operator, left, right: readLevel(reader, level + 1), at: token.at };
  }
}

function readUnary(reader: Reader): Node {
  const token = takeSymbol(reader, '-', '+', '!');
  if (token === undefined) return readPrimary(reader);
  return { kind: 'unary', operator: token.text as '-' | '+' | '!', operand: readUnary(reader), at: token.at };
}

function readPrimary(reader: Reader): Node {
  if (takeSymbol(reader, '(') !== undefined) {
    const inner = readLevel(reader, 0);
    expectSymbol(reader, ')');
    return inner;
  }
  const { kind, text, at } = peek(reader);
  if (kind === 'end' || kind === 'symbol') {
    throw new FormulaError(kind === 'end' ? 'Syntax error. Missing expression' : `Syntax error. Found '${text}'`, at);
  }
  reader.position += 1;
  if (kind === 'number') return { kind, text, at };
  if (kind === 'text') return { kind, text, at };
  if (takeSymbol(reader, '(') === undefined) return { kind: 'field', name: text, at };
  return { kind: 'call', name: text.toUpperCase(), args: readArguments(reader), at };
}

function readArguments(reader: Reader): readonly Node[] {
  if (takeSymbol(reader, ')') !== undefined) return [];
  const args = [readLevel(reader, 0)];
  while (takeSymbol(reader, ',') !== undefined) args.push(readLevel(reader, 0));
  expectSymbol(reader, ')');
  return args;
}
