/** What both sides count as agreed after a lead became an opportunity. */
import { expect, test } from 'vitest';
import { afterConversion, converted, wasStageMoved } from '../../../../src/domain/base/after-conversion.ts';
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

const after = (crm: Observed, status = 'QUALIFIED', from = base) => afterConversion(from, { crm, status }, config);

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

  const second = afterConversion(first, { crm: { name: null, description: null }, status: 'QUALIFIED' }, config);
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
    status: '',
  };

  const { crm, linePairs } = afterConversion(merged, shown, leadMapping(config));

  expect(crm).toEqual({ name: 'Initech', status: 'QUALIFIED', offerLines: [line(WINNER)] });
  expect(linePairs).toEqual([{ crmLineId: WINNER, position: 0 }]);
});

test('changes no base that is not of a lead', () => {
  expect(afterConversion(EMPTY_BASE, { crm: {}, status: 'OPPY_OPEN' }, config)).toBe(EMPTY_BASE);
});

test('takes the first stage for an edit of the lead’s status', () => {
  const { crm, vendor } = after({ status: 'OPPY_OPEN' });
  expect([crm['status'], vendor['status']]).toEqual([null, 'QUALIFIED']);
});

test('takes the first stage for no edit if the vendor has moved the deal further, so that the vendor’s status moves it', () => {
  const { crm, vendor } = after({ status: 'OPPY_OPEN' }, 'VALIDATED');
  expect([crm['status'], vendor['status']]).toEqual(['OPPY_OPEN', 'OPPY_OPEN']);
});

test('takes a stage to which a user has moved the opportunity for an edit, also if the vendor has moved the deal further', () => {
  const moved = { ...base, isStageMoved: true } as const;
  expect(after({ name: 'Initech' }, 'VALIDATED', moved).isStageMoved).toBe(true);
  const { crm, vendor, ...rest } = after({ status: 'PROPOSED' }, 'VALIDATED', moved);
  expect([crm['status'], vendor['status']]).toEqual([null, 'QUALIFIED']);
  expect(rest).not.toHaveProperty('isStageMoved');
});

test.each([
  ['nobody has moved it', null, false],
  ['the org hides when', undefined, false],
  ['it was moved long before the conversion', '2026-01-01T00:00:00.000+0000', false],
  ['the org’s automations have moved it', '2026-03-01T12:00:04.000+0000', false],
  ['a user has moved it', '2026-03-01T12:00:06.000+0000', true],
])('knows of a stage that %s', (_, LastStageChangeDate, isMoved) => {
  const lead = { SystemModstamp: '2026-03-01T12:00:00.000+0000' };
  expect(wasStageMoved(lead, { LastStageChangeDate } as CrmFields)).toBe(isMoved);
});
