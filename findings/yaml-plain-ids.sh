#!/usr/bin/env bash
# GUESS: A plain YAML scalar such as the record id 0015E0000012345 is a text for every reader. A tool that writes a
#   text quotes it where another reader could take it for something else.
# REALLY: PyYAML (YAML 1.1) writes that id without quotes, and reads it as a text. The npm package yaml (YAML 1.2)
#   reads the same scalar as a number in exponent form: Infinity. The other way round, yaml writes '12:30' and '1_000'
#   without quotes, and PyYAML reads them as the integers 750 and 1000. A key is a scalar too: 007 as a key becomes
#   "7". `<<: *name` merges in PyYAML and is a key named "<<" in yaml. No reader warns.
# VERSIONS: PyYAML 6.0.3 (PyPI), yaml 2.9.1 (npm), Node 24.21.0.
# WHY: Salesforce ids of 15 characters whose only letter is an E have exactly this form. A script in Python writes a
#   file of owners, accounts or picklist codes, a service in Node reads it, and one id in many is lost.
# LIVE WITH IT: Quote every id and code, keys too. Refuse a number where a text is expected instead of turning it into
#   one. Use the 18-character form of ids, whose last three characters keep it a text. Write with `version: '1.1'` for
#   readers of YAML 1.1.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 yaml@2.9.1
python3 -m venv py
py/bin/pip install --quiet --no-compile --disable-pip-version-check PyYAML==6.0.3

py/bin/python - > from-python.yaml <<'PY'
import yaml
print(yaml.safe_dump({"account": "0015E0000012345", "account18": "0015E0000012345QAA", "code": "1e3"}), end="")
PY
cat > read.mjs <<'JS'
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
const text = readFileSync('from-python.yaml', 'utf8');
console.log(`Node ${process.version}; PyYAML wrote:\n${text}`);
const read = parse(text);
console.log('yaml (npm) reads:', read);
assert.deepEqual(read, { account: Infinity, account18: '0015E0000012345QAA', code: 1000 });
const keys = Object.keys(parse('007: Alpha\n0015E0000012345: Beta\n'));
console.log('yaml (npm) reads the keys 007 and 0015E0000012345 as:', keys);
assert.deepEqual(keys, ['7', 'Infinity']);
const merged = parse('base: &base { a: 1 }\nwhole:\n  <<: *base\n  b: 2\n').whole;
console.log('yaml (npm) reads a merge key as:', merged);
assert.deepEqual(merged, { '<<': { a: 1 }, b: 2 });
const own = { opens: '12:30', amount: '1_000', day: '2026-11-28' };
writeFileSync('from-node.yaml', stringify(own));
assert.deepEqual(parse(stringify(own)), own);
JS
node_modules/.bin/node read.mjs
cat > read.py <<'PY'
import datetime, yaml
text = open("from-node.yaml").read()
print("yaml (npm) wrote:", text, sep="\n")
read = yaml.safe_load(text)
print("PyYAML", yaml.__version__, "reads:", read)
assert read == {"opens": 750, "amount": 1000, "day": datetime.date(2026, 11, 28)}, read
merged = yaml.safe_load("base: &base { a: 1 }\nwhole:\n  <<: *base\n  b: 2\n")["whole"]
print("PyYAML reads a merge key as:", merged)
assert merged == {"a": 1, "b": 2}, merged
assert yaml.safe_load("id: 0015E0000012345") == {"id": "0015E0000012345"}
PY
py/bin/python read.py
