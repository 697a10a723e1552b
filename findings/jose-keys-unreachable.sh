#!/usr/bin/env bash
# GUESS: createRemoteJWKSet goes on with the keys it has while the identity provider's key address is down, and its
#   cooldown of 30 seconds bounds how often that address is asked, whatever comes back.
# REALLY: Once the keys are older than cacheMaxAge (ten minutes by default) every token is refused while the address
#   is down, those of a known key too. The cooldown is counted from the last answer of 200: while the address answers
#   503, each token with an unknown kid, or with stale keys, costs one more request.
# VERSIONS: jose 6.2.17 (npm), Node 24.21.0.
# WHY: A restart of the identity provider of some seconds, ten minutes after the last reading, is an outage of every
#   service that verifies its tokens, and each of their requests then becomes a request to the provider that is coming
#   up.
# LIVE WITH IT: Read the keys by a timer ahead of cacheMaxAge (`reload()`), keep the last good set as a fallback with
#   createLocalJWKSet, and count failed readings yourself: after one, wait before the next.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 jose@6.2.17
cat > run.mjs <<'JS'
import assert from 'node:assert/strict';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createRemoteJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';

const key = async (kid) => {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  return { jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256' }, kid, privateKey };
};
const [old, next] = [await key('old'), await key('next')];
let status = 200;
let requests = 0;
const provider = http.createServer((_request, response) => {
  requests += 1;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(status === 200 ? JSON.stringify({ keys: [old.jwk] }) : '{}');
});
await new Promise((done) => provider.listen(0, '127.0.0.1', done));
const url = new URL(`http://127.0.0.1:${provider.address().port}/keys`);
const token = ({ kid, privateKey }) =>
  new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid }).setExpirationTime('1h').sign(privateKey);
const verify = async (keys, of) => {
  try {
    await jwtVerify(await token(of), keys);
    return 'verified';
  } catch (error) {
    return error.code;
  }
};
console.log(`Node ${process.version}`);

const keys = createRemoteJWKSet(url, { cooldownDuration: 500, cacheMaxAge: 60_000 });
assert.equal(await verify(keys, old), 'verified');
await pause(600);
status = 503;
requests = 0;
const answers = new Set();
for (let i = 0; i < 20; i += 1) answers.add(await verify(keys, next));
console.log(`20 tokens of an unknown key while the address answers 503: ${requests} requests, ${[...answers]}`);
assert.equal(requests, 20);
console.log('a token of the known key, cache fresh:', await verify(keys, old));
assert.equal(await verify(keys, old), 'verified');

status = 200;
const brief = createRemoteJWKSet(url, { cacheMaxAge: 300 });
assert.equal(await verify(brief, old), 'verified');
status = 503;
await pause(400);
const stale = await verify(brief, old);
console.log('the same token once the cache is older than cacheMaxAge:', stale);
assert.equal(stale, 'ERR_JOSE_GENERIC');
provider.close();
provider.closeAllConnections();
JS
node_modules/.bin/node run.mjs
