import { describe, expect, test } from 'vitest';
import { afterCrmWrite, crmWrite, observeCrm } from '../../../../src/domain/mapping/index.ts';
import type { Observed, OfferLine } from '../../../../src/domain/record/canonical.ts';
import type { CrmGraph } from '../../../../src/domain/record/crm-graph.ts';
import { crmGraph, lineRow, mappingConfig, without } from '../../../support/mapping/fixtures.ts';

const config = mappingConfig();

function write(changes: Observed, graph: CrmGraph = crmGraph()): ReturnType<typeof crmWrite> {
  return crmWrite(changes, graph, { config });
}

describe('lines', () => {
  const A = { offerNameId: 'OFFER-A', amount: '100.1', revenueType: 'UPFRONT' };
  const B = { offerNameId: 'OFFER-B', amount: '250', revenueType: null };
  const idA = '00k000000000001AAA';
  const idB = '00k000000000002AAA';

  test('go in one write with other fields', () => {
    const { write: made } = write({ name: 'New', offerLines: [{ ...A, amount: '90' }, B] });
    expect(made).toMatchObject({ opportunity: { Name: 'New' }, lines: { update: [{ Id: idA }] } });
  });

  test('once written, read as they were given', () => {
    const offerLines = [
      { ...A, amount: '90' },
      { ...B, offerNameId: 'OFFER-C' },
    ];
    const { write: made } = write({ offerLines });
    if (made === null) throw new Error('expected a write');
    const { record } = observeCrm(afterCrmWrite(crmGraph(), made), config);
    expect(record.offerLines).toMatchObject(offerLines);
    expect(record.offerLines).toHaveLength(2);
  });

  test('a line that is gone is deleted, one of another offer made again', () => {
    expect(write({ offerLines: [A] }).write?.lines).toEqual({ create: [], update: [], delete: [idB] });
    expect(write({ offerLines: [A, { ...B, offerNameId: 'OFFER-D' }] }).write?.lines).toEqual({
      create: [{ 'Product2.Vendor_Offer_Id__c': 'OFFER-D', Quantity: 1, TotalPrice: 250 }],
      update: [],
      delete: [idB],
    });
  });

  test.each([
    ['Upfront', null, { Vendor_Revenue_Type__c: null }],
    ['Upfront', 'UPFRONT', null],
    ['RENTAL_Y', null, { Vendor_Revenue_Type__c: null }],
    ['', null, null],
    [null, null, null],
    ['Not mapped', null, null],
    ['Not mapped', 'RENTAL_Y', { Vendor_Revenue_Type__c: 'RENTAL_Y' }],
    [null, 'X_NEW', { Vendor_Revenue_Type__c: 'X_NEW' }],
  ])('revenue type %s, the vendor says %s', (held, revenueType, expected) => {
    const lines = [lineRow('L1', 'OFFER-A', 1, held)];
    const offerLines = [{ offerNameId: 'OFFER-A', amount: '1', revenueType }];
    const rows = write({ offerLines }, crmGraph({}, { lines })).write?.lines.update ?? null;
    expect(rows).toEqual(expected === null ? null : [{ Id: 'L1', ...expected }]);
  });

  test('the partner’s own lines stay, and a vendor line without offer is reported', () => {
    const lines = [lineRow('OWN', null, 10, null)];
    const offerLines = [{ offerNameId: null, amount: '10', revenueType: null }];
    const result = write({ offerLines }, crmGraph({}, { lines }));
    expect(result.write).toBeNull();
    expect(result.issues).toMatchObject([{ code: 'unknown-offer', field: 'offerLines' }]);
    expect(result.issues[0]?.message).toContain('names no product');
  });

  test('lines that may not be seen are left alone', () => {
    const lines = [without(lineRow('L1', 'OFFER-A', 1, null), 'TotalPrice')];
    const result = write({ offerLines: [] }, crmGraph({}, { lines }));
    expect(result.write).toBeNull();
    expect(result.issues).toMatchObject([{ code: 'crm-refused', field: 'offerLines' }]);
    expect(result.issues[0]?.message).toContain('permission set Lockstep_Integration');
  });

  describe('ids that the target carries', () => {
    const twins = crmGraph({}, { lines: [lineRow('L1', 'TWIN', 1, null), lineRow('L2', 'TWIN', 2, null)] });
    const twin = (amount: string, crmLineId?: string): OfferLine => ({
      offerNameId: 'TWIN',
      amount,
      revenueType: null,
      ...(crmLineId && { crmLineId }),
    });

    test.each<[string, OfferLine[], unknown]>([
      [
        'pair before content does',
        [twin('2', 'L1'), twin('1', 'L2')],
        {
          update: [
            { Id: 'L1', TotalPrice: 2 },
            { Id: 'L2', TotalPrice: 1 },
          ],
          delete: [],
        },
      ],
      [
        'leave the line of the same content to the lines that carry none',
        [twin('5'), twin('2', 'L1')],
        {
          update: [
            { Id: 'L2', TotalPrice: 5 },
            { Id: 'L1', TotalPrice: 2 },
          ],
          delete: [],
        },
      ],
      [
        'are final: a line that nobody carries is gone, though its content is that of a kept one',
        [twin('2', 'L1')],
        { update: [{ Id: 'L1', TotalPrice: 2 }], delete: ['L2'] },
      ],
      [
        'pair once; the second that carries one pairs by content',
        [twin('3', 'L1'), twin('2', 'L1')],
        { update: [{ Id: 'L1', TotalPrice: 3 }], delete: [] },
      ],
    ])('%s', (_, offerLines, expected) => {
      expect(write({ offerLines }, twins).write?.lines).toEqual({ create: [], ...(expected as object) });
    });
  });
});
