/** Limit of elements, attributes and references: twice those of a message of a hundred records with fifty fields each. */
const MOST_PARTS = 15_000;

const [SPACE, LETTER] = [0x20, 0x78];
const [TAB, LINE_FEED, RETURN] = [0x09, 0x0a, 0x0d];
const [QUOTE, APOSTROPHE, AMPERSAND, SLASH, LESS_THAN, EQUALS] = [0x22, 0x27, 0x26, 0x2f, 0x3c, 0x3d];

/**
 * The document in plain characters: line ends and tabs become blanks, and non-ASCII characters become a letter. A parser may take minutes
 * over a megabyte of either, and no id or name that Lockstep reads contains one. Null if the document has too many elements, attributes and
 * references, which take most of a parser's time.
 */
export function plainXml(text: string): string | null {
  const bytes = Buffer.from(text, 'utf8');
  let parts = 0;
  let before = SPACE;
  for (let at = 0; at < bytes.length && parts <= MOST_PARTS; at += 1) {
    const byte = bytes[at] ?? SPACE;
    if (byte === AMPERSAND || (byte === LESS_THAN && bytes[at + 1] !== SLASH)) parts += 1;
    if ((byte === QUOTE || byte === APOSTROPHE) && before === EQUALS) parts += 1;
    if (byte >= 0x80) bytes[at] = LETTER;
    if (byte === TAB || byte === LINE_FEED || byte === RETURN) bytes[at] = SPACE;
    else if (byte !== SPACE) before = byte;
  }
  return parts > MOST_PARTS ? null : bytes.toString('latin1');
}
