import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ConsoleLedger } from '../../ledger/console/console-ledger.ts';
import { IDENTITY, type Identity } from './identity.ts';

/** How long a one-time link (`LINK_MS`) and a session (`SESSION_MS`) are valid, in ms. */
export const LINK_MS = 10 * 60_000;
export const SESSION_MS = 8 * 3_600_000;
/**
 * How long a process may answer from its memory before it asks the ledger (Lockstep's database) again whether a session is valid, in ms.
 */
const REMEMBERED_MS = 5_000;
const MOST_REMEMBERED = 1_000;

const TOKEN = /^[\w-]{43}$/;

/** The session of a request: the person, and the anti-forgery token that the person's pages send with each change. */
export type Session = {
  readonly identity: Identity;
  readonly csrf: string;
  /** Who sends the requests, for rate limits. A person is the same sender in all sessions; a program is known by its token. */
  readonly sender: string;
  /**
   * True if a program sent the request with its API token. No other site's page can send this token, so the request needs no anti-forgery
   * token.
   */
  readonly isProgram?: true;
};

export interface Sessions {
  /** Creates a one-time sign-in link for this person, and returns the link's token. */
  offer(identity: Identity): Promise<string>;
  /** Exchanges a link's token for a new session's token; null if the link is unknown, used or expired. */
  redeem(linkToken: string): Promise<string | null>;
  /** Opens a session and returns its token, which only the person's browser may know. */
  open(identity: Identity): Promise<string>;
  find(token: string): Promise<Session | null>;
  end(token: string): Promise<void>;
}

/**
 * Sessions and sign-in links of the console, which the ledger (Lockstep's database) keeps under the SHA-256 of their tokens. `nowMs`:
 * milliseconds since 1970.
 */
export function createSessions(ledger: ConsoleLedger, nowMs: () => number): Sessions {
  const remembered = new Map<string, { readonly session: Session; readonly untilMs: number }>();
  const instant = (ms: number): string => new Date(ms).toISOString();
  const keep = async (kind: 'link' | 'session', identity: Identity, lastsMs: number): Promise<string> => {
    const token = randomBytes(32).toString('base64url');
    const until = instant(nowMs() + lastsMs);
    await ledger.keepToken({ kind, hash: hashOf(token), until }, identity, instant(nowMs()));
    return token;
  };
  const sessions: Sessions = {
    offer: (identity) => keep('link', identity, LINK_MS),
    redeem: async (token) => {
      const identity = TOKEN.test(token) ? await ledger.takeToken('link', hashOf(token), instant(nowMs())) : null;
      return identity === null ? null : sessions.open(IDENTITY.parse(identity));
    },
    open: (identity) => keep('session', identity, SESSION_MS),
    find: async (token) => {
      if (!TOKEN.test(token)) return null;
      const hash = hashOf(token);
      const known = remembered.get(hash);
      if (known !== undefined && known.untilMs > nowMs()) return known.session;
      remembered.delete(hash);
      const found = await ledger.findToken('session', hash, instant(nowMs()));
      if (found === null) return null;
      const identity = IDENTITY.parse(found);
      const session = { identity, csrf: csrfOf(token), sender: senderOf(identity) };
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      remembered.set(hash, { session, untilMs: nowMs() + REMEMBERED_MS });
      return session;
    },
    end: async (token) => {
      remembered.delete(hashOf(token));
      await ledger.takeToken('session', hashOf(token), instant(nowMs()));
    },
  };
  return sessions;
}

/** Who sends a session's requests, for rate limits: the person, in all of the person's sessions. */
function senderOf({ by, user }: Identity): string {
  return `${by} ${user}`;
}

/** Compares two texts in a time that does not depend on where they differ. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * The anti-forgery (CSRF) token of a session. It is derived from the session's token, so it needs no storage, and another site cannot
 * compute it without the session's cookie.
 */
function csrfOf(token: string): string {
  return createHash('sha256').update(`csrf ${token}`).digest('base64url');
}
