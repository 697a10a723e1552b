#!/usr/bin/env bash
# GUESS: z.toJSONSchema describes what parse() takes: a key with a default need not be sent, and further keys, which
#   z.object drops, may be.
# REALLY: By default it describes what parse() gives back. A key with a default is in `required`, and
#   `additionalProperties` is false. A validator with that schema refuses bodies that zod takes. With io: 'input' both
#   are right.
# VERSIONS: zod 4.6.7, ajv 8.20.0 (npm), Node 24.21.0.
# WHY: The generated schema becomes the OpenAPI document of a request, a contract test or the check of a gateway.
#   Clients that leave a defaulted key out, or send one key more, get 400 from the gateway for requests that the
#   service itself takes.
# LIVE WITH IT: Pass { io: 'input' } for requests and { io: 'output' } for answers; never use one schema for both.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 zod@4.6.7 ajv@8.20.0
cat > run.mjs <<'JS'
import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';

const order = z.object({ name: z.string(), currency: z.string().default('EUR') });
const takes = (schema, body) => new Ajv2020().compile(schema)(body);
const bodies = [{ name: 'a' }, { name: 'a', currency: 'EUR', note: 'more' }];
console.log(`Node ${process.version}`);
const plain = z.toJSONSchema(order);
console.log('z.toJSONSchema(order):', JSON.stringify(plain));
for (const body of bodies) {
  const seen = [order.safeParse(body).success, takes(plain, body), takes(z.toJSONSchema(order, { io: 'input' }), body)];
  console.log(JSON.stringify(body), '→ zod, schema, schema with io input:', seen);
  assert.deepEqual(seen, [true, false, true]);
}
JS
node_modules/.bin/node run.mjs
