/**
 * Replaces each control character of a text by its escape (`\u001b`), before the text is written to a terminal. So a value from outside can
 * neither move the cursor nor colour or hide text. Line breaks and tabs stay. Characters that set the writing direction count as control
 * characters.
 */
export function visibleText(text: string): string {
  return text.replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const CONTROL = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
