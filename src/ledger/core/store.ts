import type { Kysely } from 'kysely';
import { mayRetry, toLedgerError } from '../ledger-error.ts';
import type { DataKeys } from './data-keys.ts';
import type { Database } from './database.ts';

/** The first parameter of all statements of the ledger: a connection or open transaction, and the sealer, which encrypts and decrypts. */
export type Store = { readonly db: Kysely<Database>; readonly sealer: DataKeys };

/** A function that implements one method of a ledger interface: it takes the store first, then the method's parameters. */
export type Statement<Room, Name extends keyof Room> = Room[Name] extends (...given: infer Given) => infer R
  ? (store: Store, ...given: Given) => R
  : never;

type Statements = Readonly<Record<string, (store: Store, ...given: never[]) => Promise<unknown>>>;
type Calls<S extends Statements> = {
  readonly [Name in keyof S]: S[Name] extends (store: Store, ...given: infer Given) => infer R
    ? (...given: Given) => R
    : never;
};

/**
 * Makes the methods of a ledger interface from functions that take the store as their first parameter. `run` decides how a call is
 * executed, for example in a transaction.
 */
function callsOf<S extends Statements>(
  statements: S,
  run: (work: (store: Store) => Promise<unknown>) => Promise<unknown>,
): Calls<S> {
  const calls = Object.entries(statements).map(([name, statement]) => [
    name,
    (...given: never[]) => run((store) => statement(store, ...given)),
  ]);
  return Object.fromEntries(calls) as Calls<S>;
}

/** Makes methods that each run outside a transaction. Errors of the database driver are thrown as `LedgerError`. */
export function plainCalls<S extends Statements>(store: Store, statements: S): Calls<S> {
  return callsOf(statements, (work) => plainly(() => work(store)));
}

/**
 * Makes methods that each run one writing statement outside a transaction. A statement that collides with another transaction (deadlock or
 * unique-key race) is sent again.
 */
export function racingCalls<S extends Statements>(store: Store, statements: S): Calls<S> {
  return callsOf(statements, (work) => despiteRaces(() => work(store)));
}

/**
 * Makes methods that each run in one transaction. A transaction that collides with another one (deadlock or unique-key race) runs again.
 */
export function transactionCalls<S extends Statements>(store: Store, statements: S): Calls<S> {
  return callsOf(statements, (work) => inTransaction(store, work));
}

const ATTEMPTS = 10;
const MAX_PAUSE_MS = 40;

/**
 * Runs `work` in one transaction (read committed). If it collides with another transaction, `work` runs again, so it must have no effects
 * outside the database.
 */
export function inTransaction<T>(store: Store, work: (store: Store) => Promise<T>): Promise<T> {
  return despiteRaces(() => store.db.transaction().execute((db) => work({ ...store, db })));
}

/**
 * Runs `work`, which is a transaction or one writing statement. Repeats it if it collides with another transaction (deadlock, serialization
 * failure, unique-key race), or if the server has lost a prepared statement: at most 10 attempts.
 */
export async function despiteRaces<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!mayRetry(error) || attempt === ATTEMPTS) throw toLedgerError(error);
    }
    await pause(Math.random() * Math.min(MAX_PAUSE_MS, 2 ** attempt));
  }
}

/** Runs statements without a transaction. Errors of the database driver are thrown as `LedgerError`. */
export async function plainly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toLedgerError(error);
  }
}

function pause(timeoutMs: number): Promise<void> {
  return new Promise((settle) => {
    setTimeout(settle, timeoutMs);
  });
}
