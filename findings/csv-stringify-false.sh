#!/usr/bin/env bash
# GUESS: csv-stringify writes false as "false" and a Date as ISO 8601, as JSON does.
# REALLY: true becomes 1; false becomes an empty cell, which no reader can tell from null, undefined or an empty text;
#   a Date becomes milliseconds since 1970. csv-parse with `cast: true` and `cast_date: true` brings none of them
#   back.
# VERSIONS: csv-stringify 6.9.0, csv-parse 7.0.3 (npm), Node 24.21.0.
# WHY: Bulk interfaces, Salesforce's Bulk API 2.0 among them, leave a field alone whose cell is empty: a checkbox that
#   was switched off stays on, and the job reports success.
# LIVE WITH IT: Give both casts: { cast: { boolean: String, date: (d) => d.toISOString() } }, and write "#N/A" for
#   null where the reader wants it. A test: write a row of false, null and a date, read it, compare.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 csv-stringify@6.9.0 csv-parse@7.0.3
cat > run.mjs <<'JS'
import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';

const row = { on: true, off: false, none: null, absent: undefined, empty: '', at: new Date(86_400_000) };
console.log(`Node ${process.version}`);
const text = stringify([row], { header: true });
console.log(text);
assert.equal(text, 'on,off,none,absent,empty,at\n1,,,,,86400000\n');
const [back] = parse(text, { columns: true, cast: true, cast_date: true });
console.log('read with cast and cast_date:', back);
assert.deepEqual(back, { on: 1, off: '', none: '', absent: '', empty: '', at: 86_400_000 });
const cast = { boolean: String, date: (date) => date.toISOString() };
const careful = stringify([row], { header: true, cast });
console.log(careful);
assert.equal(careful.split('\n')[1], 'true,false,,,,1970-01-02T00:00:00.000Z');
JS
node_modules/.bin/node run.mjs
