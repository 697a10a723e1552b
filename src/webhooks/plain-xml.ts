/** Limit of elements, attributes and references: twice those of a message of a hundred records with fifty fields each. */
const MOST_PARTS = 15_000;

/** Longer than any reference: `&#1114111;` is the last character's. A parser looks at each more than once. */
const LONGEST_REFERENCE = 10;

const [SPACE, LETTER] = [0x20, 0x78];
const [TAB, LINE_FEED, RETURN] = [0x09, 0x0a, 0x0d];
const [QUOTE, APOSTROPHE, AMPERSAND, SLASH, LESS_THAN, EQUALS] = [0x22, 0x27, 0x26, 0x2f, 0x3c, 0x3d];

/**
 * The same document in plain characters: line ends and tabs are blanks, and what is no ASCII is a letter, because a parser
 * may take minutes over a megabyte of either, and no id or name that is read has one. Null where it has more elements,
 * attributes and references than any message, or a longer reference: those are what a parser's time goes into.
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

/** Whether what follows an ampersand goes on as the name or number of a reference for too long. */
function isLongReference(bytes: Uint8Array, start: number): boolean {
  let at = start;
  while (at - start <= LONGEST_REFERENCE && isOfReference(bytes[at] ?? SPACE)) at += 1;
  return at - start > LONGEST_REFERENCE;
}

/** A letter, a digit or `#`; what is no ASCII counts as a letter. */
function isOfReference(byte: number): boolean {
  return byte === 0x23 || byte >= 0x80 || /[\w.:-]/.test(String.fromCharCode(byte));
}
