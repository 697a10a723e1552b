/**
 * The maximum number of elements, attributes and references in an Outbound Message: twice as many as a hundred records with fifty fields
 * need.
 */
const MOST_PARTS = 15_000;

/**
 * The maximum length of an XML reference, in characters. A longer reference is refused, because a parser would examine it again and again.
 * The longest valid reference is `&#1114111;`.
 */
const LONGEST_REFERENCE = 10;

const [SPACE, LETTER] = [0x20, 0x78];
const [TAB, LINE_FEED, RETURN] = [0x09, 0x0a, 0x0d];
const [QUOTE, APOSTROPHE, AMPERSAND, SLASH, LESS_THAN, EQUALS] = [0x22, 0x27, 0x26, 0x2f, 0x3c, 0x3d];

/**
 * Simplifies an XML document, so that a parser needs little time. Line ends and tabs become spaces. Non-ASCII characters become letters,
 * because a megabyte of them can take a parser minutes; no id or name that Lockstep reads contains them. Null if the document has too many
 * elements, attributes and references, or a reference that is too long.
 */
export function plainXml(text: string): string | null {
  const bytes = Buffer.from(text, 'utf8');
  let parts = 0;
  let before = SPACE;
  for (let at = 0; at < bytes.length && parts <= MOST_PARTS; at += 1) {
    const byte = bytes[at] ?? SPACE;
    if (byte === AMPERSAND || (byte === LESS_THAN && bytes[at + 1] !== SLASH)) parts += 1;
    if ((byte === QUOTE || byte === APOSTROPHE) && before === EQUALS) parts += 1;
    if (byte === AMPERSAND && isLongReference(bytes, at + 1)) return null;
    if (byte >= 0x80) bytes[at] = LETTER;
    if (byte === TAB || byte === LINE_FEED || byte === RETURN) bytes[at] = SPACE;
    else if (byte !== SPACE) before = byte;
  }
  return parts > MOST_PARTS ? null : bytes.toString('latin1');
}

/** Whether the reference after an ampersand is too long. */
function isLongReference(bytes: Uint8Array, start: number): boolean {
  let at = start;
  while (at - start <= LONGEST_REFERENCE && isOfReference(bytes[at] ?? SPACE)) at += 1;
  return at - start > LONGEST_REFERENCE;
}

/** Whether a byte may be part of a reference: a letter, a digit, `#` or any non-ASCII byte. */
function isOfReference(byte: number): boolean {
  return byte === 0x23 || byte >= 0x80 || /[\w.:-]/.test(String.fromCharCode(byte));
}
