import { causeRow, type NoticeCause, type Severity } from '../../domain/notices/causes.ts';
import { sentenceOf } from '../../domain/notices/message.ts';
import type { ListedMessage, NoticeLedger, Undelivered } from '../../ledger/notices/notice-ledger.ts';
import type { NoticesSetup } from '../../notices/read-notices-file.ts';

/**
 * A state of a tenant, such as a pause, that operators were notified of and that has not ended. `since`: when it began or, if this is
 * unknown, when Lockstep found it, ISO. `text`: a sentence about the state, without values.
 */
export type OpenNotice = {
  readonly tenant: string;
  readonly cause: NoticeCause;
  readonly subject: string;
  readonly severity: Severity;
  readonly since: string;
  readonly records: number | null;
  readonly text: string;
  /** The channels that got the notice of the state's begin. They also get the notice of its end. */
  readonly channels: readonly string[];
};

export type Notices = {
  readonly shape: 'notices/1';
  /** The channels (such as e-mail or Slack) in this process's notices file; empty if there is no such file. */
  readonly channels: readonly { readonly name: string; readonly type: string }[];
  readonly open: readonly OpenNotice[];
  /** For each channel that fails: how many messages it has not accepted. `tenant` is null for digests, which concern no single tenant. */
  readonly undelivered: readonly (Undelivered & { readonly tenant: string | null })[];
  /** The last messages to channels, newest first. */
  readonly messages: readonly ListedMessage[];
};

export type ListOrder = {
  /** Names of the tenants whose notices are listed. */
  readonly tenants: readonly string[];
  /** Whether the daily digests are listed too. They concern no single tenant. */
  readonly withDigests: boolean;
  readonly limit: number;
};

/** The name under which the ledger (Lockstep's database) counts messages that concern no single tenant. */
const NO_TENANT = '';

/** Lists the states that operators were notified of, and how far the delivery of the messages about them has come. `now`: ISO. */
export async function listNotices(
  ledger: Pick<NoticeLedger, 'listNotices' | 'undeliveredOf'>,
  setup: Pick<NoticesSetup, 'channels'> | null,
  { tenants, withDigests, limit }: ListOrder,
  now: string,
): Promise<Notices> {
  const names = withDigests ? [...tenants, NO_TENANT] : tenants;
  const { open, messages } = await ledger.listNotices(names, limit);
  const undelivered = await ledger.undeliveredOf(names, now);
  return {
    shape: 'notices/1',
    channels: (setup?.channels ?? []).map(({ name, settings: { type } }) => ({ name, type })),
    open: open.map(({ tenant, cause, subject, since, foundAt, records, to }) => ({
      ...{ tenant, cause, subject, records, severity: causeRow(cause).severity, since: since ?? foundAt },
      text: sentenceOf('began', { cause, subject, records }),
      channels: to.map(({ channel }) => channel),
    })),
    undelivered: [...undelivered].flatMap(([tenant, channels]) =>
      channels.map((one) => ({ tenant: tenant === NO_TENANT ? null : tenant, ...one })),
    ),
    messages,
  };
}

/** Whether there are messages that a channel has not accepted. Open states do not count here, because other commands report them. */
export function hasUndelivered({ undelivered }: Pick<Notices, 'undelivered'>): boolean {
  return undelivered.length > 0;
}
