/**
 * What a console token is for. A `link` (one-time sign-in link) opens one session. A `session` accompanies each request of a signed-in
 * person. A `program` token accompanies each request of a program.
 */
export type TokenKind = 'link' | 'session' | 'program';

/** A token as stored: the SHA-256 of its text in hexadecimal, and until when it is valid (ISO). A program's token also has a name. */
export type ConsoleToken = {
  readonly kind: TokenKind;
  readonly hash: string;
  readonly until: string;
  readonly name?: string;
  /** The person who made a program's token. */
  readonly madeBy?: string;
};

/** A program's token as an administrator sees it. Instants are ISO. */
export type ProgramToken = {
  readonly hash: string;
  readonly name: string;
  readonly madeBy: string;
  readonly createdAt: string;
  readonly until: string;
  readonly usedAt: string | null;
  readonly identity: unknown;
};

/** Sign-in links, sessions and programs' tokens of the console. The identity is sealed and bound to its token, kind and expiry. */
export interface ConsoleLedger {
  /** Stores a token with the identity that it stands for, and deletes expired tokens. `at`: the present instant. */
  keepToken(token: ConsoleToken, identity: unknown, at: string): Promise<void>;
  /** The identity of a valid token; null if there is none. */
  findToken(kind: TokenKind, hash: string, at: string): Promise<unknown>;
  /** Like `findToken`, and deletes the token: of concurrent calls only one gets the identity. */
  takeToken(kind: TokenKind, hash: string, at: string): Promise<unknown>;
  /** Valid tokens of programs, the newest first. Leaves out those that a writer of the database made or changed. */
  programTokens(at: string): Promise<readonly ProgramToken[]>;
  /** Notes that a token was used, at most once a minute. */
  noteTokenUse(hash: string, at: string): Promise<void>;
  /** Deletes the program's token whose hash begins with this text; false if there is none. */
  dropProgramToken(hashStart: string): Promise<boolean>;
}
