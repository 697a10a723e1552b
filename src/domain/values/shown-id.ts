/** Matches texts that Markdown renders unchanged, without links or formatting. */
const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;
const LONGEST = 64;

/** Matches text that Markdown would render as a link, a tag or code. Codes from a remote system may contain such text. */
const MARKED = /www\.|:\/\/|@|[[\]<>`]/i;
const LONGEST_WORDS = 500;

/** An id as text for the Temporal UI, which renders Markdown: an id with unusual characters is formatted as code. */
export function shownId(id: string): string {
  return PLAIN.test(id) ? id : asCode(id, LONGEST);
}

/**
 * A text with codes from a remote system, for the Temporal UI, which renders Markdown. The text is formatted as code if Markdown would
 * render a part of it as a link, a tag or code.
 */
export function shownWords(text: string): string {
  return MARKED.test(text) ? asCode(text, LONGEST_WORDS) : text;
}

function asCode(text: string, longest: number): string {
  const oneLine = text.replaceAll(/[`\p{C}\s]+/gu, ' ').trim();
  return `\`${[...oneLine].slice(0, longest).join('')}\``;
}
