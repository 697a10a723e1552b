/** Exit codes of every verb. */
export const EXIT = { done: 0, failed: 1, attention: 2, usage: 64 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure that its message explains fully: one sentence with what to do. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Failures of the vendor and of Salesforce, by name, so that no verb loads their clients for its errors. */
const OF_REMOTES: ReadonlySet<string> = new Set(['PartnerApiError', 'CrmError']);

/** The sentence for anything that was thrown; the stack only for whoever asked for debugging. */
export function explain(thrown: unknown, debug: boolean): string {
  if (!(thrown instanceof Error)) return `Something failed: ${String(thrown)}`;
  if (debug) return thrown.stack ?? thrown.message;
  if (OF_REMOTES.has(thrown.name))
    return `${thrown.message}; what is wrong with that side, and what to do: lockstep doctor`;
  return thrown.message === '' ? `Something failed (${thrown.name}).` : thrown.message;
}
