import { expect, test } from 'vitest';
import { filledWords } from '../../../../src/domain/decide/report-words.ts';
import { EMPTY_BASE } from '../../../../src/domain/record/base.ts';
import { createEngineWorld } from '../../../support/value-engine/world.ts';

const vendor = { dsOwnerEmail: 'psm@vendor.example', reasonWon: ['A', 'B'], reasonLost: [] };
const defaulted = ['dsOwnerEmail', 'reasonWon', 'reasonLost', 'forecastCategory'] as const;

test.each([
  ['nothing agreed', null, null],
  ['nothing filled in', { ...EMPTY_BASE, vendor }, null],
  [
    'what is filled in and set',
    { ...EMPTY_BASE, vendor, defaulted },
    'Vendor_Owner_Email__c: psm@vendor.example\nVendor_Reasons_Won__c: A, B',
  ],
  [
    'what the CRM has too',
    { ...EMPTY_BASE, vendor, defaulted, crm: { dsOwnerEmail: 'ours@vendor.example', reasonWon: [] } },
    'Vendor_Reasons_Won__c: A, B',
  ],
  [
    'more than the field holds, cut',
    { ...EMPTY_BASE, vendor: { gtmTacticId: 'x'.repeat(5_000) }, defaulted: ['gtmTacticId'] as const },
    `Vendor_GTM_Tactic__c: ${'x'.repeat(4_000 - 'Vendor_GTM_Tactic__c: '.length)}`,
  ],
])('%s', (_, base, words) => {
  expect(filledWords(base)).toBe(words);
});

test('is reported as long as the CRM has nothing there, and is never sent back', () => {
  const world = createEngineWorld({
    opportunity: { Vendor_Owner_Email__c: null, Vendor_Reasons_Won__c: null, Vendor_Reasons_Lost__c: null },
  });
  world.activate('any');
  world.editVendor({ nextMilestone: 'theirs' });
  world.activate('any');
  expect(filledWords(world.link().base)).toContain('Vendor_Owner_Email__c: primary@vendor.test');
  expect(world.vendor.now()).toMatchObject({ dsOwnerEmail: 'primary@vendor.test' });
  expect(world.writes).toHaveLength(2);
  world.editCrm({ Vendor_Owner_Email__c: 'ours@vendor.example' });
  world.activate('any');
  expect(filledWords(world.link().base)).not.toContain('Vendor_Owner_Email__c');
  expect(world.vendor.now()).toMatchObject({ dsOwnerEmail: 'ours@vendor.example' });
});
