import { describe, expect, test } from 'vitest';

import { withInDoubtVendorWrite } from '../../../../src/domain/base/in-doubt-writes.ts';
import { lineRow, mappingConfig } from '../../../support/mapping/fixtures.ts';
import {
  type AnyPlan,
  agreedBase,
  baseWith,
  decideOn,
  decideTo,
  type Given,
  rowOf,
  theirs,
  usualRecord,
  V1,
  V2,
} from '../../../support/value-engine/samples.ts';

/** Lists that a side does not keep as they were given, or not under the names that we know. */

const usual = usualRecord();
const LEFT_AT = '2026-03-01T12:00:00.000Z';

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
    expect(clears({ vendor: theirs({ competitors: ['ACME', 'GLOBEX', 'OLD'], currency: 'USD' }) })).toBe(
      true,
    );
  });

  test('is cleared again where neither the update that removed them nor the clearing was answered', () => {
    const list = { competitors: ['ACME', 'GLOBEX'] };
    const sent = [{ crm: list, vendor: list }];
    const before = { ...usual, competitors: ['OLD'] };
    const lost = baseWith({
      ...{ crm: before, vendor: before },
      inDoubtVendorWrites: { basedOnVersion: V1, sent },
    });
    const plan = decideTo('update-at-vendor', { link: lost, vendor });
    expect(plan.intent.record).toEqual({ competitors: [] });
    const again = { base: withInDoubtVendorWrite(plan, LEFT_AT) };
    expect(decideOn({ link: again, vendor }).intent?.record).toEqual({ competitors: [] });
  });

  test('is told once, whatever else the CRM changed in it', () => {
    const plan = decideOn({ link, vendor, opportunity: { Vendor_Competitors__c: 'ACME;GLOBEX;NEW' } });
    expect(plan.decisions.filter(({ field }) => field === 'competitors')).toHaveLength(1);
  });

  test('is not cleared by a reading that a write of ours has followed: it is read again first', () => {
    const spent = theirs({ competitors: ['ACME', 'GLOBEX', 'OLD'] }, { optimistic: ['description'] });
    expect(decideOn({ link, vendor: spent }).next).toBe('read-vendor');
  });

  test('is sent by no reading that only a search has told to hold, as a field that goes by itself is', () => {
    const result = theirs({}, { source: 'search' });
    const renamed = decideOn({ vendor: result, opportunity: { Name: 'New' } });
    expect(renamed.next).toBe('update-at-vendor');
    const removed = decideOn({ vendor: result, graph: { contacts: [] } });
    expect(removed.next).toBe('read-vendor');
  });

  test('is not cleared where the vendor’s people have rows of their own in it, and that is told', () => {
    const eva = { email: 'eva@initech.test', firstName: 'Eva', lastName: 'Muster' };
    const contact = { ...eva, phoneNumber: null, salutation: null, jobTitle: null };
    const shown = [...(usual.customerContacts ?? []), contact];
    const left = [{ ...contact, email: 'old@initech.test' }];
    const plan = decideOn({
      link: baseWith({
        vendor: { ...usual, customerContacts: shown },
        awaitingEcho: ['customerContacts'],
        basedOn: { version: V1, previousValues: { customerContacts: [left] } },
      }),
      vendor: theirs({ customerContacts: [...shown, ...left] }),
    });
    expect(plan.intent).toBeUndefined();
    expect(plan.issues).toContainEqual(
      expect.objectContaining({ code: 'vendor-refused', field: 'customerContacts' }),
    );
  });

  test.each<[string, Given]>([
    ['the CRM does not show its own', { opportunity: { Vendor_Competitors__c: undefined as never } }],
    [
      'the CRM’s changes do not travel',
      { config: mappingConfig({ directions: { competitors: 'first-sync' } }) },
    ],
    ['they travel the other way', { config: mappingConfig({ directions: { competitors: 'to-crm' } }) }],
  ])('is left, and told, where %s', (_, given) => {
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
    const clearsLines = (given: Given): boolean =>
      decideOn(given).intent?.fields.includes('offerLines') === true;
    expect(clearsLines(of('EUR'))).toBe(true);
    expect(clearsLines(of('USD'))).toBe(false);
    expect(clearsLines({ ...of('USD'), link: baseWith(kept) })).toBe(false);
    // To change it again would help nobody: it goes by itself once the currency is the same.
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

describe('a line that we have just made in the CRM', () => {
  const added = { offerNameId: 'OFFER-C', amount: '7', revenueType: null };
  const lines = (usual.offerLines ?? []).map(({ crmLineId: _, ...line }) => line);
  const vendor = theirs({ offerLines: [...lines, added] });
  const made = decideOn({ vendor });
  const rows = (made.baseAfter?.crm.offerLines ?? [])
    .slice(0, -1)
    .map((line) =>
      lineRow(String(line.crmLineId), String(line.offerNameId), Number(line.amount), line.revenueType),
    );
  const seen = (...more: ReturnType<typeof lineRow>[]): AnyPlan =>
    decideOn({
      vendor,
      graph: { lines: [...rows, ...more] },
      link: { base: made.baseAfter ?? null },
      opportunity: { SystemModstamp: V2 },
      config: mappingConfig({ prefer: 'vendor' }),
    });

  test('is known when it is seen', () => {
    expect(made.write?.lines.create).toHaveLength(1);
    const plan = seen(lineRow('00k000000000009AAA', 'OFFER-C', 7, null));
    expect(plan.next).toBe('nothing');
    expect(plan.baseAfter?.linePairs.at(-1)).toEqual({ crmLineId: '00k000000000009AAA', position: 2 });
  });

  test('was edited by a user where it says something else', () => {
    const plan = seen(lineRow('00k000000000009AAA', 'OFFER-C', 9, null));
    expect(rowOf(plan, 'offerLines')).toMatchObject({ verdict: 'to-vendor', rule: 'by line' });
    expect(plan.intent?.record.offerLines?.at(-1)).toMatchObject({ amount: '9' });
  });

  test('was removed by the vendor where the vendor shows it no more', () => {
    const plan = decideOn({
      vendor: theirs({ offerLines: lines }),
      graph: { lines: [...rows, lineRow('00k000000000009AAA', 'OFFER-C', 7, null)] },
      link: { base: made.baseAfter ?? null },
      opportunity: { SystemModstamp: V2 },
    });
    expect(plan).toMatchObject({ next: 'write-crm', write: { lines: { delete: ['00k000000000009AAA'] } } });
  });

  test('was deleted by a user where it is not there', () => {
    const plan = seen();
    expect(plan.next).toBe('update-at-vendor');
    expect(plan.intent?.record.offerLines).toHaveLength(2);
  });
});
