#!/usr/bin/env bash
# GUESS: z.object({ currency: z.string().default('EUR') }).partial() takes {} and gives {}: partial() makes each key
#   optional, so an absent key stays absent, as in zod 3.
# REALLY: zod 4 applies the default inside the optional: {} becomes { currency: 'EUR' }. The same with
#   `.default(…).optional()`. zod 3 gives {}. No type error: the input type allows the absent key in both.
# VERSIONS: zod 4.6.7 and 3.25.76 (npm), Node 24.21.0.
# WHY: The usual schema of a PATCH is the schema of the create made partial. After the move to zod 4 a PATCH of one
#   field also writes every defaulted field: it overwrites what a person has set with the default.
# LIVE WITH IT: Keep defaults out of the shape that both schemas share and add them to the create alone. A test for
#   each PATCH schema: parsing {} gives {}.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 zod@4.6.7 zod3@npm:zod@3.25.76
cat > run.mjs <<'JS'
import assert from 'node:assert/strict';
import { z } from 'zod';
import { z as z3 } from 'zod3';

const patched = (zod) => {
  const create = zod.object({ name: zod.string(), currency: zod.string().default('EUR') });
  return create.partial().parse({ name: 'Renewal' });
};
console.log(`Node ${process.version}`);
console.log('zod 3, PATCH of the name:', patched(z3));
console.log('zod 4, PATCH of the name:', patched(z));
assert.deepEqual(patched(z3), { name: 'Renewal' });
assert.deepEqual(patched(z), { name: 'Renewal', currency: 'EUR' });
const optional = z.object({ currency: z.string().default('EUR').optional() }).parse({});
console.log('zod 4, .default().optional() of {}:', optional);
assert.deepEqual(optional, { currency: 'EUR' });
JS
node_modules/.bin/node run.mjs
