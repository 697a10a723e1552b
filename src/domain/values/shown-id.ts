/** Matches texts that Markdown renders unchanged, without links or formatting. */
const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;
const LONGEST = 64;

/** An id for the Temporal UI, which renders Markdown: an id with unusual characters is shown as code. */
export function shownId(id: string): string {
  if (PLAIN.test(id)) return id;
  const text = id.replaceAll(/[`\p{C}\s]+/gu, ' ').trim();
  return `\`${[...text].slice(0, LONGEST).join('')}\``;
}
