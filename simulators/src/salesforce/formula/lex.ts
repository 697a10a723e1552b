import { FormulaError } from './types.ts';

export type Token = {
  readonly kind: 'number' | 'text' | 'name' | 'symbol' | 'end';
  /** The text of a literal without its quotes, or the word as written. */
  readonly text: string;
  readonly at: number;
};

const BLANK = /(?:\s+|\/\*[\s\S]*?\*\/)+/y;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)/y;
const NAME = /\$?[A-Za-z][A-Za-z0-9_]*(?:[.:]\$?[A-Za-z][A-Za-z0-9_]*)*/y;
const SYMBOL = /&&|\|\||<>|!=|==|<=|>=|[-+*/^&=<>!(),]/y;
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The words of a formula, `end` last. Comments are left out. Throws FormulaError for a character that no word begins with. */
export function lex(formula: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(formula);
    if (match !== null) at += match[0].length;
    return match;
  };
  for (;;) {
    take(BLANK);
    const from = at;
    if (at >= formula.length) return [...tokens, { kind: 'end', text: '', at }];
    tokens.push({ ...next(take, formula, from), at: from });
  }
}

function next(take: (pattern: RegExp) => RegExpExecArray | null, formula: string, at: number): Omit<Token, 'at'> {
  const quoted = take(QUOTED);
  if (quoted !== null) return { kind: 'text', text: unescapeText(quoted[1] ?? quoted[2] ?? '') };
  const number = take(NUMBER);
  if (number !== null) return { kind: 'number', text: number[0] };
  const name = take(NAME);
  if (name !== null) return { kind: 'name', text: name[0] };
  const symbol = take(SYMBOL);
  if (symbol !== null) return { kind: 'symbol', text: symbol[0] };
  throw new FormulaError(`Syntax error. Unexpected character '${formula.charAt(at)}'`, at);
}

function unescapeText(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, char: string) => ESCAPES[char] ?? char);
}
