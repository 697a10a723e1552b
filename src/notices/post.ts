import { isIP } from 'node:net';
import { Agent, buildConnector, request } from 'undici';
import { lookupAllowed, notAllowed } from '../platform/allowed-lookup.ts';
import { isPrivateAddress } from '../platform/private-address.ts';
import { checkBaseUrl } from '../platform/web-address.ts';
import { NotSent } from './not-sent.ts';

/** The time limit for one attempt to deliver a message, in ms. */
export const ATTEMPT_MS = 15_000;

export type Post = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the address of the channel's server may be in a private network. */
  readonly isPrivateAllowed: boolean;
};

/**
 * Sends a POST request with JSON. Follows no redirect, and reads only the status of the answer. Throws `NotSent` with the code of the
 * failure; after a timeout or a broken connection it is unknown whether the receiver got the message.
 */
export async function postJson({ url, headers, body, isPrivateAllowed }: Post): Promise<void> {
  const isAllowed = (address: string): boolean => isPrivateAllowed || !isPrivateAddress(address);
  const open = buildConnector({ allowH2: false, timeout: ATTEMPT_MS, lookup: lookupAllowed(isAllowed) });
  const agent = new Agent({
    connect: (options, callback) => {
      // `lookup` is not called for a host that is an IP address, so such an address is checked here.
      if (isIP(options.hostname) !== 0 && !isAllowed(options.hostname)) callback(notAllowed(), null);
      else open(options, callback);
    },
    maxResponseSize: MOST_BYTES,
  });
  try {
    const answer = await request(url, {
      ...{ method: 'POST', body, dispatcher: agent, signal: AbortSignal.timeout(ATTEMPT_MS) },
      headers: { 'content-type': 'application/json', 'user-agent': 'lockstep', ...headers },
    });
    if (answer.statusCode < 200 || answer.statusCode > 299) throw new NotSent(`HTTP_${answer.statusCode}`);
  } catch (error) {
    throw NotSent.of(error);
  } finally {
    await agent.destroy();
  }
}

const MOST_BYTES = 64 * 1024;

/**
 * Checks the address to which a channel's messages are posted. Returns it as a normalised URL, which may have a query; null if the text is
 * not a usable address.
 */
export function postAddress(text: string): string | null {
  const url = URL.parse(text);
  if (url === null) return null;
  const query = url.search;
  url.search = '';
  return url.hash === '' && 'url' in checkBaseUrl(url.href) ? `${url.href}${query}` : null;
}
