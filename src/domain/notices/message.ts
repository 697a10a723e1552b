import { counted } from '../values/counted.ts';
import { causeRow, hasSubject, type NoticeCause, type Severity } from './causes.ts';
import type { Notice } from './notices-of.ts';
import type { OpenState } from './state.ts';

/**
 * The content of a message to a notice channel (such as e-mail), before it is formatted for the channel. It contains sentences from the
 * table of causes (`NOTICE_CAUSES`), tenant names, codes, counts and instants, but no field values and no text of a remote system.
 */
export type Message = {
  readonly kind: 'began' | 'ended' | 'digest' | 'test';
  /** The tenant; null for a digest or a test. */
  readonly tenant: string | null;
  readonly cause: NoticeCause | null;
  readonly subject: string | null;
  readonly severity: Severity | null;
  /** When the state began or ended, ISO; for a digest or a test, when the message was made. */
  readonly at: string;
  /** When the state began, ISO; null if this is unknown, and for a digest or a test. */
  readonly since: string | null;
  readonly records: number | null;
  readonly title: string;
  readonly text: string;
  /** The lines of a digest; empty for other messages. */
  readonly items: readonly string[];
  /**
   * Where an operator finds more about the state: the address of a console page, or a `lockstep` command if the console's address is
   * unknown. Null for a digest or a test if the console's address is unknown.
   */
  readonly look: string | null;
};

/** The console's address without a trailing slash, for links in messages; null if none is known. */
export type Console = string | null;

/** The message to operators that a state of a tenant (such as a pause) has begun or ended. Pure. */
export function messageOf({ kind, tenant, state: found, at }: Notice, console: Console): Message {
  const { cause, since, records } = found;
  const subject = hasSubject(cause, found.subject) ? found.subject : '';
  const state = { cause, subject, records };
  const { severity } = causeRow(cause);
  const text = sentenceOf(kind, state);
  const words = { began: 'begins', ended: 'ends' } as const;
  return {
    ...{ kind, tenant, cause, subject, severity, at, since, records },
    title: `${tenant}: ${cause}${subject === '' ? '' : ` (${subject})`} ${words[kind]}`,
    text: `${text} ${kind === 'began' ? `Since ${at}.` : `It lasted from ${since ?? 'an unknown time'} to ${at}.`}`,
    items: [],
    look: lookOf(tenant, state, console),
  };
}

type Named = Pick<OpenState, 'cause' | 'subject' | 'records'>;

/**
 * The sentence that says that a state has begun or ended, from the table of causes. A subject that the table does not contain for this
 * cause may be any text, even a field's value. The sentence then says `unknown`, so that no such text gets into a notice. Pure.
 */
export function sentenceOf(kind: 'began' | 'ended', { cause, subject, records }: Named): string {
  const row = causeRow(cause);
  const words = hasSubject(cause, subject) ? (row.subjects?.[subject] ?? '') : 'unknown';
  const counts = records === null ? 'some records' : counted(records, 'record');
  return (kind === 'began' ? row.begins : row.ends).replaceAll('{subject}', words).replaceAll('{records}', counts);
}

function lookOf(tenant: string, { cause, subject }: Named, console: Console): string {
  const { page, command } = causeRow(cause);
  const filled = (text: string): string => text.replaceAll('{tenant}', tenant).replaceAll('{subject}', subject);
  if (console === null) return filled(command);
  return `${console}/tenants/${encodeURIComponent(tenant)}${page === '' ? '' : `/${filled(page)}`}`;
}

/** The maximum number of lines in each of the two parts of a daily digest: the changes of states, and the states that still hold. */
const MOST_LINES = 100;

export type DigestFacts = {
  /** The states that began or ended since the last digest, oldest first. */
  readonly changes: readonly Pick<Message, 'kind' | 'title' | 'at'>[];
  /** The states that hold now, each with its tenant. */
  readonly open: readonly (OpenState & { readonly tenant: string })[];
};

/**
 * The daily digest of a channel: which states changed since the last digest, and which states hold now. `at`: when the digest is made, ISO.
 * Pure.
 */
export function digestOf({ changes, open }: DigestFacts, at: string, console: Console): Message {
  const changed = changes.map(({ title, at: when }) => `${when} ${title}`);
  const still = open.map(
    ({ tenant, since, foundAt, ...state }) => `${tenant}: ${sentenceOf('began', state)} Since ${since ?? foundAt}.`,
  );
  const counts = `${counted(open.length, 'open state')}, ${counted(changes.length, 'change')} since the last digest`;
  return {
    ...{ kind: 'digest', tenant: null, cause: null, subject: null, severity: null, at, since: null, records: null },
    title: `Lockstep, daily digest: ${counts}`,
    text: open.length === 0 ? 'No state of any tenant needs a person.' : 'These states are open.',
    items: [...limited(still), ...limited(changed)],
    look: console,
  };
}

function limited(lines: readonly string[]): readonly string[] {
  const left = lines.length - MOST_LINES;
  return left > 0 ? [...lines.slice(0, MOST_LINES), `and ${left} more`] : lines;
}

/** A message that shows an operator that a channel works. Pure. */
export function testMessage(channel: string, at: string, console: Console): Message {
  return {
    ...{ kind: 'test', tenant: null, cause: null, subject: null, severity: null, at, since: null, records: null },
    title: `Lockstep: test of the channel ${channel}`,
    text: 'An operator sent this test. Notices of changed states arrive here in the same way.',
    items: [],
    look: console,
  };
}
