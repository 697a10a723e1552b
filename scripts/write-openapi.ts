/** Writes the sandbox's OpenAPI document to `docs/partner-sandbox.openapi.json`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiText } from '../src/simulators/partner/openapi/document.ts';

const FILE = join(import.meta.dirname, '..', 'docs', 'partner-sandbox.openapi.json');

writeFileSync(FILE, openApiText());
process.stdout.write('Wrote docs/partner-sandbox.openapi.json\n');
