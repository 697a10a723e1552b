import { expect, it } from 'vitest';
import { forPeople } from '../../src/console/pages/people.ts';
import { OPERATION_GROUPS, type OperationGroup } from '../../src/domain/loop/operation-groups.ts';
import { ISSUE_CATALOG } from '../../src/domain/record/issue-catalog.ts';
import { pauseOpens } from '../../src/operator/status/pause-opens.ts';

const CRM = '006Hs00001ABCDEIA5';
const shown = async (text: string): Promise<string> => String(await forPeople(text, { tenant: 'acme', id: CRM }));

it.each([
  [`then: lockstep sync ${CRM} --tenant acme`, 'then: <a href="#sync">sync it now</a>'],
  ['run lockstep sync LO-00000005.', '<a href="/tenants/acme/records/LO-00000005#sync">sync it now</a>.'],
  [
    `here: lockstep conflicts resolve ${CRM} description --take crm --tenant acme (or --take vendor)`,
    'here: <a href="#decide">decide it</a>',
  ],
  ['run lockstep link with the right record', '<a href="#link">link it</a> with the right record'],
  ['lockstep keys set acme, with one', '<a href="/tenants/acme/keys">set another key</a>, with one'],
  ['lockstep resume acmes', '<a href="/tenants/acme#resume">lift every pause</a> acmes'],
  ['lockstep: a deal', 'lockstep: a deal'],
  [
    'paused since 2027-01-04T10:00:00.000Z: x',
    'paused since <time datetime="2027-01-04T10:00:00.000Z" title="2027-01-04T10:00:00.000Z">2027-01-04 10:00 UTC</time>: x',
  ],
  ['lockstep sync <b>', '<a href="#sync">sync it now</a> &lt;b&gt;'],
])('shows "%s" to a person', async (text, expected) => {
  expect(await shown(text)).toBe(expected);
});

it('leaves no command in a repair of the catalog of issues, or of a pause', async () => {
  const repairs = Object.values(ISSUE_CATALOG).map(({ repair }) => repair);
  const opens = Object.keys(OPERATION_GROUPS).map((group) => pauseOpens(group as OperationGroup, 'acme'));
  for (const text of [...repairs, ...opens]) expect(await shown(text)).not.toMatch(/lockstep (?!doctor)/);
});
