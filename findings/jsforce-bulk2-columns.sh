#!/usr/bin/env bash
# GUESS: bulk2 takes the same records as insert(): a Date goes as ISO 8601, a reference by external id ({ Account: {
#   Ext__c: 'a' } }) as the one column Account.Ext__c.
# REALLY: A Date goes as milliseconds since 1970. A nested reference gives two columns: Account.Ext__c, and Account
#   with the JSON text of the whole object; a list gives a JSON column and one column for each place (Tags, Tags.0,
#   Tags.1). insert() of the same record sends ISO 8601 and a nested object.
# VERSIONS: jsforce 3.10.26 (npm), Node 24.21.0.
# WHY: A team moves a load from insert() to bulk2 because it has grown. A column that is no field ends the job, and a
#   number is no date-time to the Bulk API.
# LIVE WITH IT: Flatten records before uploadData: 'Account.Ext__c' as a key, dates as toISOString(), lists joined by
#   ";". Or upload CSV text that you wrote.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 jsforce@3.10.26 csv-parse@7.0.3
cat > run.mjs <<'JS'
import assert from 'node:assert/strict';
import http from 'node:http';
import { parse } from 'csv-parse/sync';
import jsforce from 'jsforce';

const seen = {};
const server = http.createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  seen[request.method] = body;
  response.writeHead(request.method === 'PUT' ? 201 : 200, { 'content-type': 'application/json' });
  response.end(request.method === 'PUT' ? '' : '{"id":"7505e0000000001AAA","state":"Open","success":true,"errors":[]}');
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const instanceUrl = `http://127.0.0.1:${server.address().port}`;
const connection = new jsforce.Connection({ instanceUrl, accessToken: 'example', version: '67.0' });
const record = () => ({ Name: 'a', Sent__c: new Date(0), Account: { Ext__c: 'e-1' }, Tags: ['x', 'y'] });

const job = connection.bulk2.createJob({ object: 'Opportunity', operation: 'upsert', externalIdFieldName: 'Key__c' });
await job.open();
await job.uploadData([{ Key__c: 'k', ...record() }]);
const [row] = parse(seen.PUT, { columns: true });
console.log(`Node ${process.version}; bulk2 sent:`, row);
await connection.sobject('Opportunity').create(record());
console.log('create() sent:', seen.POST);
assert.equal(row.Sent__c, '0');
assert.equal(row.Account, '{"Ext__c":"e-1"}');
assert.equal(row['Account.Ext__c'], 'e-1');
assert.deepEqual([row.Tags, row['Tags.0'], row['Tags.1']], ['["x","y"]', 'x', 'y']);
assert.equal(JSON.parse(seen.POST).Sent__c, '1970-01-01T00:00:00.000Z');
server.close();
server.closeAllConnections();
JS
node_modules/.bin/node run.mjs
