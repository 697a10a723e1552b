import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NOTICE_CAUSES } from '../../../../src/domain/notices/causes.ts';
import { ROOT } from '../../../support/pages.ts';

it('the page about notices lists every cause with its severity', () => {
  const page = readFileSync(join(ROOT, 'docs/operations/notices.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z-]+)` +\| (urgent|soon|info) +\|/gm)].map(([, cause, severity]) => [
    cause,
    severity,
  ]);
  expect(rows).toEqual(Object.entries(NOTICE_CAUSES).map(([cause, { severity }]) => [cause, severity]));
});
