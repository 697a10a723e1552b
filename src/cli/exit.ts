/** The exit codes of all commands. `attention`: the command succeeded, but found something that a user or operator must act on. */
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

/**
 * Class names of the errors that the clients of the vendor and of Salesforce throw. To their messages, `explain` adds a hint to run
 * `lockstep doctor`. Names are compared instead of classes, so that these clients need not be loaded.
 */
const OF_REMOTES: ReadonlySet<string> = new Set(['PartnerApiError', 'CrmError']);

/** The error message to print for a thrown value of any type. With `debug`, the stack instead. */
export function explain(thrown: unknown, debug: boolean): string {
  if (!(thrown instanceof Error)) return `Something failed: ${String(thrown)}`;
  if (debug) return thrown.stack ?? thrown.message;
  if (OF_REMOTES.has(thrown.name))
    return `${thrown.message}; what is wrong with that side, and what to do: lockstep doctor`;
  return thrown.message === '' ? `Something failed (${thrown.name}).` : thrown.message;
}
