const SUFFIX_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345';

/**
 * A Salesforce id in its 18-character form, or null when the text is no id. The last three characters record
 * which of the first fifteen are upper case: they are computed for a 15-character id, and give back the letters of one
 * whose case a tool has folded.
 */
export function toId18(text: string): string | null {
  if (/^[A-Za-z0-9]{15}[A-Za-z0-5]{3}$/.test(text)) return isFolded(text) ? unfolded(text) : text;
  if (!/^[A-Za-z0-9]{15}$/.test(text)) return null;
  return text + [0, 5, 10].map((start) => suffixCharacter(text.slice(start, start + 5))).join('');
}

/** True when both name the same record, in whichever form each is written. */
export function sameId(one: string, other: string): boolean {
  return toId18(one) !== null && toId18(other) !== null && one.slice(0, 15) === other.slice(0, 15);
}

function suffixCharacter(five: string): string {
  const bits = [...five].reduce((sum, letter, index) => sum + (/[A-Z]/.test(letter) ? 1 << index : 0), 0);
  return SUFFIX_ALPHABET.charAt(bits);
}

function isFolded(id18: string): boolean {
  const id = id18.slice(0, 15);
  return id === id.toLowerCase() || id === id.toUpperCase();
}

function unfolded(id18: string): string {
  const suffix = id18.slice(15).toUpperCase();
  const letters = [...id18.slice(0, 15)].map((letter, index) => {
    const bits = SUFFIX_ALPHABET.indexOf(suffix.charAt(Math.floor(index / 5)));
    return bits & (1 << (index % 5)) ? letter.toUpperCase() : letter.toLowerCase();
  });
  return letters.join('') + suffix;
}
