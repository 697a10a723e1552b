/** The cells of the page's tables whose first column has this heading, row by row. */
export function tableRows(page: string, firstHeading: string): string[][] {
  const lines = page.split('\n');
  return lines.flatMap((line, index) => {
    if (cellsOf(line)[0] !== firstHeading) return [];
    const rows = lines.slice(index + 2);
    const end = rows.findIndex((row) => !row.startsWith('|'));
    return rows.slice(0, end === -1 ? rows.length : end).map(cellsOf);
  });
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
