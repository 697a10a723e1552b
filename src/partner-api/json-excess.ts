/** Documented answers nest six levels deep; undocumented fields may nest deeper. */
const MOST_LEVELS = 100;
/** Limit of JSON values. A page of two thousand records of a hundred fields has a fifth of it. */
const MOST_VALUES = 1_000_000;

/** Bytes to look for. In UTF-8 no other character contains them. */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Why a JSON body is too much for a parser: it nests deeper than 100 levels, which recursive code might not survive, or it has more than a
 * million values, each of which may take fifty times its bytes. Null if neither.
 */
export function excessOf(bytes: Uint8Array): 'BODY_TOO_DEEP' | 'BODY_TOO_LARGE' | null {
  let [depth, values, inString] = [0, 0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (inString && byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) inString = !inString;
    else if (inString) continue;
    else if (OPENING.has(byte)) {
      depth += 1;
      values += 1;
    } else if (CLOSING.has(byte)) depth -= 1;
    else if (byte === COMMA) values += 1;
    if (depth > MOST_LEVELS) return 'BODY_TOO_DEEP';
    if (values > MOST_VALUES) return 'BODY_TOO_LARGE';
  }
  return null;
}
