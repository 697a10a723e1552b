import { sql } from 'kysely';
import { plainCalls, type Statement, type Store } from '../core/store.ts';
import type { ShardLedger } from './shard-ledger.ts';

export function shardCalls(store: Store): ShardLedger {
  return plainCalls(store, { takeShard, replaceReader, beatShards });
}

const takeShard: Statement<ShardLedger, 'takeShard'> = async ({ db }, { shard, attempt }, of) => {
  await sql`
    with fewer as (delete from shard_readers where shard >= ${of})
    insert into shard_readers (shard, attempt, beat_at) values (${shard}, ${attempt}, now())
    on conflict (shard) do update set attempt = excluded.attempt, beat_at = now()`.execute(db);
};

const replaceReader: Statement<ShardLedger, 'replaceReader'> = async ({ db }, { shard, attempt }, insteadOf) => {
  await sql`update shard_readers set attempt = ${attempt}, beat_at = now()
    where shard = ${shard} and attempt = ${insteadOf}`.execute(db);
};

/**
 * Stores which activity attempts are alive, and finds shards (groups of tenants) whose reader is silent. A returned shard counts as heard
 * from just now, so that no other process finds it at the same time.
 */
const beatShards: Statement<ShardLedger, 'beatShards'> = async ({ db }, attempts, deadMs) => {
  type Row = { shard: number; attempt: string; is_silent: boolean };
  const { rows } = await sql<Row>`
    with current as (
      update shard_readers set beat_at = now() where attempt = any(${[...attempts]}::text[]) returning shard, attempt),
    silent as (
      update shard_readers set beat_at = now()
      where beat_at < now() - ${deadMs}::float8 * interval '1 millisecond' and not attempt = any(${[...attempts]}::text[])
      returning shard, attempt)
    select shard, attempt, false as is_silent from current
    union all select shard, attempt, true from silent`.execute(db);
  return {
    current: rows.filter((row) => !row.is_silent).map(({ attempt }) => attempt),
    silent: rows.filter((row) => row.is_silent).map(({ shard, attempt }) => ({ shard, attempt })),
  };
};
