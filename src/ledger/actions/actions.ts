import { type RawBuilder, sql } from 'kysely';
import { SealingError } from '../../platform/sealing.ts';
import { DataKeyNeeded } from '../core/data-keys.ts';
import { actionPlace } from '../core/sealed-columns.ts';
import { INSTALLATION } from '../core/sealer.ts';
import { plainCalls, type Statement, type Store, transactionCalls } from '../core/store.ts';
import { actionHash } from './action-hash.ts';
import type { ActionDetails, ActionLedger, ActionPhase, StoredAction } from './action-ledger.ts';

export function actionCalls(store: Store): ActionLedger {
  return {
    ...transactionCalls(store, { recordAction }),
    ...plainCalls(store, { actionsAfter, lastActions }),
  };
}

/**
 * Adds one entry to the operators' audit log, inside a transaction. Concurrent calls wait for each other, because each entry contains the
 * hash of the entry before it.
 */
const recordAction: Statement<ActionLedger, 'recordAction'> = async ({ db, sealer }, given) => {
  const entry = wellFormed(given);
  await sql`select pg_advisory_xact_lock(hashtext('operator actions'))`.execute(db);
  const { rows } = await sql<{ dbUser: string; seq: string | null; hash: string | null }>`
    select session_user as "dbUser", last.seq, last.hash
    from (values (1)) one left join lateral (
      select seq, hash from operator_actions order by seq desc limit 1) last on true`.execute(db);
  const { dbUser = '', seq: last, hash: previous } = rows[0] ?? {};
  const at = new Date(entry.at).toISOString();
  const unhashed = { ...entry, at, seq: Number(last ?? 0) + 1, dbUser, previous: previous ?? '' };
  const chained = { ...unhashed, hash: actionHash(unhashed) };
  const { seq, action, phase, verb, tenants, details, reason, user, host, error, hash } = chained;
  await sql`insert into operator_actions
    (seq, action, at, phase, verb, tenants, details, reason, os_user, host, db_user, error, previous, hash, proof)
    values (${seq}, ${action}::uuid, ${at}, ${phase}, ${verb}, ${[...tenants]}::text[], ${JSON.stringify(details)}::jsonb, ${reason},
      ${user}, ${host}, ${dbUser}, ${error}, ${chained.previous}, ${hash}, ${sealer.seal(hash, actionPlace(seq))})`.execute(
    db,
  );
  return chained;
};

/**
 * Replaces lone surrogates (halves of a character) in all texts of a value, because UTF-8 cannot represent them. The stored text would
 * otherwise differ from the text from which the entry's hash was computed.
 */
function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed() as T;
  if (Array.isArray(value)) return value.map(wellFormed) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name.toWellFormed(), wellFormed(one)])) as T;
}

const actionsAfter: Statement<ActionLedger, 'actionsAfter'> = (store, seq, limit) =>
  read(store, sql`where seq > ${seq} order by seq limit ${limit}`);

/**
 * Reads the last actions of operators. Rows with a number below 1 are left out, because Lockstep never writes such rows; `lockstep
 * audit-log --verify` reports them.
 */
const lastActions: Statement<ActionLedger, 'lastActions'> = (store, since, tenant, limit) =>
  read(
    store,
    sql`where action in (
      select action from operator_actions
      where seq > 0 and (${since}::timestamptz is null or at >= ${since}) and (${tenant}::text is null or ${tenant} = any(tenants))
      group by action order by max(seq) desc limit ${limit})
      and seq > 0
    order by seq`,
  );

type Row = {
  readonly seq: string;
  readonly action: string;
  readonly at: Date;
  readonly phase: ActionPhase;
  readonly verb: string;
  readonly tenants: readonly string[];
  readonly details: ActionDetails;
  readonly reason: string | null;
  readonly user: string;
  readonly host: string;
  readonly dbUser: string;
  readonly error: string | null;
  readonly previous: string;
  readonly hash: string;
  readonly proof: Buffer;
};

async function read(store: Store, which: RawBuilder<unknown>): Promise<readonly StoredAction[]> {
  const { rows } = await sql<Row>`
    select seq, action, at, phase, verb, tenants, details, reason, os_user as user, host, db_user as "dbUser", error, previous,
      hash, proof
    from operator_actions ${which}`.execute(store.db);
  await store.sealer.load([INSTALLATION]);
  return rows.map(({ proof, ...row }) => {
    const seq = Number(row.seq);
    return { ...row, seq, at: row.at.toISOString(), isProven: isProven(store, seq, row.hash, proof) };
  });
}

/**
 * Whether the entry `seq` with this hash was written by a process that has the sealing key (the encryption key that all processes share).
 * `proof`: the encrypted hash as stored in the entry.
 */
function isProven({ sealer }: Store, seq: number, hash: string, proof: Buffer): boolean {
  try {
    return sealer.open(proof, actionPlace(seq)) === hash;
  } catch (error) {
    if (error instanceof SealingError || error instanceof DataKeyNeeded) return false;
    throw error;
  }
}
