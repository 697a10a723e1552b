/** A one-time link opens one session. A session accompanies each request of a signed-in person. */
export type TokenKind = 'link' | 'session';

/** A token as stored: the SHA-256 of its text in hexadecimal, and until when it is valid (ISO). */
export type ConsoleToken = { readonly kind: TokenKind; readonly hash: string; readonly until: string };

/** Sign-in links and sessions of the console. The identity is sealed and bound to its token, kind and expiry. */
export interface ConsoleLedger {
  /** Stores a token with the identity that it stands for, and deletes expired tokens. `at`: the present instant. */
  keepToken(token: ConsoleToken, identity: unknown, at: string): Promise<void>;
  /** The identity of a valid token; null if there is none. */
  findToken(kind: TokenKind, hash: string, at: string): Promise<unknown>;
  /** Like `findToken`, and deletes the token: of concurrent calls only one gets the identity. */
  takeToken(kind: TokenKind, hash: string, at: string): Promise<unknown>;
}
