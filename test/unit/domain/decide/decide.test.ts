import { describe, expect, test } from 'vitest';
import type { Base } from '../../../../src/domain/record/base.ts';
import type { Issue } from '../../../../src/domain/record/issue.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import { lineRow, mappingConfig } from '../../../support/mapping/fixtures.ts';
import {
  agreedBase,
  decideOn,
  type Given,
  REFERENCE,
  refusedAs,
  usualRecord,
  V1,
  V2,
  vendorReading,
} from '../../../support/value-engine/samples.ts';

const usual = usualRecord();
const seen = vendorReading(usual);
const several = ISSUES.severalVendorRecords(['LO-1', 'LO-2']);
const refused: Issue = { code: 'vendor-refused', field: null, message: 'The vendor refused this record.' };

const unnamed = { ...seen, reference: null };
const named = (reference: string) => ({ ...seen, reference });
const noted: Issue = { ...refused, code: 'contact-incomplete' };
const NEW = { vendorId: null, base: null };
const MAY_BE: NonNullable<Given['ambiguity']> = { kind: 'may-be', vendorIds: ['LO-1', 'LO-2'] };
const IN_DOUBT = { vendorId: null, vendorInDoubt: 'create' } as const;
const DELETED = { opportunity: { IsDeleted: true } };
const LEAD = { isConverted: false, opportunityId: null, namesOffer: false };
const MERGED = { ...DELETED, graph: { lead: { ...LEAD, mergedInto: '00Q000000000002AAA' } } };
const UNSHARED = { Vendor_Share__c: false };
const HIDDEN = { Vendor_Share__c: undefined as never };
const GONE = { crm: 'missing' } as const;
const ELSEWHERE = { ...GONE, link: { base: null } };
const RENAMED = { Name: 'New' };
const LISTED = { Vendor_Competitors__c: 'OTHER' };
const ruled = (field: 'name' | 'competitors') => mappingConfig({ rules: { [field]: 'crm' } });

describe('what is to be done next', () => {
  test.each<[string, Given, string, string]>([
    ['nothing changed, vendor unread', {}, 'nothing', 'in-sync'],
    ['nothing changed, both read', { vendor: seen }, 'nothing', 'in-sync'],
    ['out of scope', { opportunity: UNSHARED }, 'detached', 'detached'],
    ['scope not to be seen', { opportunity: HIDDEN }, 'detached', 'detached'],
    ['deleted in the CRM', DELETED, 'detached', 'detached'],
    ['changed in the CRM, vendor unread', { opportunity: RENAMED }, 'read-vendor', 'pending'],
    ['changed in the CRM, both read', { opportunity: RENAMED, vendor: seen }, 'update-at-vendor', 'in-sync'],
    ['currency, vendor unread', { opportunity: { CurrencyIsoCode: 'USD' } }, 'read-vendor', 'pending'],
    ['currency, both read', { opportunity: { CurrencyIsoCode: 'USD' }, vendor: seen }, 'update-at-vendor', 'in-sync'],
    [
      'the CRM’s by rule, vendor unread',
      { opportunity: RENAMED, config: ruled('name') },
      'update-at-vendor',
      'in-sync',
    ],
    [
      'a list, the CRM’s by rule, unread',
      {
        opportunity: LISTED,
        config: ruled('competitors'),
      },
      'read-vendor',
      'pending',
    ],
    ['changed at the vendor', { vendor: vendorReading({ ...usual, name: 'New' }) }, 'write-crm', 'in-sync'],
    ['never looked at both', { link: { base: null } }, 'read-vendor', 'pending'],
    ['shared again', { link: { state: 'detached' } }, 'read-vendor', 'pending'],
    ['shared again, both read', { link: { state: 'detached' }, vendor: seen }, 'nothing', 'in-sync'],
    ['unshared, gone at the vendor', { opportunity: UNSHARED, vendor: 'missing' }, 'detached', 'detached'],
    ['an update uncertain', { link: { vendorInDoubt: 'update' } }, 'read-vendor', 'pending'],
    ['something open', { link: { issues: [refused] } }, 'read-vendor', 'pending'],
    ['something only told', { link: { issues: [noted] } }, 'nothing', 'in-sync'],
    ['gone at the vendor', { vendor: 'missing' }, 'parked', 'vendor-missing'],
    ['several at the vendor', { vendor: several }, 'parked', 'parked'],
    ['several at the vendor, shared no more', { opportunity: UNSHARED, vendor: several }, 'detached', 'detached'],
    ['several at the vendor, CRM record gone', { vendor: several, crm: 'missing' }, 'detached', 'detached'],
    ['another deal’s reference', { vendor: named('006000000000002AAA') }, 'parked', 'parked'],
    ['another tool’s reference', { vendor: named('OTHER-1') }, 'nothing', 'in-sync'],
    ['no reference', { vendor: unnamed }, 'update-at-vendor', 'in-sync'],
    ['CRM record gone, linked before', { crm: 'missing' }, 'detached', 'detached'],
    ['CRM record gone, never linked', { crm: 'missing', link: { base: null } }, 'parked', 'parked'],
    ['CRM record of another org, never linked', { ...ELSEWHERE, isOfAnotherOrg: true }, 'detached', 'elsewhere'],
    [
      'CRM record gone, key shared',
      { ...ELSEWHERE, config: mappingConfig({ sharedKey: true }) },
      'detached',
      'elsewhere',
    ],
    [
      'CRM record gone, linked before, key shared',
      { ...GONE, config: mappingConfig({ sharedKey: true }) },
      'detached',
      'detached',
    ],
    ['CRM record gone, not at the vendor', { crm: 'missing', link: { vendorId: null } }, 'detached', 'detached'],
    ['CRM record gone before it was ever sent', { crm: 'missing', link: NEW }, 'detached', 'detached'],
    ['new', { link: NEW }, 'create-at-vendor', 'in-sync'],
    ['new, and maybe one that waits', { link: NEW, ambiguity: MAY_BE }, 'parked', 'parked'],
    ['new, incomplete', { link: NEW, graph: { lines: [] } }, 'parked', 'parked'],
    ['a create uncertain', { link: { vendorId: null, vendorInDoubt: 'create' } }, 'search-vendor', 'pending'],
    ['a create of a merged lead uncertain', { ...MERGED, link: IN_DOUBT }, 'search-vendor', 'pending'],
    ['a create of a merged lead unclear', { ...MERGED, link: IN_DOUBT, vendor: several }, 'parked', 'parked'],
    ['a merged lead that the vendor has not', { ...MERGED, link: NEW }, 'detached', 'detached'],
    ['a deleted lead whose create is uncertain', { ...DELETED, link: IN_DOUBT }, 'detached', 'detached'],
    ['ERR801 met', { link: { vendorId: null, adoptingSince: V1 } }, 'search-vendor', 'pending'],
    ['created at the vendor, unread', { crm: 'unlinked', link: { crmId: null } }, 'read-vendor', 'new'],
    ['created at the vendor', { crm: 'unlinked', vendor: unnamed }, 'create-in-crm', 'in-sync'],
    [
      'created there, with another tool’s reference',
      { crm: 'unlinked', vendor: named('X') },
      'create-in-crm',
      'in-sync',
    ],
    ['created at the vendor, and names ours', { crm: 'unlinked', vendor: seen }, 'read-vendor', 'new'],
    [
      'created at the vendor, import off',
      { crm: 'unlinked', vendor: unnamed, importFromVendor: false },
      'detached',
      'detached',
    ],
  ])('%s: %s', (_, given, next, state) => {
    const plan = decideOn(given);
    expect([plan.next, plan.stateAfter]).toEqual([next, state]);
    expect(plan.reason).not.toBe('');
    expect(plan.next === 'create-at-vendor' && given.link?.vendorId !== null).toBe(false);
  });
});

const NOTHING_AGREED: Base = {
  crm: {},
  vendor: {},
  defaulted: [],
  awaitingEcho: [],
  linePairs: [],
  crmVersion: null,
  vendorVersion: null,
};

describe('a look that leads to no write', () => {
  const unlinked = { base: null };
  test.each<[string, Given, [Issue['code'], string][]]>([
    ['out of scope', { opportunity: { Vendor_Share__c: false } }, []],
    ['CRM record gone, linked before', { crm: 'missing' }, []],
    [
      'new, and maybe one that waits',
      { link: { vendorId: null, base: null }, ambiguity: MAY_BE },
      [['possible-duplicate', '(LO-1, LO-2): enter the id']],
    ],
    [
      'new, and with the vendor id of another',
      { link: { vendorId: null, base: null }, ambiguity: { kind: 'id-of-another' } },
      [['vendor-id-taken', 'empty it, or enter the right id']],
    ],
    ['gone at the vendor', { vendor: 'missing' }, [['vendor-missing', 'untick "Vendor: share"']]],
    ['several at the vendor', { vendor: several }, [['several-candidates', 'ask the vendor to keep one']]],
    [
      'several at the vendor, and shared no more',
      { opportunity: UNSHARED, vendor: several },
      [['reference-repeated', 'before you share the opportunity again']],
    ],
    [
      'several at the vendor, CRM record gone',
      { vendor: several, crm: 'missing' },
      [['reference-repeated', 'before you share the opportunity again']],
    ],
    [
      'one at the vendor that is not ours, and shared no more',
      { opportunity: { Vendor_Share__c: false }, vendor: ISSUES.unusableVendorId() },
      [],
    ],
    [
      'CRM record gone, never linked',
      { crm: 'missing', link: unlinked },
      [['reference-not-in-crm', 'set vendor.sharedKey in the tenant file']],
    ],
    ['created at the vendor, unread', { crm: 'unlinked', link: unlinked }, []],
    ['created at the vendor, and names ours', { crm: 'unlinked', vendor: seen, link: unlinked }, []],
    [
      'created at the vendor, import is off',
      {
        crm: 'unlinked',
        vendor: { ...seen, reference: null },
        importFromVendor: false,
        link: unlinked,
      },
      [],
    ],
  ])('leaves what was agreed on, and says what is to be done: %s', (_, given, result) => {
    const plan = decideOn(given);
    expect(Object.keys(plan).sort()).toEqual(['decisions', 'issues', 'next', 'reason', 'stateAfter']);
    expect(plan.decisions).toEqual([]);
    expect(plan.issues).toMatchObject(
      result.map(([code, repair]) => ({ code, field: null, message: expect.stringContaining(repair) })),
    );
  });
});

test('both sides changed: the vendor is written first, and the CRM’s half stays open', () => {
  const vendor = vendorReading({ ...usual, description: 'theirs' });
  const plan = decideOn({ opportunity: { Name: 'Ours' }, vendor });
  expect(plan).toMatchObject({ next: 'update-at-vendor', intent: { fields: ['name'] } });
  expect(plan).not.toHaveProperty('write');
  expect(plan.baseAfter).toMatchObject({
    crm: { name: 'Ours', description: usual.description },
    vendor: { name: 'Ours', description: usual.description },
    crmVersion: V1,
    vendorVersion: V1,
    awaitingEcho: ['name'],
  });
});

test('versions move once nothing is open', () => {
  const { baseAfter } = decideOn({ opportunity: { Name: 'Ours' }, vendor: seen });
  expect(baseAfter).toMatchObject({ crmVersion: '2026-03-01T10:00:00.123Z', vendorVersion: V2 });
  const forecast = decideOn({
    opportunity: { StageName: 'Qualification', Vendor_Forecast_Category__c: 'SAFE', Name: 'Ours' },
    vendor: seen,
  });
  expect(forecast.intent?.fields).toEqual(['name', 'status']);
  expect(forecast.baseAfter).toMatchObject({ crmVersion: V1, vendorVersion: V1 });
  expect(forecast.decisions).toContainEqual(
    expect.objectContaining({ field: 'forecastCategory', verdict: 'withheld' }),
  );
});

describe('what was refused', () => {
  const changed = { opportunity: { Name: 'Bad' }, vendor: seen };
  const held = { ...refused, ...refusedAs(decideOn(changed)) };
  const link = { issues: [held] };

  test('does not hold back what goes the other way', () => {
    const vendor = vendorReading({ ...usual, description: 'theirs' });
    const plan = decideOn({ ...changed, vendor, link });
    expect(plan).toMatchObject({ next: 'write-crm', stateAfter: 'parked', issues: [held] });
    expect(plan.write?.opportunity).toEqual({ Description: 'theirs' });
    expect(plan.baseAfter?.crm).toMatchObject({ name: usual.name, description: 'theirs' });
  });

  test('goes out once its content changes', () => {
    const plan = decideOn({ ...changed, opportunity: { Name: 'Good' }, link });
    expect(plan.next).toBe('update-at-vendor');
  });

  test('as a create is parked until the record changes', () => {
    const fresh = { vendorId: null, base: null };
    const issues = [{ ...refused, ...refusedAs(decideOn({ link: fresh })) }];
    const again = { ...fresh, issues };
    expect(decideOn({ link: again })).toMatchObject({ next: 'parked', issues });
    expect(decideOn({ link: again, opportunity: { Name: 'Good' } }).next).toBe('create-at-vendor');
  });
});

test('lines that are merged but cannot be sent are not taken for agreed on', () => {
  const theirs = [...(usual.offerLines ?? []), { offerNameId: null, amount: '1', revenueType: null }];
  const lines = [
    lineRow('00k000000000001AAA', 'OFFER-A', 55, 'Upfront'),
    lineRow('00k000000000002AAA', 'OFFER-B', 250, null),
  ];
  const plan = decideOn({ graph: { lines }, vendor: vendorReading({ ...usual, offerLines: theirs }) });
  expect(plan.decisions).toMatchObject([{ field: 'offerLines', verdict: 'withheld' }]);
  expect(plan.baseAfter?.crm.offerLines).toEqual(usual.offerLines);
  expect(plan.stateAfter).toBe('parked');
});

test('a vendor-created record is made in the CRM with all that the vendor shows; the CRM’s half is still to be seen', () => {
  const plan = decideOn({ crm: 'unlinked', vendor: { ...seen, reference: null }, link: { base: null } });
  expect(plan).toMatchObject({ next: 'create-in-crm', decisions: [], issues: [] });
  expect(plan.baseAfter).toEqual({ ...NOTHING_AGREED, vendor: usual, vendorVersion: V2 });
});

test('a create carries the opportunity’s id as its reference, and decides between no two values', () => {
  const plan = decideOn({ link: { vendorId: null, base: null } });
  expect(plan.intent?.body).toMatchObject({ leadOpportunity: { partnerLeadOpportunityId: REFERENCE } });
  expect(plan).toMatchObject({ decisions: [], baseBefore: null });
});

test('the decision is pure: the same input, frozen, gives the same plan', () => {
  const link = Object.freeze({ base: Object.freeze(agreedBase(usual)) });
  const given = Object.freeze({
    link,
    opportunity: Object.freeze({ Name: 'Ours' }),
    vendor: Object.freeze(seen),
  });
  expect(decideOn(given)).toEqual(decideOn(given));
});

describe('a value that the vendor shows as it was before we sent ours', () => {
  const base = {
    ...agreedBase({ ...usual, description: 'ours' }),
    crm: { ...usual, description: 'ours' },
    awaitingEcho: ['description' as const],
    basedOn: { version: V1, previousValues: { description: ['former'] } },
  };
  const vendor = vendorReading({ ...usual, description: 'former' });

  test('is reported, and ours is not sent again', () => {
    const plan = decideOn({ link: { base }, vendor, opportunity: { Description: 'ours' } });
    expect(plan).toMatchObject({ next: 'nothing', stateAfter: 'parked', issues: [{ field: 'description' }] });
    expect(plan.decisions).toMatchObject([{ verdict: 'ignored', crm: 'ours', vendor: 'former' }]);
  });

  test('gives way to a new edit in the CRM, which the journal names a conflict', () => {
    const plan = decideOn({ link: { base }, vendor, opportunity: { Description: 'new' } });
    expect(plan).toMatchObject({ next: 'update-at-vendor', stateAfter: 'in-sync', issues: [] });
    expect(plan.decisions).toMatchObject([{ verdict: 'conflict-crm', crm: 'new', vendor: 'former' }]);
    expect(plan.baseAfter?.basedOn?.previousValues.description).toEqual(['former', 'ours']);
  });
});
