/** Writes the sandbox's OpenAPI document to `docs/vendor-sandbox.openapi.json`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiText } from '../src/simulators/vendor/openapi/document.ts';

const FILE = join(import.meta.dirname, '..', 'docs', 'vendor-sandbox.openapi.json');

writeFileSync(FILE, openApiText());
process.stdout.write('Wrote docs/vendor-sandbox.openapi.json\n');
