import { describe, expect, it } from 'vitest';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import {
  agreedBase,
  decideOn,
  rowOf,
  theirs,
  usualRecord,
  V2,
  vendorReading,
} from '../../../support/value-engine/samples.ts';

/** What a record says of itself beside its conflicts and refusals. */

const usual = usualRecord();
const codes = (plan: ReturnType<typeof decideOn>) => plan.issues.map(({ code, field }) => `${code} ${field}`);

describe('a vendor id that another opportunity has', () => {
  const issues = [ISSUES.vendorIdTaken(), ISSUES.vendorRefused('ERR803', [])];
  const told = (shown: string | null) =>
    codes(decideOn({ vendor: vendorReading(usual), link: { issues }, opportunity: { Vendor_Id__c: shown } }));

  it.each([null, '', 'DS-2'])('is reported as long as the opportunity shows %j', (shown) => {
    expect(told(shown)).toEqual([expect.stringMatching(/^vendor-id-taken/)]);
  });

  it('is no issue once it is written', () => {
    expect(told('DS-1')).toEqual([]);
  });
});

describe('a name that the CRM holds the beginning of', () => {
  const full = 'n'.repeat(130);

  it('is reported, and is agreed', () => {
    const shown = full.slice(0, 120);
    const plan = decideOn({
      vendor: theirs({ name: full }),
      opportunity: { Name: shown },
      link: {
        base: { ...agreedBase(usual), crm: { ...usual, name: shown }, vendor: { ...usual, name: full } },
      },
    });
    expect(codes(plan)).toEqual(['shortened name']);
    expect(plan.issues[0]?.message).toContain('too long for the Opportunity Name');
  });
});

describe('a value that the CRM has not taken', () => {
  it('is withheld in the journal, and what else the vendor changed is written', () => {
    const vendor = theirs({ description: 'theirs', name: 'Theirs' }, { version: V2 });
    const first = decideOn({ vendor });
    expect(first).toMatchObject({ next: 'write-crm', reason: 'changed at the vendor' });
    const limit = { length: 3, values: null, isMulti: false, createable: true, updateable: true };
    const names = ['Name', 'Description', 'Vendor_Status__c', 'StageName'];
    const crmLimits = {
      Opportunity: Object.fromEntries(names.map((name) => [name, { ...limit, length: name === 'Name' ? 3 : 99 }])),
    };
    const plan = decideOn({ vendor, crmLimits });
    expect(rowOf(plan, 'name')).toMatchObject({ verdict: 'withheld', rule: 'not taken by the CRM' });
    expect(codes(plan)).toEqual(['does-not-fit name']);
    expect(plan).toMatchObject({ next: 'write-crm', write: { opportunity: { Description: 'theirs' } } });
    expect(plan.write?.opportunity).not.toHaveProperty('Name');
  });
});
