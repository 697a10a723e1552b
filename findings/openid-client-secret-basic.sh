#!/usr/bin/env bash
# GUESS: openid-client authenticates with HTTP Basic unless asked otherwise, as RFC 7591 and discovery documents have
#   it, and Basic leaves letters, digits, "-", "." and "_" of id and secret as they are.
# REALLY: The default is client_secret_post: id and secret go in the body. With ClientSecretBasic every "-", ".", "_"
#   and "~" is percent-encoded before base64: the id 3MVG9.A_b-c goes as 3MVG9%2EA%5Fb%2Dc. RFC 6749 allows it, and a
#   server that decodes sees the right id; one that compares as received sees another.
# VERSIONS: openid-client 6.8.9 (npm), Node 24.21.0.
# WHY: Consumer keys of Salesforce hold dots and underscores, secrets made by password generators hold hyphens. Where
#   the token address does not decode, the answer is invalid_client although curl with -u and the same two values
#   works.
# LIVE WITH IT: Name the method (ClientSecretPost or ClientSecretBasic) instead of relying on a default. On
#   invalid_client with Basic, try the same pair with curl -u: if curl works, the server does not decode, so use
#   ClientSecretPost or a private key.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 openid-client@6.8.9
cat > run.mjs <<'JS'
import assert from 'node:assert/strict';
import http from 'node:http';
import { allowInsecureRequests, ClientSecretBasic, clientCredentialsGrant, Configuration } from 'openid-client';

let seen;
const server = http.createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const { authorization = '' } = request.headers;
  seen = { basic: Buffer.from(authorization.replace('Basic ', ''), 'base64').toString(), body };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end('{"access_token":"example","token_type":"Bearer"}');
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const issuer = `http://127.0.0.1:${server.address().port}`;
const ask = async (method) => {
  const metadata = { issuer, token_endpoint: `${issuer}/token` };
  const config = new Configuration(metadata, '3MVG9.A_b-c', 'one-two_three.four~five', method);
  allowInsecureRequests(config);
  await clientCredentialsGrant(config);
  return seen;
};
console.log(`Node ${process.version}`);
const unnamed = await ask();
console.log('method not named:', unnamed);
assert.equal(unnamed.basic, '');
assert.equal(new URLSearchParams(unnamed.body).get('client_secret'), 'one-two_three.four~five');
const basic = await ask(ClientSecretBasic('one-two_three.four~five'));
console.log('ClientSecretBasic:', basic);
assert.equal(basic.basic, '3MVG9%2EA%5Fb%2Dc:one%2Dtwo%5Fthree%2Efour%7Efive');
server.close();
server.closeAllConnections();
JS
node_modules/.bin/node run.mjs
