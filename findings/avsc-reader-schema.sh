#!/usr/bin/env bash
# GUESS: A reader's schema resolves records by their unqualified name, as the Avro specification says. A writer's enum
#   with one symbol more than the reader's fails on events that carry this symbol; the others decode.
# REALLY: avsc compares full names: another namespace is refused ("no alias found") when the resolver is built. An
#   enum with one unknown symbol refuses the whole schema at the same moment, so no event of that topic decodes.
#   fastavro decodes in all three cases.
# VERSIONS: avsc 5.7.9 (npm), fastavro 1.13.1 (PyPI), Node 24.21.0.
# WHY: Two consumers of one topic, one in Python and one in Node, with the same reader's schema: the day the publisher
#   adds a change type, the one in Node stops for all events.
# LIVE WITH IT: Give the reader's record the writer's full name as an alias, and each enum a default. Or decode with
#   the writer's schema, as change event consumers do, and map the fields yourself.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 avsc@5.7.9
python3 -m venv py
py/bin/pip install --quiet --no-compile --disable-pip-version-check fastavro==1.13.1
cat > run.mjs <<'JS'
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import avsc from 'avsc';

const event = (name, symbols, more = {}) => ({
  type: 'record',
  name,
  fields: [{ name: 'change', type: { type: 'enum', name: 'com.vendor.Change', symbols, ...more } }],
});
const two = ['CREATE', 'UPDATE'];
const pairs = {
  namespace: [event('com.vendor.Event', two), event('org.partner.Event', two)],
  symbol: [event('com.vendor.Event', [...two, 'MERGE']), event('com.vendor.Event', two)],
  default: [event('com.vendor.Event', [...two, 'MERGE']), event('com.vendor.Event', two, { default: 'UPDATE' })],
};
writeFileSync('pairs.json', JSON.stringify(pairs));
const decode = ([writer, reader]) => {
  const [from, to] = [writer, reader].map((schema) => avsc.Type.forSchema(schema));
  try {
    return to.fromBuffer(from.toBuffer({ change: 'CREATE' }), to.createResolver(from)).change;
  } catch (error) {
    return `refused: ${error.message}`;
  }
};
console.log(`Node ${process.version}`);
const seen = Object.fromEntries(Object.entries(pairs).map(([name, pair]) => [name, decode(pair)]));
console.log('avsc, an event whose symbol both know:', seen);
assert.match(seen.namespace, /^refused: no alias found/);
assert.match(seen.symbol, /^refused: cannot read/);
assert.equal(seen.default, 'CREATE');
JS
node_modules/.bin/node run.mjs
cat > read.py <<'PY'
import fastavro, io, json
for name, (writer, reader) in json.load(open("pairs.json")).items():
    data = io.BytesIO()
    fastavro.schemaless_writer(data, fastavro.parse_schema(writer), {"change": "CREATE"})
    data.seek(0)
    read = fastavro.schemaless_reader(data, fastavro.parse_schema(writer), fastavro.parse_schema(reader))
    print("fastavro", fastavro.__version__, name, read)
    assert read == {"change": "CREATE"}, read
PY
py/bin/python read.py
