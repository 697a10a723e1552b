/** What both sides count as agreed after a lead became an opportunity. */
import { expect, test } from 'vitest';
import { afterConversion, converted, firstStageUntil } from '../../../../src/domain/base/after-conversion.ts';
import { leadMapping } from '../../../../src/domain/mapping/leads/lead-mapping.ts';
import { type Base, EMPTY_BASE } from '../../../../src/domain/record/base.ts';
import type { Observed, OfferLine } from '../../../../src/domain/record/canonical.ts';
import type { CrmFields } from '../../../../src/domain/record/crm-graph.ts';
import { leadsConfig } from '../../../support/mapping/lead-fixtures.ts';

const config = leadsConfig();
const [LEAD, WINNER] = ['00QL', '00QW'];
const ofLead: Base = {
  ...EMPTY_BASE,
  crm: { name: 'Initech', description: 'Replace the core', status: 'QUALIFIED', offerLines: [line(LEAD)] },
  vendor: { name: 'Initech', description: 'Replace the core', status: 'QUALIFIED' },
  linePairs: [{ crmLineId: LEAD, position: 0 }],
};
const base = converted(ofLead, { leadId: LEAD, crmId: '006O' });

function line(crmLineId: string): OfferLine {
  return { offerNameId: 'OFFER-A', amount: null, revenueType: null, crmLineId };
}

const after = (
  crm: Observed,
  status = 'QUALIFIED',
  { from = base, fields = {} }: { readonly from?: Base; readonly fields?: CrmFields } = {},
) => afterConversion(from, { crm, fields, status }, config);

test('keeps what the conversion carried over, changed or not', () => {
  const { crm } = after({ name: 'Initech-', description: 'Replace the core' });
  expect(crm).toMatchObject({ name: 'Initech', description: 'Replace the core' });
});

test('forgets what the conversion left empty, so that the vendor’s value fills it', () => {
  const { crm } = after({ name: 'Initech', description: null });
  expect(crm['name']).toBe('Initech');
  expect(crm).not.toHaveProperty('description');
});

test('looks again at a field that could not be read, and only at that', () => {
  const first = after({ name: 'Initech' });
  expect(first.crm['description']).toBe('Replace the core');
  expect(first.fromLead).toContain('description');

  const second = afterConversion(
    first,
    { crm: { name: null, description: null }, fields: {}, status: 'QUALIFIED' },
    config,
  );
  expect(second.crm['name']).toBe('Initech');
  expect(second.crm).not.toHaveProperty('description');
});

test('forgets lines, which a lead does not have', () => {
  const lines = [{ offerNameId: 'OFFER-A', amount: null, revenueType: null }];
  expect(after({ offerLines: lines }).crm).not.toHaveProperty('offerLines');
});

test('keeps the line and the status of a lead that was merged into another', () => {
  const merged = converted(ofLead, { leadId: LEAD, crmId: WINNER });
  const shown = {
    crm: { name: 'Group', status: 'QUALIFIED', description: null, offerLines: [line(WINNER)] },
    ...{ fields: {}, status: '' },
  };

  const { crm, linePairs } = afterConversion(merged, shown, leadMapping(config));

  expect(crm).toEqual({ name: 'Initech', status: 'QUALIFIED', offerLines: [line(WINNER)] });
  expect(linePairs).toEqual([{ crmLineId: WINNER, position: 0 }]);
});

test('changes no base that is not of a lead', () => {
  expect(afterConversion(EMPTY_BASE, { crm: {}, fields: {}, status: 'OPPY_OPEN' }, config)).toBe(EMPTY_BASE);
});

test('takes the first stage for an edit of the lead’s status', () => {
  const { crm, vendor } = after({ status: 'OPPY_OPEN' });
  expect([crm['status'], vendor['status']]).toEqual([null, 'QUALIFIED']);
});

test('takes the first stage for no edit if the vendor has moved the deal further, so that the vendor’s status moves it', () => {
  const { crm, vendor } = after({ status: 'OPPY_OPEN' }, 'VALIDATED');
  expect([crm['status'], vendor['status']]).toEqual(['OPPY_OPEN', 'OPPY_OPEN']);
});

const [CONVERTED, UNTIL, NOW] = ['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:05.000Z', '2026-03-01T13:00:00.000Z'];

test.each([
  [
    'changed after that, also if the vendor has moved the deal further',
    '2026-03-01T12:00:06.000Z',
    [null, 'QUALIFIED'],
  ],
  ['that is the first one', null, ['PROPOSED', 'PROPOSED']],
  ['whose change the org hides', undefined, ['PROPOSED', 'PROPOSED']],
  ['changed before that', UNTIL, ['PROPOSED', 'PROPOSED']],
])('takes a stage for an edit only after the time in the base: one %s', (_, LastStageChangeDate, statuses) => {
  const from = { ...base, firstStageUntil: UNTIL };
  const fields = { LastStageChangeDate } as CrmFields;
  expect(after({ name: 'Initech' }, 'VALIDATED', { from, fields }).firstStageUntil).toBe(UNTIL);
  const { crm, vendor, ...rest } = after({ status: 'PROPOSED' }, 'VALIDATED', { from, fields });
  expect([crm['status'], vendor['status']]).toEqual(statuses);
  expect(rest).not.toHaveProperty('firstStageUntil');
});

test.each([
  ['nobody has changed', null, '2026-03-01T13:00:05.000Z'],
  ['was changed long before the conversion', '2026-01-01T00:00:00.000Z', '2026-03-01T13:00:05.000Z'],
  ['automations have changed with the conversion', '2026-03-01T12:00:04.000Z', '2026-03-01T13:00:05.000Z'],
  ['a user has changed', '2026-03-01T12:00:06.000Z', UNTIL],
])('judges a stage that %s', (_, LastStageChangeDate, until) => {
  expect(firstStageUntil({ SystemModstamp: CONVERTED }, { LastStageChangeDate }, NOW)).toBe(until);
});
