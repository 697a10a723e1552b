/** One problem in a file, as a sentence that names place and repair. Contains no secret. */
export type Problem = { readonly file: string; readonly line: number; readonly message: string };

/** All problems of the tenant files, one line each: `file:line: problem, and repair`. */
export class TenantFileError extends Error {
  override readonly name = 'TenantFileError';
  readonly code = 'TENANT_FILE_INVALID';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const ordered = [...problems].sort((one, other) => one.file.localeCompare(other.file) || one.line - other.line);
    const lines = ordered.map((problem) => `${problem.file}:${problem.line}: ${problem.message}`);
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    super(`${count} in the tenant files; nothing was started.\n${lines.join('\n')}`);
    this.problems = ordered;
  }
}

/** The known word closest to a misspelt one, or null if none is close. */
export function nearest(word: string, known: readonly string[]): string | null {
  const limit = Math.max(1, Math.floor(word.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, distance: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter((entry) => entry.distance <= limit)
    .sort((one, other) => one.distance - other.distance);
  return ranked[0]?.candidate ?? null;
}

/** Number of single-character edits between two words (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const swap = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
