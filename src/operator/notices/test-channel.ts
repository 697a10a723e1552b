import { randomUUID } from 'node:crypto';
import { testMessage } from '../../domain/notices/message.ts';
import type { NoticesSetup } from '../../notices/read-notices-file.ts';
import type { Send } from '../../notices/send.ts';

/**
 * The result of a test message to a channel (such as e-mail or Slack). `error`: the code of the failure, or of a partial delivery; null if
 * the whole message was delivered.
 */
export type ChannelTested = {
  readonly shape: 'notices-test/1';
  readonly channel: string;
  readonly sent: boolean;
  readonly error: string | null;
};

/** Thrown for a channel that the notices file does not name. */
export class UnknownChannel extends Error {
  override readonly name = 'UnknownChannel';
}

/**
 * Sends a test message to a channel, once and at once, from this process. Throws `UnknownChannel` if the notices file does not name the
 * channel. `now`: ISO.
 */
export async function testChannel(
  { setup, send }: { readonly setup: NoticesSetup | null; readonly send: Send },
  name: string,
  now: string,
): Promise<ChannelTested> {
  const channel = setup?.channels.find((one) => one.name === name);
  if (setup === null || channel === undefined) throw new UnknownChannel(unknownText(setup));
  const message = testMessage(name, now, setup.console);
  const id = `msg_${randomUUID().replaceAll('-', '')}`;
  return send(channel, id, message).then(
    (error) => ({ shape: 'notices-test/1', channel: name, sent: true, error }),
    (error: Error & { readonly code?: string }) => ({
      ...{ shape: 'notices-test/1', channel: name, sent: false, error: error.code ?? error.name },
    }),
  );
}

function unknownText(setup: NoticesSetup | null): string {
  if (setup === null) return 'This process has no notices file: set LOCKSTEP_NOTICES.';
  const names = setup.channels.map((one) => one.name).join(', ');
  return `The notices file names no such channel; it names: ${names || 'none'}.`;
}
