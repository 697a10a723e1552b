/** What no reader of Markdown makes a link or anything else of. */
const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;
const LONGEST = 64;

/**
 * An id as the Temporal UI shows it. That reads summaries and details as Markdown, and a remote makes its ids up: one that is more
 * than letters, digits, `-` and `_` is shown as code, so that no address in it becomes a link.
 */
export function shownId(id: string): string {
  if (PLAIN.test(id)) return id;
  const text = id.replaceAll(/[`\p{C}\s]+/gu, ' ').trim();
  return `\`${[...text].slice(0, LONGEST).join('')}\``;
}
