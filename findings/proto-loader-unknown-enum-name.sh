#!/usr/bin/env bash
# GUESS: A request with an enum name that the .proto file does not have is refused by @grpc/proto-loader before it is
#   sent. With `enums: String` an unknown number in an answer becomes a text.
# REALLY: An unknown name is sent as nothing, so the server sees the first value, without an error. An unknown number
#   arrives as a number, among texts. An unknown field name in a request is dropped as silently.
# VERSIONS: @grpc/proto-loader 0.8.1, @grpc/grpc-js 1.14.7 (npm), Node 24.21.0.
# WHY: In Salesforce's Pub/Sub API the first value of ReplayPreset is LATEST. A client that asks for "EARLIST"
#   subscribes to new events alone, and the events kept for 72 hours are skipped for good, with a healthy stream to
#   look at.
# LIVE WITH IT: Take names from the loaded definition (`type.value`) or from generated types and check them before the
#   call. When you read, handle typeof value === 'number'.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 @grpc/proto-loader@0.8.1 @grpc/grpc-js@1.14.7
cat > client.proto <<'PROTO'
syntax = "proto3";
enum Preset { LATEST = 0; EARLIEST = 1; CUSTOM = 2; }
message Ask { Preset preset = 1; string topic = 2; }
message Shown { Preset preset = 1; string topic = 2; }
service Events { rpc Subscribe (Ask) returns (Shown); }
PROTO
sed 's/CUSTOM = 2;/CUSTOM = 2; FROM_TIME = 3;/' client.proto > server.proto
cat > run.mjs <<'JS'
import assert from 'node:assert/strict';
import grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const load = (file) => grpc.loadPackageDefinition(loadSync(file, { enums: String, defaults: true })).Events;
const server = new grpc.Server();
server.addService(load('server.proto').service, {
  Subscribe: ({ request }, answer) => {
    console.log('the server sees:', request);
    answer(null, request.topic === 'newer' ? { preset: 'FROM_TIME' } : request);
  },
});
const port = await new Promise((done, failed) =>
  server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) => (error ? failed(error) : done(bound))),
);
const client = new (load('client.proto'))(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
const call = (request) =>
  new Promise((done, failed) => client.Subscribe(request, (error, answer) => (error ? failed(error) : done(answer))));
console.log(`Node ${process.version}`);
assert.equal((await call({ preset: 'EARLIEST', topic: 'a' })).preset, 'EARLIEST');
const misspelt = await call({ preset: 'EARLIST', topci: 'a' });
console.log('asked with preset EARLIST and topci a, no error; answer:', misspelt);
assert.deepEqual({ ...misspelt }, { preset: 'LATEST', topic: '' });
const newer = await call({ preset: 'CUSTOM', topic: 'newer' });
console.log('a value that only the server knows:', newer);
assert.strictEqual(newer.preset, 3);
client.close();
server.forceShutdown();
JS
node_modules/.bin/node run.mjs
