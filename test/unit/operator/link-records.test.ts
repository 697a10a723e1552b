import { expect, it } from 'vitest';
import { type LinkPorts, linkRecords } from '../../../src/operator/records/link-records.ts';

type Pair = {
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly issues?: readonly { readonly candidates?: readonly string[] }[];
};

type Given = { links?: readonly Pair[]; waiting?: readonly string[]; isShared?: boolean; isBusy?: true };

function tools(given: Given = {}) {
  const adopted: unknown[] = [];
  const looked: unknown[] = [];
  const ports = {
    intake: {
      requestSync: async (_: string, ids: unknown) => {
        looked.push(ids);
        return { workflowId: 'w1' };
      },
    },
    ledger: {
      findLinkByIds: async (_: string, ids: Partial<Pair>) => {
        const link = (given.links ?? []).find(({ crmId, vendorId }) =>
          ids.crmId === undefined ? vendorId === ids.vendorId : crmId === ids.crmId,
        );
        return link === undefined ? null : { issues: [], ...link };
      },
      waitingFor: async (_: string, [crmId]: readonly string[]) =>
        new Map([[crmId, (given.waiting ?? []).map((vendorId) => ({ vendorId, rivals: [] }))]]),
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

it('looks again where they are one deal already', async () => {
  const { ports, adopted, looked } = tools({ links: [IDS] });
  await linkRecords(ports, 'acme', IDS, null, 'now');
  expect([adopted, looked]).toEqual([[], [{ crmId: 'C1' }]]);
});

it('looks again at what waited because it may have been one of the two', async () => {
  const record = { crmId: null, vendorId: 'V1', issues: [{ candidates: ['C1', 'C2', 'C3', 'C4'] }] };
  const [twin, other] = [
    { crmId: 'C2', vendorId: null },
    { crmId: 'C3', vendorId: 'V3' },
  ];
  const links = [record, twin, other];
  const { ports, looked } = tools({ links, waiting: ['V1', 'V2'] });
  await linkRecords(ports, 'acme', IDS, null, 'now');
  expect(looked).toEqual([{ crmId: 'C1' }, { crmId: 'C2' }, { vendorId: 'V2' }]);
});

it.each([
  ['no such opportunity', { ...IDS, crmId: 'C9' }, {}, 'no opportunity C9'],
  ['no such vendor record', { ...IDS, vendorId: 'V9' }, {}, 'shows no record V9'],
  ['another vendor record', IDS, { links: [{ crmId: 'C1', vendorId: 'V2' }] }, 'linked to the vendor record V2'],
  ['another opportunity', IDS, { links: [{ crmId: 'C2', vendorId: 'V1' }] }, 'linked to the opportunity C2'],
  ['a create under way', IDS, { isBusy: true as const }, 'may be under way'],
])('refuses where there is %s, and changes nothing', async (_, ids, given, sentence) => {
  const { ports, looked } = tools(given);
  await expect(linkRecords(ports, 'acme', ids, null, 'now')).rejects.toThrow(sentence);
  expect(looked).toEqual([]);
});
