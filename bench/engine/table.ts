/** A measured number and its limit; without a limit it is only information. */
export type Measured = {
  readonly scenario: string;
  readonly what: string;
  readonly measured: number;
  readonly limit: number | null;
};

export function isHeld({ measured, limit }: Measured): boolean {
  return limit === null || measured <= limit;
}

/** The rows as text in columns, one line each. */
export function table(rows: readonly Measured[]): string {
  const head = ['scenario', 'what', 'measured', 'limit', ''];
  const cells = rows.map((row) => [
    row.scenario,
    row.what,
    shown(row.measured),
    row.limit === null ? '-' : shown(row.limit),
    isHeld(row) ? '' : 'OVER',
  ]);
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((line) => line[column]?.length ?? 0)));
  const lines = [head, ...cells].map((line) =>
    line
      .map((cell, column) =>
        column === 2 || column === 3 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

function shown(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(3);
}
