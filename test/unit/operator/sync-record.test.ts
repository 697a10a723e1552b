import { expect, it } from 'vitest';
import { syncRecords, UnknownRecord } from '../../../src/operator/sync-record.ts';

const PARKED = { key: 'LO-9', crmId: null, vendorId: 'LO-9' };
const LINKED = { key: '006A', crmId: '006A', vendorId: 'LO-1' };

function tools() {
  const looked: unknown[] = [];
  const intake = {
    lookAgain: async (_: string, ids: unknown) => {
      looked.push(ids);
      return { workflowId: `w${looked.length}` };
    },
  };
  const ledger = {
    findLinkByIds: async (_: string, { vendorId }: { vendorId?: string }) =>
      vendorId === 'LO-1' ? LINKED : null,
    findLink: async (_: string, key: string) => (key === 'LO-9' ? PARKED : null),
    listLinks: async () => [PARKED, LINKED],
  };
  return { ports: { intake, ledger } as never, looked };
}

const order = { crmIds: [], others: [], allParked: false };

it('wakes opportunities, vendor records and links, each by the side that leads', async () => {
  const { ports, looked } = tools();
  const wanted = { ...order, crmIds: ['006B'], others: ['LO-1', 'LO-9'] };
  const { records } = await syncRecords(ports, 'acme', wanted, 'now');
  expect(looked).toEqual([{ crmId: '006B' }, { crmId: '006A' }, { vendorId: 'LO-9' }]);
  expect(records.map(({ id }) => id)).toEqual(['006B', 'LO-1', 'LO-9']);
});

it('wakes all that are parked', async () => {
  const { ports, looked } = tools();
  await syncRecords(ports, 'acme', { ...order, allParked: true }, 'now');
  expect(looked).toEqual([{ vendorId: 'LO-9' }, { crmId: '006A' }]);
});

it('wakes nothing where one is unknown', async () => {
  const { ports, looked } = tools();
  const wanted = { ...order, crmIds: ['006B'], others: ['LO-404'] };
  await expect(syncRecords(ports, 'acme', wanted, 'now')).rejects.toBeInstanceOf(UnknownRecord);
  expect(looked).toEqual([]);
});
