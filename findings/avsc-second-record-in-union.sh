#!/usr/bin/env bash
# GUESS: A newer schema that adds one more record to the union of a field leaves the decoded shape of older values
#   alone.
# REALLY: avsc decodes ["null", Name, "string"] to the plain value. With a second record in that union the branches
#   are ambiguous to it, so each value of the field comes wrapped in the name of its branch: {x} becomes {Name: {x}}, and a plain text becomes { string: 'text' }. The bytes are the same; a resolver to the newer schema wraps
#   too. fastavro gives the plain value each time.
# VERSIONS: avsc 5.7.9 (npm), fastavro 1.13.1 (PyPI), Node 24.21.0.
# WHY: Change events of Salesforce have unions of records (a person's name, an address), and a schema grows without
#   notice. The consumer that read event.Name reads undefined from then on, and takes the field for cleared.
# LIVE WITH IT: Build each type with wrapUnions: 'always' (or 'never' where only one branch may be a record) and
#   unwrap in one place, so that the shape does not depend on the schema's other branches.
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

const record = (name, field) => ({ type: 'record', name, fields: [{ name: field, type: 'string' }] });
const event = (...more) => ({
  type: 'record',
  name: 'Event',
  fields: [{ name: 'Name', type: ['null', record('PersonName', 'LastName'), 'string', ...more] }],
});
const schemas = { first: event(), second: event(record('CompanyName', 'Legal')) };
writeFileSync('schemas.json', JSON.stringify(schemas));
const [first, second] = [schemas.first, schemas.second].map((schema) => avsc.Type.forSchema(schema));
const plain = (value) => JSON.parse(JSON.stringify(value));
console.log(`Node ${process.version}`);
for (const [name, wrapped] of [
  [{ LastName: 'Example' }, { PersonName: { LastName: 'Example' } }],
  ['Example', { string: 'Example' }],
]) {
  const bytes = first.toBuffer({ Name: name });
  const [before, after, resolved] = [
    first.fromBuffer(bytes),
    second.fromBuffer(bytes),
    second.fromBuffer(bytes, second.createResolver(first)),
  ].map(plain);
  console.log('one record in the union:', before, '; two:', after, '; two, through a resolver:', resolved);
  assert.deepEqual([before, after, resolved], [{ Name: name }, { Name: wrapped }, { Name: wrapped }]);
  writeFileSync('event.avro', bytes);
}
JS
node_modules/.bin/node run.mjs
cat > read.py <<'PY'
import fastavro, io, json
schemas = json.load(open("schemas.json"))
for name in ("first", "second"):
    read = fastavro.schemaless_reader(io.BytesIO(open("event.avro", "rb").read()), fastavro.parse_schema(schemas[name]))
    print("fastavro", fastavro.__version__, name, "schema:", read)
    assert read == {"Name": "Example"}, read
PY
py/bin/python read.py
