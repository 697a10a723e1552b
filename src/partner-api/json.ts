const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Only a number this long or with a three-digit exponent can lose digits as a double. */
const MAY_LOSE_DIGITS = /[\d.]{16}|\d[eE][+-]?\d{3}/;

/**
 * Parses a JSON body so that no digit of a number is lost: a number becomes a JavaScript number if that has exactly its decimal value;
 * otherwise (from 16 significant digits) it stays a text as sent. Throws on invalid UTF-8 and on invalid JSON; the error quotes the body,
 * so do not pass it on.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = UTF_8.decode(bytes);
  return MAY_LOSE_DIGITS.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return isExact(context.source, value) ? value : context.source;
}

/** A double prints about twenty characters. Comparing the digits of an endless text would take endless time. */
const LONGEST_EXACT = 400;

function isExact(source: string, value: number): boolean {
  if (!Number.isFinite(value) || source.length > LONGEST_EXACT) return false;
  const digits = significantDigits(source);
  // A double has room for any decimal of 15 significant digits, and for a longer one if it prints equal digits.
  return digits.length <= 15 || digits === significantDigits(String(value));
}

function significantDigits(decimal: string): string {
  const [mantissa = ''] = decimal.split(/[eE]/);
  return mantissa.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
}
