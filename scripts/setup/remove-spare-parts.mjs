/** `npm ci` and `npm install` run this in a checkout: deletes the parts of packages that nothing here reads. */
import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { removeSpareParts } from './spare-parts.mjs';

removeSpareParts(join(ROOT, 'node_modules'));
