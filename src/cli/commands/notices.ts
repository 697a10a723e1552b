import { InvalidArgumentError } from 'commander';
import type { ListedMessage } from '../../ledger/notices/notice-ledger.ts';
import { readNoticesFile } from '../../notices/read-notices-file.ts';
import { hasUndelivered, listNotices, type Notices } from '../../operator/notices/list-notices.ts';
import { type ChannelTested, testChannel } from '../../operator/notices/test-channel.ts';
import { undeliveredLine } from '../../operator/notices/undelivered-line.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';
import { withSubverbs } from '../with-subverbs.ts';

const LISTED = 20;

type ListOptions = { readonly tenant?: string; readonly limit: number };

const addList = operatorVerb({
  name: 'notices',
  example: `Examples:
  lockstep notices
  lockstep notices --tenant acme --limit 100
  lockstep notices test on-call                   sends a test notice to a channel

Lists the states that operators were notified of and that hold, and the last messages to the channels of LOCKSTEP_NOTICES. Exits with 2
when a channel does not take messages.`,
  takes: (command) =>
    tenantOption(command).option(
      '--limit <n>',
      'the number of messages shown at most, the newest ones',
      readLimit,
      LISTED,
    ),
  run: async (tools, { tenant, limit }: ListOptions) => {
    const { served, unavailable } = await tools.roster();
    const all = [...served.keys(), ...unavailable.keys()];
    const names = tenant === undefined ? all : [(await tools.tenant(tenant)).tenant];
    const setup = readNoticesFile(tools.context.settings().noticesFile);
    const order = { tenants: names, withDigests: tenant === undefined, limit };
    return listNotices(await tools.ledger(), setup, order, tools.now());
  },
  effect: 'reads',
  lines: noticeLines,
  needsAttention: hasUndelivered,
});

const addTest = operatorVerb({
  name: 'test',
  description: 'send a test notice to a channel',
  example: `Example:
  lockstep notices test on-call --reason new-webhook

Sends it once, from this machine and now, also in quiet hours. Exits with 1 if the channel does not take it.`,
  takes: (command) => command.argument('<channel>', 'the name of a channel in the file of LOCKSTEP_NOTICES'),
  run: async (tools, channel: string, _options: object) => {
    const { sendMessage } = await import('../../notices/send.ts');
    const setup = readNoticesFile(tools.context.settings().noticesFile);
    return testChannel({ setup, send: sendMessage }, channel, tools.now());
  },
  effect: (channel, _options) => ({ named: [], details: { channel } }),
  lines: testLines,
  hasFailed: ({ sent }) => !sent,
});

/**
 * `lockstep notices`: shows the states (such as a pause) that operators were notified of, and the messages about these states. `lockstep
 * notices test`: sends a test message to a channel.
 */
export const addNotices = withSubverbs(addList, addTest);

function readLimit(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is no number from 1 to 9999.');
}

export function noticeLines({ channels, open, undelivered, messages }: Notices): readonly string[] {
  const named = channels.map(({ name, type }) => `${name} (${type})`).join(', ');
  return [
    channels.length === 0 ? 'No channel: LOCKSTEP_NOTICES names no file here.' : `channels: ${named}`,
    ...(open.length === 0 ? ['No state that operators were notified of holds.'] : []),
    ...open.map(
      ({ tenant, severity, text, since, channels: to }) =>
        `${tenant}: ${severity}: ${text} Since ${since}; ${to.length === 0 ? 'no channel was notified' : `notified: ${to.join(', ')}`}`,
    ),
    ...undelivered.map((one) => `  undelivered: ${undeliveredLine(one)}`),
    ...messages.map(messageLine),
  ];
}

function messageLine({ createdAt, channel, title, state, attempts, endedAt, error }: ListedMessage): string {
  const tried = attempts > 1 ? `, ${attempts} attempts` : '';
  const end = endedAt === null ? '' : ` ${endedAt}`;
  return `  ${createdAt} ${channel}: ${title}: ${state}${end}${tried}${error === null ? '' : ` (${error})`}`;
}

function testLines({ channel, sent, error }: ChannelTested): readonly string[] {
  if (!sent) return [`The channel ${channel} did not take the test: ${error ?? 'unknown'}.`];
  return [`The channel ${channel} took the test${error === null ? '' : ` in part: ${error}`}.`];
}
