/** One problem in a file, as a sentence that names the place and the repair. Contains no secret. */
export type Problem = { readonly file: string; readonly line: number; readonly message: string };

/** Thrown if tenant files cannot be used. The message has a line for each problem: `file:line: problem, and repair`. */
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
