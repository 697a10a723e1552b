/** Replaces the rows of the page's table whose first heading is `heading`; everything else stays. Throws if there is no such table. */
export function withTable(page: string, heading: string, rows: readonly (readonly string[])[]): string {
  const lines = page.split('\n');
  const first = lines.findIndex((line) => line.startsWith('|') && line.split('|')[1]?.trim() === heading);
  if (first < 0) throw new Error(`The page has no table with the heading ${heading}.`);
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'));
  const end = length < 0 ? lines.length : first + length;
  const made = rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  return [...lines.slice(0, first + 2), ...made, ...lines.slice(end)].join('\n');
}
