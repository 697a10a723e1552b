/** Writes the sandbox's OpenAPI document to `simulators/docs/vendor-sandbox.openapi.json`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiText } from '../src/vendor/openapi/document.ts';

const FILE = join(import.meta.dirname, '..', 'docs', 'vendor-sandbox.openapi.json');

writeFileSync(FILE, openApiText());
process.stdout.write('Wrote simulators/docs/vendor-sandbox.openapi.json\n');
