import { createHash } from 'node:crypto';
import { lastTime, type TimeOfDay } from '../../domain/notices/local-time.ts';
import { type Console, digestOf, messageOf } from '../../domain/notices/message.ts';
import { type Notice, noticesOf } from '../../domain/notices/notices-of.ts';
import type { NoticeRules } from '../../domain/notices/rules.ts';
import type { NewMessage, NoticeLedger } from '../../ledger/notices/notice-ledger.ts';
import { readStates, type StatesLedger, type WatchedTenant } from './read-states.ts';

export type WatchLedger = StatesLedger & Pick<NoticeLedger, 'noticeStates' | 'saveNoticeStates' | 'makeDigest'>;

export type Watch = {
  readonly ledger: WatchLedger;
  readonly rules: NoticeRules;
  /** The channels with a daily digest, each with the time of day at which it is sent. */
  readonly digests: readonly { readonly channel: string; readonly time: TimeOfDay }[];
  readonly console: Console;
  /** For how long Lockstep tries to send a message, in ms. */
  readonly giveUpMs: number;
};

/** The maximum number of tenants whose states one SQL statement reads. */
const TENANTS_AT_ONCE = 100;

/**
 * Compares the tenants' present states with those in the ledger (Lockstep's database), and stores each change together with the messages
 * about it. If two processes store a change of one tenant at once, the ledger refuses the second, because it is based on outdated states.
 * Returns how many messages were stored. `now`: ISO.
 */
export async function watchStates(watch: Watch, tenants: readonly WatchedTenant[], now: string): Promise<number> {
  let messages = 0;
  for (let from = 0; from < tenants.length; from += TENANTS_AT_ONCE)
    messages += await watchSome(watch, tenants.slice(from, from + TENANTS_AT_ONCE), now);
  return messages;
}

async function watchSome(
  { ledger, rules, console, giveUpMs }: Watch,
  tenants: readonly WatchedTenant[],
  now: string,
): Promise<number> {
  // Reads the stored states before the present ones. Otherwise a process that stalls between the two reads could save older states over
  // newer ones.
  const before = await ledger.noticeStates(tenants.map(({ tenant }) => tenant));
  const after = await readStates(ledger, tenants, now);
  let count = 0;
  for (const [tenant, states] of after) {
    const { generation, open } = before.get(tenant) ?? { generation: 0, open: [] };
    const { changed, removed, notices } = noticesOf(tenant, open, states, { rules, now });
    if (changed.length + removed.length === 0) continue;
    const messages = notices.map((notice) => newMessage(notice, console, giveUpMs));
    if (await ledger.saveNoticeStates(tenant, { generation, changed, removed, messages }, now))
      count += messages.length;
  }
  return count;
}

function newMessage(notice: Notice, console: Console, giveUpMs: number): NewMessage {
  const { kind, tenant, channel, way, state, dueAt } = notice;
  return {
    id: messageId([kind, tenant, channel, state.cause, state.subject, state.foundAt]),
    ...{ channel, way, dueAt, message: messageOf(notice, console) },
    expiresAt: later(dueAt, giveUpMs),
  };
}

/**
 * Makes the daily digest (collected message) of each channel whose time of day has come. Several processes may try to make the same digest.
 * The ledger accepts only the first, so each channel gets one digest for each local date. `made`: for each channel, the date of the last
 * digest that this process knows; this function adds to it. A digest that it contains needs no SQL statement.
 */
export async function makeDigests(
  { ledger, digests, console, giveUpMs }: Watch,
  made: Map<string, string>,
  now: string,
): Promise<void> {
  for (const { channel, time } of digests) {
    const { date } = lastTime(time, Date.parse(now));
    if (made.get(channel) === date) continue;
    const digest = { id: messageId(['digest', channel, date]), channel, expiresAt: later(now, giveUpMs) };
    await ledger.makeDigest(digest, (facts) => digestOf(facts, now, console), now);
    made.set(channel, date);
  }
}

/**
 * Makes the id of a message, in the form that Standard Webhooks proposes. Equal parts always give an equal id, so that a message is not
 * stored twice.
 */
function messageId(parts: readonly string[]): string {
  return `msg_${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`;
}

function later(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}
