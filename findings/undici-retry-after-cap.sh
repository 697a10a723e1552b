#!/usr/bin/env bash
# GUESS: undici's RetryAgent waits as long as the server's Retry-After says. maxTimeout bounds its own exponential
#   back-off.
# REALLY: maxTimeout (30 seconds by default) bounds Retry-After too. A 429 with Retry-After: 120 is repeated after 30
#   seconds, five times by default, all of them inside the pause that the server asked for. The script uses 4 seconds
#   and a bound of half a second.
# VERSIONS: undici 8.12.4 (npm), Node 24.21.0.
# WHY: Interfaces with a budget count requests made inside the pause against the caller, or lengthen the pause, and
#   all tries are spent before it ends.
# LIVE WITH IT: Set maxTimeout above the longest Retry-After that you mean to honour, or give a `retry` callback that
#   reads the header and gives up when the pause is too long to wait for.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 undici@8.12.4
cat > run.mjs <<'JS'
import assert from 'node:assert/strict';
import http from 'node:http';
import { Agent, RetryAgent, request } from 'undici';

const times = [];
const server = http.createServer((_request, response) => {
  times.push(Date.now());
  response.writeHead(times.length === 1 ? 429 : 200, { 'retry-after': '4' });
  response.end();
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const url = `http://127.0.0.1:${server.address().port}`;
const waited = async (options) => {
  times.length = 0;
  const answer = await request(url, { dispatcher: new RetryAgent(new Agent(), options) });
  await answer.body.dump();
  assert.equal(answer.statusCode, 200);
  return times[1] - times[0];
};
console.log(`Node ${process.version}, undici 8.12.4`);
const bounded = await waited({ maxTimeout: 500 });
console.log(`Retry-After: 4, maxTimeout 500 ms: repeated after ${bounded} ms`);
assert.ok(bounded >= 450 && bounded < 3500);
const free = await waited({});
console.log(`Retry-After: 4, maxTimeout not given (30 s): repeated after ${free} ms`);
assert.ok(free >= 3900);
process.exit();
JS
node_modules/.bin/node run.mjs
