#!/usr/bin/env bash
# GUESS: Calling a tool that does not exist, or with wrong arguments, rejects in the client with a JSON-RPC error. A
#   tool whose schema cannot be written as JSON Schema is refused when it is registered.
# REALLY: Both calls resolve: the error is a text in `content`, with isError: true. A tool with z.date() registers and
#   can be called, but tools/list then fails for all tools of the server ("Date cannot be represented in JSON
#   Schema").
# VERSIONS: @modelcontextprotocol/sdk 1.32.2, zod 4.6.7 (npm), Node 24.21.0.
# WHY: Code with a try around callTool takes "tool not found" for the tool's result. One date in one tool takes the
#   whole server away from every client, because clients list before they call.
# LIVE WITH IT: Check isError on each result. Take dates as z.iso.datetime() texts. List the tools once in a test of
#   the server.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 @modelcontextprotocol/sdk@1.32.2 zod@4.6.7
cat > run.mjs <<'JS'
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

const connected = async (tools) => {
  const server = new McpServer({ name: 'example', version: '1.0.0' });
  for (const [name, inputSchema] of Object.entries(tools)) {
    server.registerTool(name, { inputSchema }, async (args) => ({ content: [{ type: 'text', text: JSON.stringify(args) }] }));
  }
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: 'example', version: '1.0.0' });
  await client.connect(near);
  return client;
};
console.log(`Node ${process.version}`);
const plain = await connected({ find: { limit: z.number() } });
for (const call of [{ name: 'search', arguments: {} }, { name: 'find', arguments: { limit: 'ten' } }]) {
  const result = await plain.callTool(call);
  console.log('callTool', call, 'resolves to', JSON.stringify(result));
  assert.equal(result.isError, true);
}
assert.equal((await plain.listTools()).tools.length, 1);

const dated = await connected({ find: { limit: z.number() }, since: { from: z.date().optional() } });
assert.equal((await dated.callTool({ name: 'find', arguments: { limit: 1 } })).isError, undefined);
const refusal = await dated.listTools().then(() => 'listed', (error) => error.message);
console.log('listTools with one z.date() among the tools:', refusal);
assert.match(refusal, /Date cannot be represented in JSON Schema/);
await Promise.all([plain.close(), dated.close()]);
JS
node_modules/.bin/node run.mjs
