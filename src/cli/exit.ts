/** The exit codes of all commands. `attention`: the command succeeded, but something needs a person. */
export const EXIT = { done: 0, failed: 1, attention: 2, usage: 64 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An expected failure. Its message is one sentence that names the repair. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Class names of the errors of the vendor's and Salesforce's clients. Names are compared, so that these clients need not be loaded. */
const OF_REMOTES: ReadonlySet<string> = new Set(['PartnerApiError', 'CrmError']);

/** The message for a thrown value of any type; with `debug` also its stack. */
export function explain(thrown: unknown, debug: boolean): string {
  if (!(thrown instanceof Error)) return `Something failed: ${String(thrown)}`;
  if (debug) return thrown.stack ?? thrown.message;
  if (OF_REMOTES.has(thrown.name))
    return `${thrown.message}; what is wrong with that side, and what to do: lockstep doctor`;
  return thrown.message === '' ? `Something failed (${thrown.name}).` : thrown.message;
}
