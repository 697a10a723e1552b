import { createHash, randomBytes } from 'node:crypto';
import type { ConsoleLedger } from '../../ledger/console/console-ledger.ts';
import { IDENTITY } from './identity.ts';
import type { Grant } from './roles.ts';
import type { Session } from './sessions.ts';

/** The first characters of an API token's text. Secret scanners recognise a token by them if the token was published by mistake. */
const PREFIX = 'lockstep_';
const TEXT = /^lockstep_[\w-]{43}$/;
const DAY_MS = 86_400_000;
/** How long a process may answer from its memory before it asks the ledger (Lockstep's database) again whether a token is valid, in ms. */
const REMEMBERED_MS = 5_000;
const MOST_REMEMBERED = 1_000;

/** A token of a program, without its secret text. Instants are ISO. */
export type ApiToken = {
  /** The first 12 characters of the SHA-256 of the token's text. */
  readonly id: string;
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly madeBy: string;
  readonly createdAt: string;
  readonly until: string;
  /**
   * When the token was used last; null if it was never used. The time may be up to a minute too early, because it is stored at most once a
   * minute.
   */
  readonly usedAt: string | null;
};

export type TokenOrder = {
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly days: number;
  readonly madeBy: string;
};

export interface ApiTokens {
  /** Makes a token. Only this call returns the token's text. */
  create(order: TokenOrder): Promise<ApiToken & { readonly token: string }>;
  list(): Promise<readonly ApiToken[]>;
  /**
   * Ends a token; false if there is none with this id. Other processes may accept it for five seconds more, because they remember valid
   * tokens.
   */
  revoke(id: string): Promise<boolean>;
  /** The session of a request with this token; null if the token is unknown, expired or revoked. Records when the token was used. */
  find(text: string): Promise<Session | null>;
}

/**
 * Stores and finds the API tokens of programs. The ledger (Lockstep's database) keeps each token under the SHA-256 of its text. `nowMs`:
 * milliseconds since 1970.
 */
export function createApiTokens(ledger: ConsoleLedger, nowMs: () => number): ApiTokens {
  const remembered = new Map<string, { readonly session: Session; readonly untilMs: number }>();
  const now = (): string => new Date(nowMs()).toISOString();
  return {
    create: async ({ name, grants, days, madeBy }) => {
      const token = `${PREFIX}${randomBytes(32).toString('base64url')}`;
      const hash = hashOf(token);
      const [createdAt, until] = [now(), new Date(nowMs() + days * DAY_MS).toISOString()];
      const identity = { user: `${name} (token of ${madeBy})`.slice(0, 200), by: 'token', grants } as const;
      await ledger.keepToken({ kind: 'program', hash, until, name, madeBy }, identity, createdAt);
      return { id: hash.slice(0, 12), name, grants, madeBy, createdAt, until, usedAt: null, token };
    },
    list: async () =>
      (await ledger.programTokens(now())).map(({ identity, hash, ...row }) => ({
        ...row,
        id: hash.slice(0, 12),
        grants: IDENTITY.parse(identity).grants,
      })),
    revoke: async (id) => {
      for (const hash of remembered.keys()) if (hash.startsWith(id)) remembered.delete(hash);
      return ledger.dropProgramToken(id);
    },
    find: async (text) => {
      if (!TEXT.test(text)) return null;
      const hash = hashOf(text);
      const known = remembered.get(hash);
      if (known !== undefined && known.untilMs > nowMs()) return known.session;
      remembered.delete(hash);
      const identity = await ledger.findToken('program', hash, now());
      if (identity === null) return null;
      await ledger.noteTokenUse(hash, now());
      const session: Session = { identity: IDENTITY.parse(identity), csrf: '', sender: hash, isProgram: true };
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      remembered.set(hash, { session, untilMs: nowMs() + REMEMBERED_MS });
      return session;
    },
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
