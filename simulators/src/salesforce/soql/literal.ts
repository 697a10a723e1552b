import type { FieldDef } from '../schema/types.ts';
import { normalizeId } from '../store/ids.ts';
import { exactInstant, parseDate } from '../store/instant.ts';
import type { Value } from '../store/row.ts';
import { daysOf, type Span, spanOf } from './date-literals.ts';
import { invalidField, malformed } from './parse.ts';
import { BlamingFailure } from './pointer.ts';

/** The operand of a condition: one value, or a span of days. */
export type Operand =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'span'; readonly span: Span };

const NUMERIC = new Set(['INTEGER', 'DECIMAL']);
const RELATIVE = new Set(['DATE_LITERAL', 'DATE_N_LITERAL']);
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Kinds of literals that a field may be compared with, and the name of the type in the refusal. */
function expected(field: FieldDef): { kinds: ReadonlySet<string>; type: string; quoted: boolean } {
  switch (field.type) {
    case 'boolean':
      return { kinds: new Set(['BOOLEAN']), type: 'boolean', quoted: false };
    case 'int':
    case 'double':
    case 'currency':
    case 'percent':
      return { kinds: NUMERIC, type: field.type, quoted: false };
    case 'date':
      return { kinds: new Set(['DATE', ...RELATIVE]), type: 'date', quoted: false };
    case 'datetime':
      return { kinds: new Set(['DATETIME', ...RELATIVE]), type: 'dateTime', quoted: false };
    default:
      return { kinds: new Set(['STRING']), type: 'string', quoted: true };
  }
}

/**
 * The operand of a literal for a field. Throws INVALID_FIELD when the literal is of another type than the field, and
 * INVALID_QUERY_FILTER_OPERATOR for a text that is no id. `blamed` is the field as the query spells it.
 */
export function readLiteral(
  field: FieldDef,
  raw: string,
  literalType: string,
  moment: { readonly now: Date; readonly timeZone: string },
  blamed: string,
): Operand {
  if (literalType === 'NULL' || raw.toUpperCase() === 'NULL') return { kind: 'value', value: null };
  const { kinds, type, quoted } = expected(field);
  if (!kinds.has(literalType)) {
    throw invalidField(
      `value of filter criterion for field '${field.name}' must be of type ${type} and should ${quoted ? '' : 'not '}be enclosed in quotes`,
      blamed,
    );
  }
  if (RELATIVE.has(literalType)) {
    const span = field.type === 'date' ? daysOf(raw, moment) : spanOf(raw, moment);
    if (span === null) throw malformed(`unexpected token: '${raw}'`);
    return { kind: 'span', span };
  }
  return { kind: 'value', value: readValue(field, raw, literalType, blamed) };
}

function readValue(field: FieldDef, raw: string, literalType: string, blamed: string): Value {
  if (literalType === 'BOOLEAN') return raw.toUpperCase() === 'TRUE';
  if (NUMERIC.has(literalType)) return Number(raw);
  if (literalType === 'DATE') return parseDate(raw) ?? invalidDate(raw);
  // Rows have whole seconds. A query may give milliseconds.
  if (literalType === 'DATETIME') return exactInstant(raw) ?? invalidDate(raw);
  const text = unescapeText(raw.slice(1, -1));
  if (field.type !== 'id' && field.type !== 'reference') return text;
  if (text === '') return null;
  const id = normalizeId(text);
  if (id === null) {
    throw new BlamingFailure('INVALID_QUERY_FILTER_OPERATOR', `invalid ID field: ${text}`, blamed);
  }
  return id;
}

function invalidDate(raw: string): never {
  throw malformed(`Invalid date: ${raw}`);
}

/** The text between the quotes of a string literal. */
export function unescapeText(text: string): string {
  return text.replace(ESCAPED, (_, escaped: string) => unescaped(escaped, ''));
}

const ESCAPED = /\\(u[\da-f]{4}|[\s\S])/gi;

/** The character of an escape sequence (SOQL reference: "Quoted String Escape Sequences"). `others`: sequences that only LIKE has. */
function unescaped(escaped: string, others: string): string {
  if (escaped.length > 1) return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  const char = `"'\\${others}`.includes(escaped) ? escaped : ESCAPES[escaped.toLowerCase()];
  if (char === undefined) throw malformed(`Illegal escape sequence '\\${escaped}' in a string literal`);
  return char;
}

const PATTERN_PART = /\\(u[\da-f]{4}|[\s\S])|%|_|[.*+?^${}()|[\]/]/gi;

/** A LIKE pattern (with its escapes still in it) as an expression over the whole text, any case. */
export function likePattern(raw: string): RegExp {
  const source = raw.replace(PATTERN_PART, (found, escaped: string | undefined) => {
    if (escaped !== undefined) return quote(unescaped(escaped, '%_'));
    if (found === '%') return '[\\s\\S]*';
    if (found === '_') return '[\\s\\S]';
    return `\\${found}`;
  });
  return new RegExp(`^${source}$`, 'i');
}

function quote(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
