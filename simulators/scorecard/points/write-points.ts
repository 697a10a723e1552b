/** Writes simulators/docs/salesforce-points.md: `npm run docs:points`. */
import { writeFileSync } from 'node:fs';
import { pointsPage } from './points-page.ts';

writeFileSync(new URL('../../docs/salesforce-points.md', import.meta.url), pointsPage());
