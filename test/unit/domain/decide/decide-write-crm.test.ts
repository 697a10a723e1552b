import { describe, expect, test } from 'vitest';
import { holdOfField } from '../../../../src/domain/decide/holds.ts';
import type { Base } from '../../../../src/domain/record/base.ts';
import type { OfferLine } from '../../../../src/domain/record/canonical.ts';
import type { FieldLimit } from '../../../../src/domain/record/crm-limits.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import { crmGraph, LINES, mappingConfig, OPPORTUNITY, without } from '../../../support/mapping/fixtures.ts';
import {
  agreedBase,
  baseWith,
  decideOn,
  decideTo,
  type Given,
  refusedAs,
  rowOf,
  theirs,
  usualRecord,
  V1,
  V2,
} from '../../../support/value-engine/samples.ts';

/** What a write to the CRM is about, what it leaves out, and what of it is agreed on. */

const usual = usualRecord();
const STAMP = String(OPPORTUNITY['SystemModstamp']);
const [lineA, lineB] = (usual.offerLines ?? []).map(({ crmLineId: _, ...line }) => line) as [OfferLine, OfferLine];
const lineC: OfferLine = { offerNameId: 'OFFER-C', amount: '7', revenueType: null };
const offersOf = (base: Base | undefined) => base?.vendor.offerLines?.map((line) => line.offerNameId);

describe('the reason of a write', () => {
  const both = { Description: 'ours' };

  test('is an edit of its own side, though on another field that side has lost', () => {
    const plan = decideOn({
      config: mappingConfig({ prefer: 'vendor' }),
      opportunity: { ...both, Name: 'Ours' },
      vendor: theirs({ description: 'theirs' }),
    });
    expect(rowOf(plan, 'description')?.verdict).toBe('conflict-vendor');
    expect(plan).toMatchObject({ next: 'update-at-vendor', reason: 'changed in the CRM' });
  });

  test('is no conflict whose value the CRM does not take', () => {
    const given: Given = {
      config: mappingConfig({ prefer: 'vendor' }),
      opportunity: both,
      vendor: theirs({ description: 'theirs', nextMilestone: 'theirs' }),
    };
    expect(decideOn(given).reason).toBe('overruled the CRM');
    const refused = {
      ...ISSUES.valueRefusedByCrm('description', 'Description', 'STRING_TOO_LONG'),
      ...holdOfField('crm', 'description', 'theirs', STAMP),
    };
    expect(decideTo('write-crm', { ...given, link: { issues: [refused] } }).reason).toBe('changed at the vendor');
  });
});

describe('new lines of the vendor', () => {
  const ANY: FieldLimit = { length: null, values: null, isMulti: false, createable: true, updateable: true };
  const limits = (values: readonly string[]) => ({
    OpportunityLineItem: { TotalPrice: ANY, Quantity: ANY, Vendor_Revenue_Type__c: { ...ANY, values } },
  });
  const vendor = theirs({ offerLines: [lineA, lineB, { ...lineC, revenueType: 'UPFRONT' }] });

  test('that the CRM cannot hold are left out, reported, and not agreed on', () => {
    const plan = decideOn({ vendor, crmLimits: limits(['RENTAL_Y']) });
    expect(plan).toMatchObject({ next: 'nothing', issues: [{ code: 'does-not-fit', field: 'offerLines' }] });
    expect(offersOf(plan.baseAfter)).toEqual(['OFFER-A', 'OFFER-B']);
  });

  test('for which there is no product are reported, and the others are agreed on', () => {
    const unknown: OfferLine = { ...lineC, offerNameId: 'OFFER-X' };
    const plan = decideTo('write-crm', {
      vendor: theirs({ offerLines: [{ ...lineA, amount: '5' }, lineB, unknown] }),
      unknownOffers: new Set(['OFFER-X']),
    });
    expect(plan.issues).toMatchObject([{ code: 'unknown-offer' }]);
    expect(plan.write.lines.update).toMatchObject([{ TotalPrice: 5 }]);
    expect(plan.baseAfter.vendor.offerLines).toMatchObject([{ amount: '5' }, { offerNameId: 'OFFER-B' }]);
  });
});

describe('a value that the CRM cannot be given stays open', () => {
  const beside = { nextMilestone: 'theirs' };

  test('lines that its user may not see', () => {
    const lines = LINES.map((row) => without(row, 'TotalPrice'));
    const plan = decideTo('write-crm', {
      graph: { lines },
      vendor: theirs({ ...beside, offerLines: [lineA] }),
    });
    expect(plan.baseAfter.vendor).toMatchObject({ nextMilestone: 'theirs', offerLines: usual.offerLines });
    expect(plan.baseAfter.vendorVersion).toBe(V1);
  });

  test('a status whose raw form its user may not see', () => {
    const opportunity = without(crmGraph().opportunity, 'Vendor_Status__c');
    const plan = decideTo('write-crm', {
      graph: { opportunity },
      vendor: theirs({ ...beside, status: 'QUALIFIED' }),
    });
    expect(plan.issues).toMatchObject([{ code: 'field-hidden', field: 'status' }]);
    expect(plan.baseAfter).toMatchObject({ vendor: { status: usual.status }, vendorVersion: V1 });
  });

  test('a site id where the deal has no account', () => {
    const opportunity = { ...OPPORTUNITY, AccountId: null };
    const plan = decideTo('write-crm', {
      graph: { opportunity, account: null },
      vendor: theirs({ ...beside, customerSiteId: 'SITE-1' }),
    });
    expect(rowOf(plan, 'customerSiteId')).toMatchObject({ verdict: 'to-crm' });
    expect(plan.baseAfter.vendor).toMatchObject({ nextMilestone: 'theirs', customerSiteId: null });
  });
});

describe('a conflict that the vendor has won is reported', () => {
  const result = (given: Given) => Object.keys(decideOn(given).baseAfter?.overruled ?? {});
  const both: Given = {
    config: mappingConfig({ prefer: 'vendor' }),
    opportunity: { Description: 'ours', SystemModstamp: V2 },
  };

  test.each(['theirs', ' theirs '])('where the CRM keeps %j in a form of its own too', (description) => {
    expect(result({ ...both, vendor: theirs({ description }) })).toEqual(['description']);
  });

  test('though another half of the lines still has to go to the vendor, which refused it', () => {
    const given: Given = {
      config: mappingConfig({ prefer: 'crm' }),
      graph: { lines: LINES.map((row, at) => (at === 0 ? { ...row, TotalPrice: 5 } : row)) },
      vendor: theirs({
        offerLines: [
          { ...lineA, amount: '7' },
          { ...lineB, amount: '8' },
        ],
      }),
    };
    const refused = { ...ISSUES.vendorRefused('ERR803', []), ...refusedAs(decideOn(given)) };
    const link = { ...baseWith({}), issues: [refused] };
    expect(decideOn({ ...given, link }).next).toBe('write-crm');
    expect(result({ ...given, link })).toEqual(['offerLines']);
  });
});

test('a list that is cleared at the vendor is not done, though something goes to the CRM as well', () => {
  const plan = decideTo('update-at-vendor', {
    link: {
      base: agreedBase(usual, {
        awaitingEcho: ['competitors'],
        basedOn: { version: V1, previousValues: { competitors: [['OLD']] } },
      }),
    },
    vendor: theirs({ competitors: ['ACME', 'GLOBEX', 'OLD'], nextMilestone: 'theirs' }),
  });
  expect(plan.intent.record).toEqual({ competitors: [] });
  expect(plan.baseAfter).toMatchObject({ crm: { competitors: [] }, basedOn: { cleared: ['competitors'] } });
});
