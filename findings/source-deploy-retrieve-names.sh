#!/usr/bin/env bash
# GUESS: A source file whose <fullName> differs from its file name is refused by source-deploy-retrieve, or the
#   manifest follows the content. A file with the wrong ending is reported.
# REALLY: The manifest takes the name of the file, the converted object keeps the name in the content, and nothing is
#   reported: a package that asks for Opportunity.Region__c and holds Opportunity.Area__c. A field in the folder of
#   list views is taken. A field file ending in .xml without "-meta" is left out, silently. Elements that no metadata
#   type has are carried along.
# VERSIONS: @salesforce/source-deploy-retrieve 13.7.0 (npm), Node 24.21.0.
# WHY: An offline build is taken as proof that a package deploys. A copied and renamed file passes it, and the org
#   then answers that the component of the manifest is not in the package; a left-out field is found when the first
#   record needs it.
# LIVE WITH IT: Beside the build, compare for each component the file's name with <fullName>, and the list of
#   components with the list of files.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 @salesforce/source-deploy-retrieve@13.7.0
cat > run.mjs <<'JS'
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import sdr from '@salesforce/source-deploy-retrieve';

const write = (path, type, content) => {
  mkdirSync(dirname(path), { recursive: true });
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  writeFileSync(path, `${head}\n<${type} xmlns="http://soap.sforce.com/2006/04/metadata">${content}</${type}>\n`);
};
const text = '<label>Region</label><length>40</length><type>Text</type>';
const object = 'source/objects/Opportunity';
write(`${object}/fields/Region__c.field-meta.xml`, 'CustomField', `<fullName>Area__c</fullName>${text}<colour>blue</colour>`);
write(`${object}/fields/Left_Out__c.field.xml`, 'CustomField', `<fullName>Left_Out__c</fullName>${text}`);
write(`${object}/listViews/Stray__c.field-meta.xml`, 'CustomField', `<fullName>Stray__c</fullName>${text}`);
write(`${object}/listViews/Mine.listView-meta.xml`, 'ListView', '<fullName>Yours</fullName><filterScope>Mine</filterScope><label>Mine</label>');

const components = sdr.ComponentSet.fromSource('source');
const names = components.getSourceComponents().toArray().map((part) => `${part.type.name} ${part.fullName}`).sort();
console.log(`Node ${process.version}; components:`, names);
assert.deepEqual(names, ['CustomField Opportunity.Region__c', 'CustomField Opportunity.Stray__c', 'ListView Opportunity.Mine']);
const target = { type: 'directory', outputDirectory: 'out', genUniqueDir: false };
await new sdr.MetadataConverter().convert(components, 'metadata', target);
const manifest = [...readFileSync('out/package.xml', 'utf8').matchAll(/<members>(.*?)</g)].map((match) => match[1]);
const converted = readFileSync('out/objects/Opportunity.object', 'utf8');
const content = [...converted.matchAll(/<fullName>(.*?)</g)].map((match) => match[1]);
console.log('manifest asks for:', manifest.sort(), '; the package holds:', content.sort());
assert.deepEqual(manifest, ['Opportunity.Mine', 'Opportunity.Region__c', 'Opportunity.Stray__c']);
assert.deepEqual(content, ['Area__c', 'Stray__c', 'Yours']);
assert.match(converted, /<colour>blue<\/colour>/);
JS
node_modules/.bin/node run.mjs
