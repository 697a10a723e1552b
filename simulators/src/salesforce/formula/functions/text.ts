import { Decimal } from 'decimal.js';
import { withSuffix } from '../../store/ids.ts';
import { type Compiled, FormulaError, FormulaRuntimeError, type FormulaValue, Num } from '../types.ts';
import { textOrBlank } from '../values.ts';
import { checkArguments, type FunctionDef, simple } from './call.ts';

const text = (value: FormulaValue): string => String(value ?? '');

/** CONTAINS and BEGINS: true for a blank part, blank for a blank text. */
const partOf = (test: (whole: string, part: string) => boolean): FunctionDef =>
  simple(
    'boolean',
    ['text', 'text'],
    (whole, part) => (part === null ? true : whole === null ? null : test(text(whole), text(part))),
    { takesBlank: true },
  );

/** A date-time as formulas show it: GMT, in whole seconds. */
function instantText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

const toText: FunctionDef = (call) => {
  checkArguments(call, ['number|date|datetime|time|picklist|multipicklist']);
  const [{ type, run }] = call.args as [Compiled];
  const write = (value: FormulaValue): string => {
    if (value instanceof Decimal) return value.toFixed();
    if (type === 'date') return new Date(Number(value)).toISOString().slice(0, 10);
    if (type === 'datetime') return instantText(Number(value));
    return type === 'time' ? new Date(Number(value)).toISOString().slice(11, 23) : text(value);
  };
  return {
    type: 'text',
    run: (context) => {
      const value = run(context);
      return value === null ? null : write(value);
    },
  };
};

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)$/;

function toNumber(value: FormulaValue): FormulaValue {
  const trimmed = text(value).trim();
  if (NUMBER.test(trimmed)) return new Num(trimmed);
  throw new FormulaRuntimeError('VALUE() was given a text that is no number');
}

const left = (value: FormulaValue, count: FormulaValue) =>
  textOrBlank(text(value).slice(0, Math.max(0, Math.trunc(Number(count)))));

const right = (value: FormulaValue, count: FormulaValue) => {
  const length = Math.max(0, Math.trunc(Number(count)));
  return length === 0 ? null : textOrBlank(text(value).slice(-length));
};

const middle = (value: FormulaValue, start: FormulaValue, count: FormulaValue) => {
  const from = Math.max(1, Math.trunc(Number(start))) - 1;
  return textOrBlank(text(value).slice(from, from + Math.max(0, Math.trunc(Number(count)))));
};

const pad = (side: 'padStart' | 'padEnd') => (value: FormulaValue, length: FormulaValue, filler?: FormulaValue) => {
  const wanted = Math.max(0, Math.trunc(Number(length)));
  return textOrBlank(
    text(value)
      [side](wanted, text(filler ?? ' '))
      .slice(0, wanted),
  );
};

function find(part: FormulaValue, whole: FormulaValue, start?: FormulaValue): FormulaValue {
  if (part === null || whole === null) return new Num(0);
  return new Num(text(whole).indexOf(text(part), Math.max(0, Number(start ?? 1) - 1)) + 1);
}

/** The pattern of REGEX, which must match the whole text. Supports Java's flag `(?i)` at the beginning and refuses other flags. */
function patternOf(source: string, at: number): RegExp {
  const isLoose = source.startsWith('(?i)');
  try {
    return new RegExp(`^(?:${isLoose ? source.slice(4) : source})$`, isLoose ? 'i' : '');
  } catch {
    throw new FormulaError('The regular expression is not understood', at);
  }
}

const regex: FunctionDef = (call) => {
  checkArguments(call, ['text', 'text']);
  const [value] = call.args as [Compiled];
  const source = call.nodes[1];
  if (source?.kind !== 'text') return call.fail('REGEX() is understood with a literal pattern only');
  const pattern = patternOf(source.text, source.at);
  return { type: 'boolean', run: (context) => pattern.test(text(value.run(context))) };
};

const link = (url: FormulaValue, name: FormulaValue, target?: FormulaValue) =>
  `<a href="${text(url)}" target="${text(target ?? '_blank')}">${text(name)}</a>`;

const image = (url: FormulaValue, alt: FormulaValue, height?: FormulaValue, width?: FormulaValue) => {
  const size = height && width ? ` style="height:${height}px; width:${width}px;"` : '';
  return `<img src="${text(url)}" alt="${text(alt)}" border="0"${size}/>`;
};

const takesBlank = { takesBlank: true };

/** Functions on texts (Help: "Formula Operators and Functions", text functions). */
export const TEXT: Readonly<Record<string, FunctionDef>> = {
  TEXT: toText,
  VALUE: simple('number', ['text'], toNumber),
  BEGINS: partOf((whole, part) => whole.startsWith(part)),
  CONTAINS: partOf((whole, part) => whole.includes(part)),
  FIND: simple('number', ['text', 'text', 'number?'], find, takesBlank),
  LEFT: simple('text', ['text', 'number'], left),
  RIGHT: simple('text', ['text', 'number'], right),
  MID: simple('text', ['text', 'number', 'number'], middle),
  LEN: simple('number', ['text'], (value) => new Num(text(value).length), takesBlank),
  LOWER: simple('text', ['text', 'text?'], (value) => text(value).toLowerCase()),
  UPPER: simple('text', ['text', 'text?'], (value) => text(value).toUpperCase()),
  TRIM: simple('text', ['text'], (value) => textOrBlank(text(value).trim())),
  LPAD: simple('text', ['text', 'number', 'text?'], pad('padStart')),
  RPAD: simple('text', ['text', 'number', 'text?'], pad('padEnd')),
  SUBSTITUTE: simple(
    'text',
    ['text', 'text', 'text'],
    (value, old, fresh) =>
      value === null || old === null ? null : textOrBlank(text(value).replaceAll(text(old), () => text(fresh))),
    takesBlank,
  ),
  CASESAFEID: simple('text', ['text'], (id) => (text(id).length === 15 ? withSuffix(text(id)) : id)),
  REGEX: regex,
  BR: simple('text', [], () => '<br>'),
  HYPERLINK: simple('text', ['text', 'text', 'text?'], link, takesBlank),
  IMAGE: simple('text', ['text', 'text', 'number?', 'number?'], image, takesBlank),
};
