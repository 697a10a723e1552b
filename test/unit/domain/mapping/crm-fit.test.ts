import { describe, expect, it } from 'vitest';
import { crmCreate, misfits, observeVendor } from '../../../../src/domain/mapping/index.ts';
import type { FieldLimit } from '../../../../src/domain/record/crm-limits.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import { decideTo, usualRecord, vendorReading } from '../../../support/value-engine/samples.ts';

const usual = usualRecord();
const seen = vendorReading(usual);

const ANY: FieldLimit = { length: null, values: null, isMulti: false, createable: true, updateable: true };

describe('what a field cannot hold', () => {
  it.each([
    ['nothing known', { A: 'x'.repeat(999) }, undefined, []],
    ['a text of the length', { A: 'xxx' }, { A: { ...ANY, length: 3 } }, []],
    ['a longer one', { A: 'xxxx' }, { A: { ...ANY, length: 3 } }, [['A', 'too-long']]],
    [
      'no text',
      { A: 1234, B: null, C: true, D: '', E: 5 },
      { A: { ...ANY, length: 3 }, B: ANY, C: ANY, D: { ...ANY, values: [] }, E: { ...ANY, values: ['X'] } },
      [],
    ],
    ['a value of the picklist, in other letters', { A: 'cloud' }, { A: { ...ANY, values: ['Cloud'] } }, []],
    ['another', { A: 'Space' }, { A: { ...ANY, values: ['Cloud'] } }, [['A', 'no-such-value']]],
    ['values with blanks', { A: ' X ; Y' }, { A: { ...ANY, isMulti: true, values: ['X', 'Y'] } }, []],
    ['values of the list', { A: 'X;Y' }, { A: { ...ANY, isMulti: true, values: ['X', 'Y'] } }, []],
    ['one that is not', { A: 'X;Z' }, { A: { ...ANY, isMulti: true, values: ['X', 'Y'] } }, [['A', 'no-such-value']]],
    ['a semicolon in a single value', { A: 'X;Y' }, { A: { ...ANY, values: ['X', 'Y'] } }, [['A', 'no-such-value']]],
    ['a field that is not there', { A: null }, {}, [['A', 'not-writable']]],
    ['one that is read only', { A: 1 }, { A: { ...ANY, updateable: false } }, [['A', 'not-writable']]],
  ])('%s', (_, row, limits, expected) => {
    expect([...misfits(row, limits, 'update')]).toEqual(expected);
  });
});

const OPPORTUNITY = Object.fromEntries(
  ['Name', 'CloseDate', 'StageName', 'Description', 'Vendor_Status__c', 'Vendor_Next_Milestone__c'].map((field) => [
    field,
    ANY,
  ]),
);

describe('a value that does not fit', () => {
  const crmLimits = { Opportunity: { ...OPPORTUNITY, Description: { ...ANY, length: 5 } } };
  const vendor = vendorReading({ ...usual, description: 'theirs, long', nextMilestone: 'call' });

  it('is tried on a person’s word, and not where only what was refused is sent again', () => {
    const again = { vendor, crmLimits, sendsRefusedAgain: true };
    expect(decideTo('write-crm', { ...again, isManual: true }).issues).toEqual([]);
    expect(decideTo('write-crm', again).issues).toMatchObject([{ code: 'does-not-fit' }]);
  });
});

describe('a vendor-created deal', () => {
  const given = { crm: 'unlinked', vendor: { ...seen, reference: null }, link: { base: null } } as const;
  const only = (...values: string[]): FieldLimit => ({ ...ANY, values });

  it('is made without what its field can be given only later, and without lines that do not fit', () => {
    const [first] = usual.offerLines ?? [];
    const crmLimits = {
      Opportunity: { ...all('Opportunity'), Description: { ...ANY, createable: false } },
      OpportunityLineItem: {
        TotalPrice: ANY,
        Quantity: ANY,
        Vendor_Revenue_Type__c: only('RENTAL_Y'),
      },
    };
    const plan = decideTo('create-in-crm', { ...given, crmLimits });
    expect(plan.create.opportunity).not.toHaveProperty('Description');
    expect(plan.create.lines.map((row) => row['Product2.Vendor_Offer_Id__c'])).toEqual(['OFFER-B']);
    expect(plan.issues).toMatchObject([
      {
        code: 'does-not-fit',
        field: 'offerLines',
        message: expect.stringContaining(String(first?.offerNameId)),
      },
      { code: 'does-not-fit', field: 'description' },
    ]);
    expect(plan.baseAfter.vendor.offerLines).toHaveLength(1);
    expect(plan.baseAfter.vendor).not.toHaveProperty('description');
  });

  it('begins where the tenant says, where its status names no stage', () => {
    const config = mappingConfig({ importStage: 'Qualification' });
    const raw = { dsLeadOpportunityId: 'DS-9', name: 'Deal', status: 'WON' };
    const observed = observeVendor(raw, config, '2026-03-02T00:00:00.000Z');
    expect(crmCreate(observed, config).create.opportunity).toMatchObject({ StageName: 'Qualification' });
    const limits = { Opportunity: { ...all('Opportunity'), StageName: only('Needs Analysis') } };
    expect(crmCreate(observed, config, limits).create.opportunity).toMatchObject({
      StageName: 'Needs Analysis',
    });
  });

  it('is not made in another currency than its own', () => {
    const config = mappingConfig();
    const raw = { dsLeadOpportunityId: 'DS-9', currency: 'XXX', name: 'Deal' };
    const { create } = crmCreate(observeVendor(raw, config, '2026-03-02T00:00:00.000Z'), config, {
      Opportunity: {},
    });
    expect(create.opportunity).toMatchObject({ CurrencyIsoCode: 'XXX' });
  });

  function all(object: 'Opportunity'): Record<string, FieldLimit> {
    const { create } = decideTo('create-in-crm', given);
    return Object.fromEntries(Object.keys(create[object.toLowerCase() as 'opportunity']).map((field) => [field, ANY]));
  }
});
