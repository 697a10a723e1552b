import { type Allowance, createAllowance, type Rate } from '../../intake/allowance.ts';
import { Refusal } from '../api/refusal.ts';

/**
 * Rate limits of the console. `link` and `signIn` count by peer address, `descriptions` by tenant, and all others by sender: a person in
 * all their sessions, or a program. A request without a session counts for its peer address.
 */
export const RATES = {
  /** Attempts to use a one-time link, for each peer address. */
  link: { perSecond: 0.2, burst: 10 },
  /**
   * Other steps of a sign-in, and requests to the MCP server with an invalid token, for each peer address. The rate is higher than for
   * links, because many people may share one address, such as a proxy's.
   */
  signIn: { perSecond: 5, burst: 100 },
  /** The rate of all requests of a sender. */
  sender: { perSecond: 20, burst: 300 },
  /** The rate of a sender's requests that read the remote systems. It is low, because these requests use up quotas. */
  costly: { perSecond: 0.5, burst: 20 },
  /** The rate at which a sender may change opportunities in Salesforce. */
  changes: { perSecond: 0.5, burst: 400 },
  /**
   * Requests to the Salesforce org of one tenant for checks of mapping drafts. One check sends about a dozen requests: one for each mapped
   * object and a few counts.
   */
  descriptions: { perSecond: 1, burst: 60 },
  /**
   * Bytes of request bodies, for each sender. They are limited because the parsing of a mapping takes time. A page that checks a draft
   * sends 20 KB twice a second.
   */
  bytes: { perSecond: 64 * 1024, burst: 1024 * 1024 },
} as const satisfies Readonly<Record<string, Rate>>;

const MOST_KEYS = 10_000;

/**
 * Counts requests or bytes of a key (an address, a sender or a tenant). `count`: how many, by default one. Throws `Refusal` above the rate.
 */
export type RateLimit = (key: string, count?: number) => void;

/**
 * Limits the requests or bytes of each key (an address, a sender or a tenant) to a rate. If there are too many keys, forgets those that
 * were not used for the longest time, so that they do not fill the memory.
 */
export function createRateLimit(rate: Rate, nowMs: () => number): RateLimit {
  const allowances = new Map<string, Allowance>();
  return (key, count = 1) => {
    const allowance = allowances.get(key) ?? createAllowance(rate);
    allowances.delete(key);
    allowances.set(key, allowance);
    const [oldest] = allowances.keys();
    if (allowances.size > MOST_KEYS && oldest !== undefined) allowances.delete(oldest);
    const waitMs = allowance.take(count, nowMs());
    if (waitMs > 0)
      throw new Refusal('too-many-requests', 'Too many requests; try again later.', Math.ceil(waitMs / 1000));
  };
}
