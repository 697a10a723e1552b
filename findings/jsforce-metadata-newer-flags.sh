#!/usr/bin/env bash
# GUESS: Two flags of a Flow, both `false` in the answer of readMetadata, come from metadata.read as two booleans.
# REALLY: One is the boolean false, the other the string 'false', which is true in an `if`. jsforce converts by a list of
#   each type's fields that the package contains; a field that the list lacks stays text. Of Flow it knows `isTemplate`
#   and lacks `isOverridable` and `apiVersion`, so that `start.locationX` is a number and `apiVersion` is text. One
#   element of a list that it lacks, `environments`, comes as text and not as a list of one. Nothing is logged.
# VERSIONS: jsforce 3.10.26 (npm), Node 24.21.0.
# WHY: Code that audits an org ("which flows are overridable?") counts every flow, and the types say `boolean | undefined`
#   for neighbours only, so that the compiler is silent about a field read by name.
# LIVE WITH IT: Compare such a field with the text too, or convert by name. Look into lib/api/metadata/schema.js of the
#   installed version for the fields that it knows.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 jsforce@3.10.26
cat > run.mjs <<'JS'
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import jsforce from 'jsforce';

const SOAP = 'xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const flow = `<records xsi:type="Flow"><fullName>Example</fullName><apiVersion>67.0</apiVersion>
  <environments>Default</environments><isOverridable>false</isOverridable><isTemplate>false</isTemplate>
  <start><locationX>0</locationX><locationY>0</locationY></start></records>`;
const answer = `<e:Envelope ${SOAP}><e:Body><readMetadataResponse xmlns="http://soap.sforce.com/2006/04/metadata">
  <result>${flow}</result></readMetadataResponse></e:Body></e:Envelope>`;
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'text/xml' }).end(answer));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const instanceUrl = `http://127.0.0.1:${server.address().port}`;
const connection = new jsforce.Connection({ instanceUrl, accessToken: 'example', version: '67.0' });
const { isTemplate, isOverridable, apiVersion, environments, start } = await connection.metadata.read('Flow', 'Example');
server.close();
const seen = { isTemplate, isOverridable, apiVersion, environments, locationX: start.locationX };
console.log(`Node ${process.version}, jsforce ${jsforce.VERSION ?? ''}: ${JSON.stringify(seen)}`);
const text = { isOverridable: 'false', apiVersion: '67.0', environments: 'Default' };
assert.deepEqual(seen, { isTemplate: false, ...text, locationX: 0 });
JS
node_modules/.bin/node run.mjs
