import { describe, expect, it } from 'vitest';
import { linesAsMade } from '../../../../src/domain/base/deleted-lines.ts';
import { withCrmWritesResolved } from '../../../../src/domain/base/in-doubt-writes.ts';
import { observeCrm } from '../../../../src/domain/mapping/index.ts';
import type { OfferLine } from '../../../../src/domain/record/canonical.ts';
import type { CrmFields } from '../../../../src/domain/record/crm-graph.ts';
import { crmGraph, mappingConfig } from '../../../support/mapping/fixtures.ts';
import { agreedBase, usualRecord } from '../../../support/value-engine/samples.ts';

const config = mappingConfig();
const line = (offerNameId: string, amount: string, crmLineId?: string): OfferLine => ({
  ...{ offerNameId, amount, revenueType: null },
  ...(crmLineId === undefined ? {} : { crmLineId }),
});
const row = (Id: string, offer: string, TotalPrice: number): CrmFields => ({
  ...{ Id, TotalPrice, Vendor_Revenue_Type__c: null },
  'Product2.Vendor_Offer_Id__c': offer,
});

const [A, B, B2] = [row('L1', 'A', 1), row('L2', 'B', 2), row('L3', 'B', 3)];
const known = agreedBase({ ...usualRecord(), offerLines: [line('A', '1', 'L1')] });
const sent = { crm: { offerLines: [line('A', '1', 'L1'), line('B', '2', 'created 1')] }, vendor: {} };
const shown = (lines: readonly CrmFields[], deletedLines?: readonly CrmFields[]) =>
  observeCrm({ ...crmGraph(), lines, ...(deletedLines === undefined ? {} : { deletedLines }) }, config);

describe('a line that a write made whose answer was lost', () => {
  it.each<[string, readonly CrmFields[], readonly CrmFields[] | undefined, readonly string[], (string | undefined)[]]>([
    ['is known by what is deleted since', [A], [B], [], ['L1', 'L2']],
    ['is known though another one of its offer was deleted before', [A], [B2, B], ['L3'], ['L1', 'L2']],
    ['is known though its amount was changed before', [A], [B2], [], ['L1', 'L3']],
    ['is not what was deleted before', [A], [B], ['L2'], ['L1']],
    ['is not a line that was agreed on', [B], [A], [], ['L2']],
    ['is not one of another offer', [A], [row('L4', 'C', 2)], [], ['L1']],
    ['is what is there, where that is', [A, B], [B2], [], ['L1', 'L2']],
    ['is not there where nothing is deleted', [A], undefined, [], ['L1']],
  ])('%s', (_, alive, deleted, goneLines, ids) => {
    const { offerLines } = linesAsMade(shown(alive, deleted), known, { ...sent, goneLines }, config);
    expect(offerLines?.map(({ crmLineId }) => crmLineId)).toEqual(ids);
  });

  it('is looked for only where it is known what was deleted before', () => {
    const { offerLines } = linesAsMade(shown([A], [B]), known, sent, config);
    expect(offerLines).toHaveLength(1);
  });

  it('is agreed on as it was made, so that its deletion is an edit', () => {
    const vendor = { offerLines: [line('A', '1', 'L1'), line('B', '2')] };
    const inDoubtCrmWrites = { basedOnVersion: 'before', sent: [{ ...sent, vendor, goneLines: [] }] };
    const base = withCrmWritesResolved({ ...known, inDoubtCrmWrites }, shown([A], [B]), config);
    expect(base.crm.offerLines?.map(({ crmLineId }) => crmLineId)).toEqual(['L1', 'L2']);
    expect(base.vendor.offerLines).toEqual(vendor.offerLines);
    expect(base.linePairs).toEqual([
      { crmLineId: 'L1', position: 0 },
      { crmLineId: 'L2', position: 1 },
    ]);
  });
});
