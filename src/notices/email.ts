import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import type { Message } from '../domain/notices/message.ts';
import { lookupAllowed, notAllowed } from '../platform/allowed-lookup.ts';
import { isPrivateAddress } from '../platform/private-address.ts';
import { NotSent } from './not-sent.ts';
import type { ChannelSettings } from './notices-file.ts';
import { ATTEMPT_MS } from './post.ts';

export type EmailSettings = Extract<ChannelSettings, { readonly type: 'email' }>;

/**
 * Sends a message by SMTP. The Message-ID is derived from `id`, so that mail programs recognise a repeated e-mail. Returns null, or a code
 * if the server accepted only some recipients. In that case the message is not sent again, because the accepted recipients would get it
 * twice. Throws `NotSent` if the server accepted no recipient, or if this is unknown.
 */
export async function sendEmail(
  id: string,
  message: Message,
  settings: EmailSettings,
  password: string | null,
): Promise<string | null> {
  let socket: Socket | null = null;
  // A server that answers little by little would keep an attempt open beyond its claim.
  const timer = setTimeout(() => socket?.destroy(new NotSent('TIMEOUT')), ATTEMPT_MS);
  try {
    socket = await connected(settings);
    const transport = createTransport({
      ...{ connection: socket, host: settings.server, port: settings.port, secure: settings.tls === 'implicit' },
      ...{ requireTLS: settings.tls === 'starttls', ignoreTLS: settings.tls === 'none' },
      tls: { minVersion: 'TLSv1.2' },
      ...(settings.user === undefined ? {} : { auth: { user: settings.user, pass: password ?? '' } }),
      ...{ greetingTimeout: ATTEMPT_MS, socketTimeout: ATTEMPT_MS },
      ...{ disableFileAccess: true, disableUrlAccess: true },
    });
    const { rejected } = await transport.sendMail(mailOf(id, message, settings));
    return rejected.length === 0 ? null : 'SOME_RECIPIENTS_REFUSED';
  } catch (error) {
    throw failureOf(error);
  } finally {
    clearTimeout(timer);
    socket?.destroy();
  }
}

/** Connects to the mail server. Refuses a server with an address in a private network, unless the channel allows private addresses. */
async function connected({ server, port, private: isPrivateAllowed }: EmailSettings): Promise<Socket> {
  const isAllowed = (address: string): boolean => isPrivateAllowed || !isPrivateAddress(address);
  // `lookup` is not called for a host that is an IP address, so such an address is checked here.
  if (isIP(server) !== 0 && !isAllowed(server)) throw notAllowed();
  const socket = connect({ host: server, port, lookup: lookupAllowed(isAllowed), timeout: ATTEMPT_MS });
  socket.once('timeout', () => socket.destroy(new NotSent('TIMEOUT')));
  await once(socket, 'connect');
  return socket;
}

/** The e-mail for a message, as the mail library needs it. Each header is one line without control characters. */
export function mailOf(id: string, { title, text, items, look }: Message, { from, to }: EmailSettings) {
  const lines = [text, ...(items.length === 0 ? [] : ['', ...items]), ...(look === null ? [] : ['', `Look: ${look}`])];
  return {
    from: { name: 'Lockstep', address: from },
    to: [...to],
    subject: oneLine(title),
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    text: `${lines.map((line) => (line === '' ? '' : oneLine(line))).join('\n')}\n`,
    // Automatic answers, such as notes about an absence, are not wanted (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  };
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').slice(0, 900);
}

/** Converts an error of the mail library. If the server answered with an SMTP code, the result contains it, as `SMTP_550`. */
function failureOf(error: unknown): NotSent {
  const { responseCode } = error as { readonly responseCode?: unknown };
  return typeof responseCode === 'number' ? new NotSent(`SMTP_${responseCode}`) : NotSent.of(error);
}
