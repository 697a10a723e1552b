import { sql } from 'kysely';
import { SealingError } from '../../platform/sealing.ts';
import { tokenPlace } from '../core/sealed-columns.ts';
import { plainCalls, type Statement, type Store } from '../core/store.ts';
import type { ConsoleLedger, TokenKind } from './console-ledger.ts';

export function consoleCalls(store: Store): ConsoleLedger {
  return plainCalls(store, { keepToken, findToken, takeToken });
}

const keepToken: Statement<ConsoleLedger, 'keepToken'> = async (
  { db, sealer },
  { kind, hash, until },
  identity,
  at,
) => {
  const sealed = sealer.seal(identity, tokenPlace(kind, hash, new Date(until)));
  await sql`with gone as (delete from console_tokens where expires_at <= ${at}::timestamptz)
    insert into console_tokens (hash, kind, identity, expires_at) values (${hash}, ${kind}, ${sealed}, ${until}::timestamptz)
    on conflict (hash) do nothing`.execute(db);
};

type Row = { readonly identity: Buffer; readonly expires_at: Date };

const findToken: Statement<ConsoleLedger, 'findToken'> = async (store, kind, hash, at) => {
  const { rows } = await sql<Row>`select identity, expires_at from console_tokens
    where hash = ${hash} and kind = ${kind} and expires_at > ${at}::timestamptz`.execute(store.db);
  return opened(store, kind, hash, rows[0]);
};

const takeToken: Statement<ConsoleLedger, 'takeToken'> = async (store, kind, hash, at) => {
  // Read first, because a call whose data key is not loaded yet is repeated.
  if ((await findToken(store, kind, hash, at)) === null) return null;
  const { rows } = await sql<Row>`delete from console_tokens
    where hash = ${hash} and kind = ${kind} and expires_at > ${at}::timestamptz returning identity, expires_at`.execute(
    store.db,
  );
  return opened(store, kind, hash, rows[0]);
};

/** The identity of a row; null without a row, or if a writer of the database made or changed the row. */
function opened({ sealer }: Store, kind: TokenKind, hash: string, row: Row | undefined): unknown {
  if (row === undefined) return null;
  try {
    return sealer.open(row.identity, tokenPlace(kind, hash, row.expires_at));
  } catch (error) {
    if (error instanceof SealingError) return null;
    throw error;
  }
}
