import { expect, it } from 'vitest';
import { editAge } from '../../src/domain/evolve/edit-age.ts';
import { EMPTY_BASE } from '../../src/domain/record/base.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { WritePlan } from '../../src/domain/record/plan.ts';

const AT = '2026-03-01T10:00:30.000Z';
const EDITED = '2026-03-01T10:00:00.000Z';

type Row = readonly [
  what: string,
  next: WritePlan['next'],
  editedAt: string | null,
  agreedAt: string | null | 'no base',
  age: readonly [direction: string, ms: number] | null,
];

it.each<Row>([
  ['a new deal of the CRM', 'create-at-vendor', EDITED, 'no base', ['to-vendor', 30_000]],
  [
    'an edit in the CRM, in its own spelling',
    'update-at-vendor',
    '2026-03-01T10:00:00.000+0000',
    '2026-02-01T10:00:00.000+0000',
    ['to-vendor', 30_000],
  ],
  ['a new deal of the vendor', 'create-in-crm', EDITED, 'no base', ['to-crm', 30_000]],
  ['an edit at the vendor', 'write-crm', EDITED, '2026-02-01T10:00:00Z', ['to-crm', 30_000]],
  ['a clock that is fast', 'write-crm', '2026-03-01T10:00:31Z', null, ['to-crm', 0]],
  ['no edit since both sides agreed', 'update-at-vendor', EDITED, EDITED, null],
  ['a version that is unknown', 'write-crm', null, 'no base', null],
  ['a version that is no time', 'write-crm', 'newest', 'no base', null],
])('%s', (_, next, editedAt, agreedAt, age) => {
  const isToVendor = next === 'create-at-vendor' || next === 'update-at-vendor';
  const version = agreedAt === 'no base' ? null : agreedAt;
  const base = isToVendor ? { ...EMPTY_BASE, crmVersion: version } : { ...EMPTY_BASE, vendorVersion: version };
  const link = {
    base: agreedAt === 'no base' ? null : base,
    vendorObservation: { version: isToVendor ? AT : editedAt },
  } as unknown as Link;
  const plan = { next, savedAt: isToVendor ? editedAt : AT } as unknown as WritePlan;
  const found = editAge(link, plan, AT);
  expect(found === null ? null : [found.direction, found.ms]).toEqual(age);
});
