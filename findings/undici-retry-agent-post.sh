#!/usr/bin/env bash
# GUESS: undici's RetryAgent repeats a POST that got 503, or hands the 503 answer to the caller, as an Agent does.
# REALLY: POST and PATCH are not in its list of methods, so they are not repeated, and the caller gets no answer:
#   request() throws UND_ERR_REQ_RETRY "Request failed". The answer's body is lost; the status is on the error. A 400 comes back as an answer.
# VERSIONS: undici 8.12.4 (npm), Node 24.21.0.
# WHY: Code that reads the body of a failed write (which record was refused, is it maintenance) gets an exception
#   instead, and code that takes every exception for a lost connection tries a write again that the server has
#   refused.
# LIVE WITH IT: Use a plain Agent for writes, or throwOnError: false in the options of the RetryAgent.
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

let status = 503;
let requests = 0;
const server = http.createServer((incoming, response) => {
  requests += 1;
  incoming.resume();
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end('{"error":"MAINTENANCE"}');
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const url = `http://127.0.0.1:${server.address().port}`;
const post = async (dispatcher) => {
  requests = 0;
  try {
    const answer = await request(url, { method: 'POST', body: '{}', dispatcher });
    return [answer.statusCode, await answer.body.text(), requests];
  } catch (error) {
    return [error.code, error.body ?? error.data?.body, error.statusCode, requests];
  }
};
const retrying = (options) => new RetryAgent(new Agent(), { minTimeout: 20, ...options });
console.log(`Node ${process.version}, undici 8.12.4`);
const plain = await post(new Agent());
const thrown = await post(retrying());
const kept = await post(retrying({ throwOnError: false }));
status = 400;
const refused = await post(retrying());
console.log({ 'Agent, 503': plain, 'RetryAgent, 503': thrown, 'throwOnError: false, 503': kept, 'RetryAgent, 400': refused });
assert.deepEqual(plain, [503, '{"error":"MAINTENANCE"}', 1]);
assert.deepEqual(thrown, ['UND_ERR_REQ_RETRY', undefined, 503, 1]);
assert.deepEqual(kept, [503, '{"error":"MAINTENANCE"}', 1]);
assert.deepEqual(refused, [400, '{"error":"MAINTENANCE"}', 1]);
process.exit();
JS
node_modules/.bin/node run.mjs
