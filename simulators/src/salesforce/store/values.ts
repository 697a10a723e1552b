import { Decimal } from 'decimal.js';
import { isAddressCode } from '../schema/countries.ts';
import type { FieldDef } from '../schema/types.ts';
import { failure } from './failure.ts';
import { normalizeId } from './ids.ts';
import { parseDate, parseInstant } from './instant.ts';
import type { Value } from './row.ts';

const EMAIL = /^[^\s@"(),:;<>[\]\\]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9-]+)+$/;
const DEFAULT_PRECISION = 18;

/**
 * The value that a field stores for what a client sent: text trimmed, numbers rounded to the field's scale, ids in 18
 * characters, date-times in UTC; '' becomes null. Throws the failure that Salesforce answers for a value of the wrong
 * kind, too long, out of range or outside a restricted picklist.
 */
export function coerce(field: FieldDef, value: unknown): Value {
  if (value === null || value === undefined) return field.type === 'boolean' ? false : null;
  switch (field.type) {
    case 'boolean':
      return toBoolean(value);
    case 'int':
    case 'double':
    case 'currency':
    case 'percent':
      return toNumber(field, value);
    default:
      return toText(field, value);
  }
}

function toBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw wrongKind('boolean', value);
}

function toNumber(field: FieldDef, value: unknown): number | null {
  if (value === '') return null;
  const isNumeric =
    typeof value === 'number' || (typeof value === 'string' && /^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(value));
  if (!isNumeric) throw wrongKind(field.type, value);
  const rounded = new Decimal(value as string | number).toDecimalPlaces(field.scale, Decimal.ROUND_HALF_UP);
  const wholeDigits = (field.precision || DEFAULT_PRECISION) - field.scale;
  if (rounded.abs().gte(new Decimal(10).pow(wholeDigits))) {
    throw failure(
      400,
      'NUMBER_OUTSIDE_VALID_RANGE',
      `${field.label}: value outside of valid range on numeric field: ${value}`,
      [field.name],
    );
  }
  return rounded.toNumber();
}

function toText(field: FieldDef, value: unknown): string | null {
  if (typeof value !== 'string') throw wrongKind(field.type, value);
  const text = value.trim();
  if (text === '') return null;
  switch (field.type) {
    case 'id':
    case 'reference':
      return toId(field, text);
    case 'date':
      return parseDate(text) ?? raise(wrongKind('date', value));
    case 'datetime':
      return parseInstant(text) ?? raise(wrongKind('datetime', value));
    case 'picklist':
      return withinLength(field, checkChoice(field, text));
    case 'multipicklist':
      return withinLength(field, toChoices(field, text));
    case 'email':
      return withinLength(field, checkEmail(field, text));
    default:
      return withinLength(field, text);
  }
}

function toId(field: FieldDef, text: string): string {
  const id = normalizeId(text);
  if (id !== null) return id;
  throw failure(400, 'MALFORMED_ID', `${field.label}: id value of incorrect type: ${text}`, [field.name]);
}

/** The selected values without duplicates, in the order of the field's list, unknown ones last. */
function toChoices(field: FieldDef, text: string): string {
  const given = [...new Set(text.split(';').map((choice) => choice.trim()))].filter(Boolean);
  const checked = given.map((choice) => checkChoice(field, choice));
  const rank = (choice: string) => {
    const at = field.picklist.findIndex(({ value }) => value === choice);
    return at < 0 ? field.picklist.length : at;
  };
  return checked.sort((a, b) => rank(a) - rank(b)).join(';');
}

/** A known value in the list's own spelling. Refuses an unknown value if the picklist is restricted. */
function checkChoice(field: FieldDef, choice: string): string {
  const known = field.picklist.find(({ value }) => value.toLowerCase() === choice.toLowerCase());
  if (known !== undefined) return known.value;
  // Codes of an address are checked with their texts, when the row is saved.
  if (!field.restricted || isAddressCode(field)) return choice;
  throw failure(
    400,
    'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
    `${field.label}: bad value for restricted picklist field: ${choice}`,
    [field.name],
  );
}

function checkEmail(field: FieldDef, text: string): string {
  if (EMAIL.test(text)) return text;
  throw failure(400, 'INVALID_EMAIL_ADDRESS', `${field.label}: invalid email address: ${text}`, [field.name]);
}

function withinLength(field: FieldDef, text: string): string {
  if (field.length === 0 || text.length <= field.length) return text;
  throw failure(
    400,
    'STRING_TOO_LONG',
    `${field.label}: data value too large: ${text.slice(0, 255)} (max length=${field.length})`,
    [field.name],
  );
}

function wrongKind(kind: string, value: unknown): Error {
  return failure(
    400,
    'JSON_PARSER_ERROR',
    `Cannot deserialize instance of ${kind} from ${tokenOf(value)} or request may be missing a required field at [line:1, column:1]`,
  );
}

/** A value's first token in the wording of Salesforce's JSON parser, with its text. */
function tokenOf(value: unknown): string {
  if (value === null) return 'VALUE_NULL';
  if (Array.isArray(value)) return 'START_ARRAY value [';
  if (typeof value === 'object') return 'START_OBJECT value {';
  if (typeof value === 'number') return `VALUE_NUMBER_${Number.isInteger(value) ? 'INT' : 'FLOAT'} value ${value}`;
  if (typeof value === 'boolean') return `VALUE_${String(value).toUpperCase()} value ${value}`;
  return `VALUE_STRING value ${String(value)}`;
}

function raise(error: Error): never {
  throw error;
}
