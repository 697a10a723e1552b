import { sql } from 'kysely';
import { SealingError } from '../../platform/sealing.ts';
import { tokenPlace } from '../core/sealed-columns.ts';
import { INSTALLATION } from '../core/sealer.ts';
import { plainCalls, type Statement, type Store } from '../core/store.ts';
import type { ConsoleLedger, TokenKind } from './console-ledger.ts';

export function consoleCalls(store: Store): ConsoleLedger {
  return plainCalls(store, {
    ...{ keepToken, findToken, takeToken },
    ...{ programTokens, noteTokenUse, dropProgramToken },
  });
}

const keepToken: Statement<ConsoleLedger, 'keepToken'> = async (
  { db, sealer },
  { kind, hash, until, name = null, madeBy = null },
  identity,
  at,
) => {
  const sealed = sealer.seal(identity, tokenPlace(kind, hash, new Date(until)));
  await sql`with gone as (delete from console_tokens where expires_at <= ${at}::timestamptz)
    insert into console_tokens (hash, kind, identity, expires_at, name, made_by, created_at)
    values (${hash}, ${kind}, ${sealed}, ${until}::timestamptz, ${name}, ${madeBy}, ${at}::timestamptz)
    on conflict (hash) do nothing`.execute(db);
};

type Row = { readonly identity: Buffer; readonly expires_at: Date };

const findToken: Statement<ConsoleLedger, 'findToken'> = async (store, kind, hash, at) => {
  const { rows } = await sql<Row>`select identity, expires_at from console_tokens
    where hash = ${hash} and kind = ${kind} and expires_at > ${at}::timestamptz`.execute(store.db);
  return opened(store, kind, hash, rows[0]);
};

const takeToken: Statement<ConsoleLedger, 'takeToken'> = async (store, kind, hash, at) => {
  // Decrypts the identity before the delete. If the data key is not in the cache, this throws, and the whole call is repeated. A token that
  // was already deleted would then be lost.
  if ((await findToken(store, kind, hash, at)) === null) return null;
  const { rows } = await sql<Row>`delete from console_tokens
    where hash = ${hash} and kind = ${kind} and expires_at > ${at}::timestamptz returning identity, expires_at`.execute(
    store.db,
  );
  return opened(store, kind, hash, rows[0]);
};

type ProgramRow = Row & {
  readonly hash: string;
  readonly name: string | null;
  readonly made_by: string | null;
  readonly created_at: Date | null;
  readonly used_at: Date | null;
};

const MOST_LISTED = 1_000;

const programTokens: Statement<ConsoleLedger, 'programTokens'> = async (store, at) => {
  const { rows } = await sql<ProgramRow>`select hash, identity, expires_at, name, made_by, created_at, used_at
    from console_tokens where kind = 'program' and expires_at > ${at}::timestamptz
    order by created_at desc limit ${MOST_LISTED}`.execute(store.db);
  await store.sealer.load([INSTALLATION]);
  return rows.flatMap((row) => {
    const identity = opened(store, 'program', row.hash, row);
    if (identity === null) return [];
    return {
      ...{ hash: row.hash, name: row.name ?? '', madeBy: row.made_by ?? '', identity },
      ...{ createdAt: (row.created_at ?? row.expires_at).toISOString(), until: row.expires_at.toISOString() },
      usedAt: row.used_at?.toISOString() ?? null,
    };
  });
};

const noteTokenUse: Statement<ConsoleLedger, 'noteTokenUse'> = async (store, hash, at) => {
  await sql`update console_tokens set used_at = ${at}::timestamptz
    where hash = ${hash} and (used_at is null or used_at < ${at}::timestamptz - interval '1 minute')`.execute(store.db);
};

const dropProgramToken: Statement<ConsoleLedger, 'dropProgramToken'> = async (store, hashStart) => {
  // A range, so that the primary key is used. A hash has 64 hexadecimal digits.
  const { rows } = await sql`delete from console_tokens
    where kind = 'program' and hash between ${hashStart} and ${hashStart.padEnd(64, 'f')} returning hash`.execute(
    store.db,
  );
  return rows.length > 0;
};

/**
 * Decrypts the identity (person or program) in the row of a console token. Null if there is no row, or if the row was written or changed
 * directly in the database.
 */
function opened({ sealer }: Store, kind: TokenKind, hash: string, row: Row | undefined): unknown {
  if (row === undefined) return null;
  try {
    return sealer.open(row.identity, tokenPlace(kind, hash, row.expires_at));
  } catch (error) {
    if (error instanceof SealingError) return null;
    throw error;
  }
}
