import type { ClaimedMessage, MessageOutcome, NoticeLedger } from '../ledger/notices/notice-ledger.ts';
import { NotSent } from './not-sent.ts';
import { ATTEMPT_MS } from './post.ts';
import type { Channel } from './read-notices-file.ts';
import type { Send } from './send.ts';

export type Delivery = {
  readonly ledger: Pick<NoticeLedger, 'claimMessages' | 'settleMessage'>;
  readonly channels: readonly Channel[];
  readonly send: Send;
  readonly now: () => string;
  /**
   * How long a process keeps its claim on messages, in ms, counted from the instant at which it claims them. While the claim lasts, no
   * other process sends these messages. The claim must be longer than one attempt to send.
   */
  readonly claimMs?: number;
  /** Called for each attempt to send a message that failed. `code` contains no text from the channel's server. */
  readonly onFailure: (of: { readonly id: string; readonly channel: string; readonly code: string }) => void;
};

/** How many due messages a process claims at once, so that no other process sends them. */
const AT_ONCE = 10;
const CLAIM_MS = 120_000;
/**
 * A claimed message is sent only if the claim still lasts at least this long, in ms. With less time left, another process could claim and
 * send the message during the attempt.
 */
const LEAST_LEFT_MS = 2 * ATTEMPT_MS;

/** How long a message waits after its first failure, and the longest wait, both in ms. The wait doubles with each failure. */
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [30_000, 3_600_000];

/**
 * Sends all messages to operators that are due, stores each outcome, and returns how many were sent. Stops early when the signal aborts, or
 * when a whole batch fails. Rejects with the ledger's error.
 */
export async function deliverDue(delivery: Delivery, signal: AbortSignal): Promise<number> {
  const { ledger, channels, now, claimMs = CLAIM_MS } = delivery;
  const names = channels.map(({ name }) => name);
  for (let sent = 0; ; ) {
    if (signal.aborted) return sent;
    const at = now();
    const until = new Date(Date.parse(at) + claimMs).toISOString();
    const claimed = await ledger.claimMessages({ channels: names, at, until, limit: AT_ONCE });
    if (claimed.length === 0) return sent;
    const outcomes = await Promise.all(claimed.map((one) => deliverOne(delivery, one)));
    sent += outcomes.filter((isSent) => isSent).length;
    // If no message of the batch was sent, a further attempt at once would probably fail too.
    if (outcomes.every((isSent) => !isSent)) return sent;
  }
}

/**
 * Sends one claimed message and stores the outcome; true if the channel accepted the message. If the process ends between sending and
 * storing, another process sends the message again with the same id.
 */
async function deliverOne(delivery: Delivery, claimed: ClaimedMessage): Promise<boolean> {
  const { ledger, channels, send, now, onFailure } = delivery;
  const { id, channel: name, message, attempts, until } = claimed;
  const channel = channels.find((one) => one.name === name);
  // A process that stalled after its claim must not send a message that another process may have sent since.
  if (channel === undefined || Date.parse(now()) + LEAST_LEFT_MS > Date.parse(until)) return false;
  const outcome = await send(channel, id, message).then(
    (error): MessageOutcome => ({ kind: 'sent', error }),
    (error: unknown): MessageOutcome => {
      const { code } = NotSent.of(error);
      onFailure({ id, channel: name, code });
      return { kind: 'failed', error: code, againAt: againAt(attempts, now()) };
    },
  );
  await ledger.settleMessage(claimed, outcome, now());
  return outcome.kind === 'sent';
}

function againAt(attempts: number, now: string): string {
  const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 20));
  return new Date(Date.parse(now) + waitMs).toISOString();
}
