import { describe, expect, test } from 'vitest';

import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import {
  agreedBase,
  baseWith,
  decideOn,
  type Given,
  theirs,
  usualRecord,
  V1,
} from '../../../support/value-engine/samples.ts';

/** Lists that a side does not keep as they were given, or not under the names that we know. */

const usual = usualRecord();

describe('a list in which the vendor keeps removed rows', () => {
  const link = baseWith({
    awaitingEcho: ['competitors'],
    basedOn: { version: V1, previousValues: { competitors: [['OLD']] } },
  });
  const vendor = theirs({ competitors: ['ACME', 'GLOBEX', 'OLD'] });
  const clears = (given: Given): boolean =>
    decideOn({ link, vendor, ...given }).intent?.fields.includes('competitors') === true;

  test('is cleared, and not done before it is sent again', () => {
    expect(decideOn({ link, vendor })).toMatchObject({
      intent: { record: { competitors: [] } },
      stateAfter: 'pending',
      baseAfter: { basedOn: { cleared: ['competitors'] } },
    });
  });

  test('is cleared though the sides’ currencies differ, where it holds no amounts', () => {
    expect(clears({ vendor: theirs({ competitors: ['ACME', 'GLOBEX', 'OLD'], currency: 'USD' }) })).toBe(true);
  });

  test('is reported once, whatever else the CRM changed in it', () => {
    const plan = decideOn({ link, vendor, opportunity: { Vendor_Competitors__c: 'ACME;GLOBEX;NEW' } });
    expect(plan.decisions.filter(({ field }) => field === 'competitors')).toHaveLength(1);
  });

  test('is not cleared by a reading that a write of ours has followed: it is read again first', () => {
    const spent = theirs({ competitors: ['ACME', 'GLOBEX', 'OLD'] }, { optimistic: ['description'] });
    expect(decideOn({ link, vendor: spent }).next).toBe('read-vendor');
  });

  test('is sent by no reading that only a search has shown to hold, as a field that goes by itself is', () => {
    const result = theirs({}, { source: 'search' });
    const renamed = decideOn({ vendor: result, opportunity: { Name: 'New' } });
    expect(renamed.next).toBe('update-at-vendor');
    const removed = decideOn({ vendor: result, graph: { contacts: [] } });
    expect(removed.next).toBe('read-vendor');
  });

  test.each<[string, Given]>([
    ['the CRM does not show its own', { opportunity: { Vendor_Competitors__c: undefined as never } }],
    ['the CRM’s changes do not travel', { config: mappingConfig({ directions: { competitors: 'first-sync' } }) }],
    ['they travel the other way', { config: mappingConfig({ directions: { competitors: 'to-crm' } }) }],
  ])('is left, and reported, where %s', (_, given) => {
    expect(clears({})).toBe(true);
    expect(clears(given)).toBe(false);
    expect(decideOn({ link, vendor, ...given }).issues).toContainEqual(
      expect.objectContaining({ code: 'vendor-refused', field: 'competitors' }),
    );
  });

  test('is left where it holds amounts, and the sides’ currencies differ', () => {
    const lines = (usual.offerLines ?? []).map(({ crmLineId: _, ...line }) => line);
    const old = { offerNameId: 'OFFER-OLD', amount: '3', revenueType: null };
    const kept = {
      awaitingEcho: ['offerLines'],
      basedOn: { version: V1, previousValues: { offerLines: [[old]] } },
    } as const;
    const of = (currency: string): Given => ({
      link: { base: { ...agreedBase(usual, kept), vendor: { ...usual, currency } } },
      vendor: theirs({ offerLines: [...lines, old], currency }),
    });
    const clearsLines = (given: Given): boolean => decideOn(given).intent?.fields.includes('offerLines') === true;
    expect(clearsLines(of('EUR'))).toBe(true);
    expect(clearsLines(of('USD'))).toBe(false);
    expect(clearsLines({ ...of('USD'), link: baseWith(kept) })).toBe(false);
    // Another change would not help: the value is sent without an edit once the currency is the same.
    const result = decideOn(of('USD')).issues.map(({ code, field }) => [code, field]);
    expect(result).toEqual([['currency-differs', 'offerLines']]);
  });

  test('is left where the CRM’s own cannot be sent', () => {
    const reasons = { reasonLost: ['NO_PROJ', 'OLD'] };
    const given: Given = {
      link: baseWith({
        vendor: { ...usual, reasonLost: ['NO_PROJ'] },
        awaitingEcho: ['reasonLost'],
        basedOn: { version: V1, previousValues: { reasonLost: [['OLD']] } },
      }),
      vendor: theirs(reasons),
    };
    const sendable = decideOn({ ...given, opportunity: { Vendor_Reasons_Lost__c: 'FUNC_GAP' } });
    expect(sendable.intent?.record.reasonLost).toEqual([]);
    const none = mappingConfig({ values: { ...mappingConfig().values, reasonLost: {} } });
    const plan = decideOn({ ...given, opportunity: { Vendor_Reasons_Lost__c: 'NO_PROJECT' }, config: none });
    expect(plan.intent?.fields.includes('reasonLost') ?? false).toBe(false);
  });
});
