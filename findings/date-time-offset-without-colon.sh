#!/usr/bin/env bash
# GUESS: z.iso.datetime({ offset: true }) takes Salesforce's 2026-11-28T10:00:00.000+0000, as zod 3 did; the format
#   date-time of ajv-formats refuses it, because RFC 3339 wants a colon in the offset.
# REALLY: Exactly the other way round. zod 4 refuses +0000 and takes only +00:00. ajv-formats takes +0000, and even
#   +00. zod 3 takes both.
# VERSIONS: zod 4.6.7 and 3.25.76, ajv 8.20.0, ajv-formats 3.0.1 (npm), Node 24.21.0.
# WHY: Every date-time of Salesforce's REST answers ends in +0000. After the move from zod 3 each record is refused,
#   while a contract test that checks the same stamps by the published JSON Schema stays green.
# LIVE WITH IT: Turn the stamp into +00:00 (or `new Date(…)`, which takes it) before the schema, or use a pattern of
#   your own. Do not rely on format date-time to find such stamps.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 zod@4.6.7 zod3@npm:zod@3.25.76 ajv@8.20.0 ajv-formats@3.0.1
cat > run.mjs <<'JS'
import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { z } from 'zod';
import { z as z3 } from 'zod3';

const ajv = formats.default(new Ajv());
const taken = (text) => ({
  zod4: z.iso.datetime({ offset: true }).safeParse(text).success,
  zod3: z3.string().datetime({ offset: true }).safeParse(text).success,
  ajvFormats: ajv.validate({ type: 'string', format: 'date-time' }, text),
});
const expected = {
  '2026-11-28T10:00:00.000+00:00': { zod4: true, zod3: true, ajvFormats: true },
  '2026-11-28T10:00:00.000+0000': { zod4: false, zod3: true, ajvFormats: true },
};
console.log(`Node ${process.version}`);
for (const [text, verdicts] of Object.entries(expected)) {
  console.log(text, taken(text));
  assert.deepEqual(taken(text), verdicts);
}
assert.equal(taken('2026-11-28T10:00:00+00').ajvFormats, true);
JS
node_modules/.bin/node run.mjs
