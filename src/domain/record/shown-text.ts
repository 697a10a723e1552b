/**
 * A text of another system on one line of at most `most` characters. Control characters, and characters that set the writing direction,
 * become spaces. Null if nothing is left.
 */
export function oneLine(text: string | null, most: number): string | null {
  const line = (text ?? '')
    .slice(0, 2 * most)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu, ' ');
  return line.trim().slice(0, most).toWellFormed() || null;
}

/** The beginning of a text: at most `most` UTF-16 units, the units in which Salesforce counts. Never ends in the middle of a character. */
export function beginning(text: string, most: number): string {
  const isHalf = text.length > most && /[\uD800-\uDBFF]/.test(text.charAt(most - 1));
  return text.slice(0, isHalf ? most - 1 : most);
}
