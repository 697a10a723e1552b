/** The documents' answers nest six levels deep; what the documents do not show may go further. */
const MOST_LEVELS = 100;

/** As bytes of UTF-8, in which no part of another character looks like one of these. */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Whether brackets of JSON outside its strings nest deeper than 100 levels: who walks what a parser made of that might
 * not come back.
 */
export function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (inString && byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) inString = !inString;
    else if (!inString && OPENING.has(byte)) depth += 1;
    else if (!inString && CLOSING.has(byte)) depth -= 1;
    if (depth > MOST_LEVELS) return true;
  }
  return false;
}
