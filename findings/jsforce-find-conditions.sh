#!/usr/bin/env bash
# GUESS: find({ Id: { $in: [] } }) asks for no record or is refused. find({ Amount: { $gt: 1, $lt: 2 } }) asks for a
#   range. A Date becomes a SOQL date-time.
# REALLY: An empty list, an empty $or and an undefined value each drop the condition: the query asks for every record.
#   Of two operators on one field only the first goes into the query. A Date becomes `Thu Jan 01 1970 …`, which
#   Salesforce refuses. Nothing is logged.
# VERSIONS: jsforce 3.10.26 (npm), Node 24.21.0.
# WHY: "The records of this list" with a list that happens to be empty reads the whole object, and find(…).destroy()
#   and find(…).update() take their records from the same query.
# LIVE WITH IT: Return early on an empty list. Write a range as $and of two conditions. Wrap dates:
#   SfDate.toDateTimeLiteral(date). Look at toSOQL() in a test, or write the SOQL yourself.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 jsforce@3.10.26
cat > run.mjs <<'JS'
import assert from 'node:assert/strict';
import jsforce from 'jsforce';

const connection = new jsforce.Connection({ instanceUrl: 'http://127.0.0.1:9', accessToken: 'example', version: '67.0' });
const soql = (conditions) => connection.sobject('Opportunity').find(conditions, ['Id']).toSOQL();
const ALL = 'SELECT Id FROM Opportunity';
const cases = [
  ['an empty $in', { Id: { $in: [] } }, ALL],
  ['an empty $nin', { Id: { $nin: [] } }, ALL],
  ['an empty $or', { $or: [] }, ALL],
  ['an undefined value', { AccountId: undefined }, ALL],
  ['a range on one field', { Amount: { $gt: 1, $lt: 2 } }, `${ALL} WHERE Amount > 1`],
  ['a range as $and', { $and: [{ Amount: { $gt: 1 } }, { Amount: { $lt: 2 } }] }, `${ALL} WHERE Amount > 1 AND Amount < 2`],
];
console.log(`Node ${process.version}, jsforce ${jsforce.VERSION ?? ''}`);
for (const [what, conditions, expected] of cases) {
  const seen = await soql(conditions);
  console.log(`${what}: ${seen}`);
  assert.equal(seen, expected);
}
const date = await soql({ CreatedDate: { $gt: new Date(0) } });
console.log(`a Date: ${date}`);
assert.match(date, /WHERE CreatedDate > (Thu Jan 01 1970|Wed Dec 31 1969)/);
JS
node_modules/.bin/node run.mjs
