import { describe, expect, test } from 'vitest';
import {
  type ChangeInterval,
  crmChangeOf,
  laterRecord,
  RULES_WITHOUT_TIME,
  undatedFields,
} from '../../../../src/domain/merge/newest.ts';
import type { FieldDecision } from '../../../../src/domain/record/field-decision.ts';

const at = (second: number, ms = 0): string => new Date(Date.UTC(2027, 0, 4, 10, 0, second, ms)).toISOString();
const BASE = at(0);
const crmChange: ChangeInterval = { after: BASE, until: at(50) };

describe('the CRM’s field history', () => {
  const result = (...seconds: readonly number[]) =>
    crmChangeOf('description', {
      config: {},
      crmChange,
      crmHistory: seconds.map((second) => ({ field: 'Description', at: at(second) })),
    });

  test('narrows a field to the second of its last change', () => {
    const expected = { after: at(20), until: at(20, 999), isByField: true };
    expect(result(10, 20)).toEqual(expected);
    expect(result(20, 10)).toEqual(expected);
  });

  test.each([
    ['it was not asked', undefined],
    ['it knows of another field', [{ field: 'Name', at: at(20) }]],
    ['the change is older than the base', [{ field: 'Description', at: '2027-01-04T09:59:59.000Z' }]],
  ])('says nothing where %s', (_, crmHistory) => {
    expect(crmChangeOf('description', { config: {}, crmChange, ...(crmHistory && { crmHistory }) })).toEqual(crmChange);
  });
});

describe('a stamp that may be that of our own write', () => {
  const ours = { ...crmChange, isOurs: true };
  const vendor = { after: BASE, until: at(40) };
  test.each([
    ['does not make the CRM’s edit the later one', ours, vendor, 'vendor'],
    ['does not make the vendor’s edit the later one', crmChange, { ...vendor, until: at(59), isOurs: true }, 'crm'],
    ['on both sides tells nothing', ours, { ...vendor, isOurs: true }, 'crm'],
    ['beside a vendor that tells no time', ours, { after: null, until: null }, 'crm'],
    ['is no longer what counts once the field’s own time is known', { ...result(41) }, vendor, 'crm'],
  ] as const)('%s', (_, crm, other, expected) => {
    expect(laterRecord(crm, other)).toBe(expected);
  });

  function result(second: number): ChangeInterval {
    return crmChangeOf('name', {
      config: {},
      crmChange: ours,
      crmHistory: [{ field: 'Name', at: at(second) }],
    });
  }
});

test('the history is asked of fields of the opportunity that a rule without time has decided', () => {
  const decision = (field: FieldDecision['field'], rule: string): FieldDecision => ({
    field,
    rule,
    verdict: 'conflict-crm',
    base: { crm: null, vendor: null },
    crm: 'a',
    vendor: 'b',
  });
  const { later, crm, vendor } = RULES_WITHOUT_TIME;
  const names = { fields: { gtmTacticId: { crm: 'T__c' }, nextMilestone: { crm: 'Campaign.Next__c' } } };
  expect(
    undatedFields([decision('gtmTacticId', later), decision('nextMilestone', later)], names),
    'what is across a lookup has its history there',
  ).toEqual(['T__c']);
  expect(
    undatedFields(
      [
        decision('name', later),
        decision('status', crm),
        decision('competitors', vendor),
        decision('description', 'newest'),
        decision('closeDate', 'manual'),
        decision('offerLines', later),
        decision('customerLegalEntity', later),
        decision('customerContacts', later),
        decision('partnerContacts', later),
      ],
      {},
    ),
  ).toEqual(['Name', 'StageName', 'Vendor_Competitors__c']);
});
