/** Texts that Markdown shows unchanged, without links or formatting. */
const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;
const LONGEST = 64;

/**
 * An id for the Temporal UI, which renders summaries and details as Markdown. A remote can choose any id, so an id with other characters
 * than letters, digits, `-` and `_` is shown as code, and no address in it becomes a link.
 */
export function shownId(id: string): string {
  if (PLAIN.test(id)) return id;
  const text = id.replaceAll(/[`\p{C}\s]+/gu, ' ').trim();
  return `\`${[...text].slice(0, LONGEST).join('')}\``;
}
