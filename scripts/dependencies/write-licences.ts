/** `npm run docs:licences`: writes the licences of all dependencies to `docs/licences.md`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../setup/paths.mjs';
import { licencesPage } from './licences.ts';

writeFileSync(join(ROOT, 'docs', 'licences.md'), licencesPage());
process.stdout.write('Wrote docs/licences.md\n');
