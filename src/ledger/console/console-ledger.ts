/**
 * The use of a token of the console. `link`: a one-time sign-in link, which opens one session. `session`: a signed-in person's browser
 * sends it with each request. `program`: a program sends it with each request.
 */
export type TokenKind = 'link' | 'session' | 'program';

/**
 * A token of the console as stored: the SHA-256 of its text in hexadecimal (`hash`), and the end of its validity (`until`, ISO). A
 * program's token also has a name.
 */
export type ConsoleToken = {
  readonly kind: TokenKind;
  readonly hash: string;
  readonly until: string;
  readonly name?: string;
  /** The person who made a program's token. */
  readonly madeBy?: string;
};

/** A program's token as an administrator sees it. Instants are ISO. `usedAt`: when the token was last used; null if never. */
export type ProgramToken = {
  readonly hash: string;
  readonly name: string;
  readonly madeBy: string;
  readonly createdAt: string;
  readonly until: string;
  readonly usedAt: string | null;
  readonly identity: unknown;
};

/**
 * The console's tokens: of sign-in links, sessions and programs. The identity of a token's owner is encrypted and bound to the token's
 * hash, kind and expiry. If one of these three was changed in the database, the identity cannot be decrypted.
 */
export interface ConsoleLedger {
  /** Stores a token with its owner's identity, and deletes expired tokens. `at`: the present instant. */
  keepToken(token: ConsoleToken, identity: unknown, at: string): Promise<void>;
  /** The identity of the owner of a valid token; null if no valid token has this hash. */
  findToken(kind: TokenKind, hash: string, at: string): Promise<unknown>;
  /**
   * Returns the identity of the owner of a valid token, and deletes the token, so that it can be used only once. Null if no valid token has
   * this hash. Of several concurrent calls, only one gets the identity.
   */
  takeToken(kind: TokenKind, hash: string, at: string): Promise<unknown>;
  /**
   * Valid tokens of programs, newest first. A token that was inserted or changed directly in the database is left out, because its identity
   * cannot be decrypted.
   */
  programTokens(at: string): Promise<readonly ProgramToken[]>;
  /** Stores when a token was last used. Does nothing if a use within the last minute is stored already. */
  noteTokenUse(hash: string, at: string): Promise<void>;
  /**
   * Revokes tokens with which programs use the console: deletes every program token whose hash begins with this text. Returns false if
   * there is none.
   */
  dropProgramToken(hashStart: string): Promise<boolean>;
}
