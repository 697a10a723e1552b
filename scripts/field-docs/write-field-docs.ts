/** `npm run docs:fields`: writes the texts of `simulators/src/vendor-fields` into the doc comments of the client's types. */
import { readFileSync, writeFileSync } from 'node:fs';
import { TYPE_FILES } from './type-files.ts';
import { withFieldDocs } from './with-field-docs.ts';

for (const file of TYPE_FILES) writeFileSync(file, withFieldDocs(readFileSync(file, 'utf8')));
process.stdout.write(`Wrote the doc comments of ${TYPE_FILES.length} files\n`);
