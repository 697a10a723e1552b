import { describe, expect, test } from 'vitest';

import type { Issue } from '../../../../src/domain/record/issue.ts';
import { CONTACT, mappingConfig, OPPORTUNITY } from '../../../support/mapping/fixtures.ts';
import {
  type AnyPlan,
  agreedBase,
  baseWith,
  decideOn,
  type Given,
  REFERENCE,
  refusedAs,
  rowOf,
  theirs,
  usualRecord,
  V1,
  V2,
  vendorReading,
} from '../../../support/value-engine/samples.ts';

const usual = usualRecord();
const STAMP = String(OPPORTUNITY['SystemModstamp']);
const manual = mappingConfig({ rules: { name: 'manual' } });

const core = (plan: AnyPlan) => plan.intent?.body['leadOpportunity'];

describe('our reference', () => {
  const nameless = theirs({}, { reference: null });
  test('is sent to the vendor alone, or together with what goes there anyway', () => {
    const alone = decideOn({ vendor: nameless, link: { reference: null } });
    expect(alone).toMatchObject({
      next: 'update-at-vendor',
      reason: 'sends the vendor our reference',
      intent: {
        body: { leadOpportunity: { partnerLeadOpportunityId: REFERENCE } },
        fields: [],
        record: {},
      },
    });
    const together = decideOn({
      vendor: nameless,
      link: { reference: null },
      opportunity: { Name: 'New' },
    });
    expect(together.reason).toBe('changed in the CRM');
    expect(core(together)).toEqual({ partnerLeadOpportunityId: REFERENCE, name: 'New' });
  });

  test('of another tool is left as it is, read or known', () => {
    const foreign = { ...usual, name: 'Old' };
    const read = decideOn({
      link: { reference: null, base: agreedBase(foreign) },
      vendor: vendorReading(foreign, { reference: 'TOOL-7' }),
    });
    expect(core(read)).toMatchObject({ partnerLeadOpportunityId: 'TOOL-7', name: usual.name });
    const config = mappingConfig({ rules: { name: 'crm' } });
    const known = decideOn({ link: { reference: 'TOOL-7' }, opportunity: { Name: 'New' }, config });
    expect(core(known)).toMatchObject({ partnerLeadOpportunityId: 'TOOL-7' });
  });

  test('of another opportunity parks the record', () => {
    const plan = decideOn({ vendor: theirs({}, { reference: '006000000000002AAA' }) });
    expect(plan).toMatchObject({ next: 'parked', issues: [{ code: 'adoption-failed', field: null }] });
    expect(plan.issues[0]?.message).toMatch(/ask the vendor to correct it/);
  });
});

describe('a reading that a write of ours has followed', () => {
  const spent = (field: 'description' | 'customerContacts') => theirs({}, { optimistic: [field] });
  const edited = { graph: { contacts: [{ ...CONTACT, Title: 'Director' }] } };

  test('is none for a second list beside the one that the write has left there', () => {
    const plan = decideOn({
      vendor: spent('customerContacts'),
      ...edited,
      opportunity: { Vendor_Competitors__c: 'ACME' },
    });
    expect(plan.next).toBe('read-vendor');
  });

  test('is one for the list that the write itself has left there, and for a field that goes by itself', () => {
    expect(decideOn({ vendor: spent('customerContacts'), ...edited }).next).toBe('update-at-vendor');
    const renamed = decideOn({ vendor: spent('description'), opportunity: { Name: 'New' } });
    expect(renamed.next).toBe('update-at-vendor');
  });

  test('serves what the CRM is still to be sent', () => {
    const plan = decideOn({
      vendor: theirs({ name: 'Theirs' }, { optimistic: ['description'], version: V2 }),
    });
    expect(plan).toMatchObject({ next: 'write-crm' });
  });
});

describe('the time of an edit', () => {
  const both = (crm: string, vendor: string, version: string): AnyPlan =>
    decideOn({
      opportunity: { Name: 'Ours' },
      vendor: theirs({ name: 'Theirs' }, { version }),
      link: baseWith({ crmVersion: crm, vendorVersion: vendor }),
    });
  test('lies between the versions last seen and those that show it: the later edit wins', () => {
    const later = both(V1, '2026-03-01T11:00:00.000Z', '2026-03-01T12:00:00.000Z');
    expect(rowOf(later, 'name')).toMatchObject({ verdict: 'conflict-vendor', rule: 'newest' });
    const earlier = both('2026-03-01T09:30:00.000Z', '2026-03-01T08:00:00.000Z', '2026-03-01T09:00:00.000Z');
    expect(rowOf(earlier, 'name')).toMatchObject({ verdict: 'conflict-crm', rule: 'newest' });
    expect(later.reason).toBe('overruled the CRM');
    expect(earlier.reason).toBe('overruled the vendor');
  });

  test('is kept while a field waits for a person, whatever else is settled', () => {
    const change = { name: 'Theirs', description: 'same' };
    const given: Given = {
      opportunity: { Name: 'Ours', Description: 'same' },
      vendor: theirs(change),
      config: manual,
    };
    const waits = decideOn(given);
    expect(waits.baseAfter).toMatchObject({ crmVersion: V1, vendorVersion: V1 });
    expect(waits.baseAfter?.crm.description).toBe('same');
    const settled = decideOn({ ...given, opportunity: { Name: 'Theirs', Description: 'same' } });
    expect(settled.baseAfter).toMatchObject({ crmVersion: STAMP, vendorVersion: V2 });
  });
});

test('a change that does not travel is reported as such, read or not', () => {
  const config = mappingConfig({ directions: { name: 'to-crm' } });
  const plan = decideOn({ config, opportunity: { Name: 'New' } });
  expect(plan).toMatchObject({ next: 'nothing', decisions: [{ field: 'name', rule: 'to the CRM only' }] });
});

test('fields whose rule is the CRM’s go unread only where no other field goes along', () => {
  const config = mappingConfig({ rules: { name: 'crm' } });
  const alone = decideOn({ config, opportunity: { Name: 'New' } });
  expect(rowOf(alone, 'name')?.rule).toBe('changed in the CRM, vendor value unobserved');
  const along = decideOn({ config, opportunity: { Name: 'New', Description: 'New' } });
  expect(along.next).toBe('read-vendor');
});

describe('a change that cannot be sent', () => {
  test('is reported, and what can be sent goes', () => {
    const plan = decideOn({
      opportunity: { Vendor_Next_Milestone_Date__c: null, Name: 'New' },
      vendor: theirs({}),
    });
    expect(plan).toMatchObject({
      next: 'update-at-vendor',
      intent: { fields: ['name'] },
      issues: [{ code: 'cannot-be-cleared', field: 'nextMilestoneDate' }],
      stateAfter: 'parked',
    });
    expect(rowOf(plan, 'nextMilestoneDate')).toMatchObject({ verdict: 'withheld', rule: 'not sendable now' });
  });
});

describe('what was refused before', () => {
  const refusal: Issue = { code: 'vendor-refused', field: null, message: 'The vendor refused it.' };
  const crmRefusal: Issue = { code: 'crm-refused', field: null, message: 'The CRM refused it.' };
  const opportunity = { Description: 'New' };

  test('is reported once', () => {
    const waits: Given = { opportunity: { Name: 'Ours' }, vendor: theirs({ name: 'T' }), config: manual };
    const result = decideOn(waits).issues;
    const first = decideOn({ ...waits, opportunity: { Name: 'Ours', ...opportunity } });
    const issue = { ...refusal, message: result[0]?.message ?? '', ...refusedAs(first) };
    const again = decideOn({ ...waits, opportunity: { Name: 'Ours', ...opportunity }, link: { issues: [issue] } });
    expect(again.issues).toEqual(result);
  });

  test('by the CRM is not written again', () => {
    const vendor = theirs({ description: 'Theirs' });
    const first = decideOn({ vendor });
    const again = decideOn({ vendor, link: { issues: [{ ...crmRefusal, ...refusedAs(first) }] } });
    expect([first.next, again.next, again.reason]).toEqual(['write-crm', 'nothing', 'refused before']);
  });

  test('by both sides is neither sent nor written again', () => {
    const given: Given = { opportunity: { Name: 'Ours' }, vendor: theirs({ description: 'Theirs' }) };
    const first = { ...refusal, ...refusedAs(decideOn(given)) };
    const second = decideOn({ ...given, link: { issues: [first] } });
    const issues = [first, { ...crmRefusal, ...refusedAs(second) }];
    const third = decideOn({ ...given, link: { issues } });
    expect([second.next, third.next]).toEqual(['write-crm', 'nothing']);
    expect(third.issues).toEqual(issues);
  });
});

describe('what is known before the merge', () => {
  test('keeps open what was never sent and what no reading has confirmed yet', () => {
    const { gtmTacticId: _, ...vendor } = usual;
    const plan = decideOn({
      link: baseWith({
        vendor,
        awaitingEcho: ['name', 'description', 'gtmTacticId'],
        basedOn: { version: V1, previousValues: { description: ['before'] } },
      }),
      vendor: vendorReading({ ...usual, description: 'before' }),
      opportunity: { CloseDate: '2026-09-30' },
    });
    expect(plan.baseBefore?.awaitingEcho).toEqual(['description', 'gtmTacticId']);
    expect(plan.baseBefore?.highestSeenVersion).toBe(V2);
  });
});

describe('the journal', () => {
  const previousValues = baseWith({
    awaitingEcho: ['name'],
    basedOn: { version: V1, previousValues: { name: ['Old'] } },
  });

  test('tells a value that the vendor did not take', () => {
    const plan = decideOn({ link: previousValues, vendor: theirs({ name: 'Old' }) });
    expect(rowOf(plan, 'name')).toEqual({
      field: 'name',
      verdict: 'ignored',
      rule: 'not taken by the vendor',
      base: { crm: usual.name, vendor: usual.name },
      crm: usual.name,
      vendor: 'Old',
    });
    expect(plan.issues).toMatchObject([{ code: 'vendor-refused', field: 'name' }]);
    expect(plan.issues[0]?.message).toMatch(/accepted your change of the name but still shows/);
  });

  test('tells an edit that goes out over such a value', () => {
    const plan = decideOn({
      link: previousValues,
      vendor: theirs({ name: 'Old' }),
      opportunity: { Name: 'New' },
    });
    expect(rowOf(plan, 'name')).toMatchObject({
      verdict: 'conflict-crm',
      rule: 'over the former value of the vendor',
      vendor: 'Old',
    });
    expect(plan).toMatchObject({ next: 'update-at-vendor', issues: [] });
  });

  test('tells a value that the vendor keeps in a normalised form, unless it tells more of that field', () => {
    const padded = { ...usual, name: 'Core  switches', nextMilestone: 'a  b' };
    const link: NonNullable<Given['link']> = {
      base: agreedBase(padded, {
        awaitingEcho: ['name', 'nextMilestone'],
        basedOn: { version: V1, previousValues: {} },
      }),
    };
    const plan = decideOn({
      link,
      opportunity: { Name: 'New', Description: 'New', Vendor_Next_Milestone__c: 'a  b' },
      vendor: vendorReading({ ...padded, name: 'Core switches', nextMilestone: 'a b' }),
    });
    expect(plan.decisions.map(({ field, verdict, rule }) => [field, verdict, rule])).toEqual([
      ['name', 'to-vendor', 'changed in the CRM'],
      ['description', 'to-vendor', 'changed in the CRM'],
      ['nextMilestone', 'same', 'in the form of the vendor'],
    ]);
    expect(rowOf(plan, 'nextMilestone')).toMatchObject({
      base: { crm: 'a  b', vendor: 'a  b' },
      crm: 'a  b',
      vendor: 'a b',
    });
  });

  test('tells of a list that is cleared what each side has', () => {
    const kept = { ...usual, competitors: ['ACME', 'GLOBEX', 'OLD'] };
    const plan = decideOn({
      link: baseWith({
        awaitingEcho: ['competitors'],
        basedOn: { version: V1, previousValues: { competitors: [['OLD']] } },
      }),
      vendor: vendorReading(kept),
    });
    expect(plan).toMatchObject({ next: 'update-at-vendor', intent: { record: { competitors: [] } } });
    expect(plan.baseAfter).toMatchObject({
      crm: { competitors: [] },
      vendor: { competitors: [] },
      vendorVersion: V1,
    });
    expect(plan.decisions).toMatchObject([
      { field: 'competitors', verdict: 'cleared', vendor: kept.competitors, crm: usual.competitors },
    ]);
  });
});
