import { expect, it } from 'vitest';
import { type LinkPorts, linkRecords } from '../../../src/operator/link-records.ts';

type Pair = { readonly crmId: string | null; readonly vendorId: string | null };

function tools(given: { links?: readonly Pair[]; isShared?: boolean; isBusy?: true } = {}) {
  const adopted: unknown[] = [];
  const looked: unknown[] = [];
  const ports = {
    intake: {
      lookAgain: async (_: string, ids: unknown) => {
        looked.push(ids);
        return { workflowId: 'w1' };
      },
    },
    ledger: {
      findLinkByIds: async (_: string, ids: Partial<Pair>) =>
        (given.links ?? []).find(({ crmId, vendorId }) =>
          ids.crmId === undefined ? vendorId === ids.vendorId : crmId === ids.crmId,
        ) ?? null,
      adopt: async (_: string, ids: unknown) => {
        adopted.push(ids);
        return given.isBusy ? null : {};
      },
    },
    remote: {
      opportunity: async (id: string) => (id === 'C1' ? { Vendor_Share__c: given.isShared ?? true } : null),
      hasVendorRecord: async (id: string) => id === 'V1',
    },
  };
  return { ports: ports as unknown as LinkPorts, adopted, looked };
}

const IDS = { crmId: 'C1', vendorId: 'V1' };

it('makes one deal of the two, and has it looked at', async () => {
  const { ports, adopted, looked } = tools();
  const answer = await linkRecords(ports, 'acme', IDS, null, 'now');
  expect(answer).toEqual({ tenant: 'acme', ...IDS, workflowId: 'w1', waitsFor: null });
  expect([adopted, looked]).toEqual([[IDS], [{ crmId: 'C1' }]]);
});

it('says that nothing travels while the opportunity is not shared', async () => {
  const { ports, adopted } = tools({ isShared: false });
  expect((await linkRecords(ports, 'acme', IDS, null, 'now')).waitsFor).toContain(
    'Vendor_Share__c is not ticked',
  );
  expect(adopted).toEqual([IDS]);
});

it('looks again where they are one deal already', async () => {
  const { ports, adopted, looked } = tools({ links: [IDS] });
  await linkRecords(ports, 'acme', IDS, null, 'now');
  expect([adopted, looked]).toEqual([[], [{ crmId: 'C1' }]]);
});

it.each([
  ['no such opportunity', { ...IDS, crmId: 'C9' }, {}, 'no opportunity C9'],
  ['no such vendor record', { ...IDS, vendorId: 'V9' }, {}, 'shows no record V9'],
  [
    'another vendor record',
    IDS,
    { links: [{ crmId: 'C1', vendorId: 'V2' }] },
    'linked to the vendor record V2',
  ],
  ['another opportunity', IDS, { links: [{ crmId: 'C2', vendorId: 'V1' }] }, 'linked to the opportunity C2'],
  ['a create under way', IDS, { isBusy: true as const }, 'may be under way'],
])('refuses where there is %s, and changes nothing', async (_, ids, given, sentence) => {
  const { ports, looked } = tools(given);
  await expect(linkRecords(ports, 'acme', ids, null, 'now')).rejects.toThrow(sentence);
  expect(looked).toEqual([]);
});
