import { type Command, InvalidArgumentError } from 'commander';
import type { ActionDetails } from '../ledger/actions/action-ledger.ts';

/** A change that a run of a command makes, as the audit log records it. */
export type VerbAction = {
  /** The last word of the command's name in the audit log, if an argument chooses the action: in `keys rotate`, the word `rotate`. */
  readonly word?: string;
  /**
   * The tenant on the command line; undefined if none was given, which means the only tenant. Absent if the action concerns the
   * installation or the tenants in `named`.
   */
  readonly tenant?: { readonly given: string | undefined };
  /** Names of tenants that the action concerns, including tenants that this process does not serve. */
  readonly named?: readonly string[];
  /** Ids and the names of fields and options, for the audit log. Never a secret or a field's value. */
  readonly details?: ActionDetails;
  /** Whether the command may run on a database that has no audit log yet. An example is `migrate`, which creates the log. */
  readonly beforeMigration?: true;
};

/**
 * What a command changes, for the operators' audit log. `reads`: it never changes anything. Otherwise a function of the command's arguments
 * that returns the action to record, or null if this run changes nothing.
 */
export type VerbEffect<Given extends readonly unknown[]> = 'reads' | ((...given: Given) => VerbAction | null);

const MOST_REASON = 500;

/** Adds the option `--reason`, for a command that changes something. */
export function reasonOption(command: Command): Command {
  return command.option('--reason <text>', 'why, for lockstep audit-log', readReason);
}

function readReason(text: string): string {
  const trimmed = text.trim();
  if (trimmed !== '' && trimmed.length <= MOST_REASON && !/\p{Cc}/u.test(trimmed)) return trimmed;
  throw new InvalidArgumentError(`Give one line of 1 to ${MOST_REASON} characters.`);
}

/** The full name of a command, without the program's name, such as `tenants pause`. */
export function verbOf(command: Command): string {
  const parent = command.parent;
  return parent?.parent === null || parent === null ? command.name() : `${verbOf(parent)} ${command.name()}`;
}
