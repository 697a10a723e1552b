import { describe, expect, it } from 'vitest';
import { ISSUES } from '../../../src/domain/record/issues.ts';
import { type SyncOrder, type SyncPorts, syncRecords } from '../../../src/operator/records/sync-record.ts';

const PARKED = { key: 'LO-9', crmId: null, vendorId: 'LO-9' };
const LINKED = { key: '006A', crmId: '006A', vendorId: 'LO-1' };

type StatusParts = {
  readonly generation: number;
  readonly observedGeneration: number;
  readonly state: string;
};

/** `standings`: how LO-1 stands at each look, the last one for good. */
function tools(standings: readonly StatusParts[] = []) {
  const looked: unknown[] = [];
  const asked: string[] = [];
  const left = [...standings];
  const ports = {
    intake: {
      requestSync: async (_: string, ids: unknown) => {
        looked.push(ids);
        return { workflowId: `w${looked.length}` };
      },
    },
    ledger: {
      findLinkByIds: async (_: string, { vendorId, crmId }: { vendorId?: string; crmId?: string }) => {
        if (vendorId !== 'LO-1' && crmId !== '006A') return null;
        const standing = looked.length === 0 ? {} : left.length > 1 ? left.shift() : left[0];
        return { ...LINKED, issues: [ISSUES.lineNotShared(), ISSUES.vendorMissing()], ...standing };
      },
      findLink: async (_: string, key: string) => (key === 'LO-9' ? PARKED : null),
      listLinks: async () => [PARKED, LINKED],
      pauses: async () => [{ group: 'vendor-sales', reason: 'a refused key', since: '' }],
    },
    remote: {
      opportunity: async (crmId: string) => {
        asked.push(crmId);
        return crmId === '006B' ? { Id: crmId } : null;
      },
      hasVendorRecord: async (vendorId: string) => {
        asked.push(vendorId);
        return vendorId === 'LO-7';
      },
    },
    pause: async () => {},
  };
  return { ports: ports as unknown as SyncPorts, looked, asked };
}

const order: SyncOrder = { crmIds: [], others: [], allParked: false, waitMs: 0 };

it('wakes opportunities, vendor records and links, each by the side that leads', async () => {
  const { ports, looked } = tools();
  const wanted = { ...order, crmIds: ['006B'], others: ['LO-1', 'LO-9'] };
  const { records } = await syncRecords(ports, 'acme', wanted, 'now');
  expect(looked).toEqual([{ crmId: '006B' }, { crmId: '006A' }, { vendorId: 'LO-9' }]);
  expect(records.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['006B', null],
    ['LO-1', null],
    ['LO-9', null],
  ]);
});

it('wakes all that are parked', async () => {
  const { ports, looked } = tools();
  await syncRecords(ports, 'acme', { ...order, allParked: true }, 'now');
  expect(looked).toEqual([{ vendorId: 'LO-9' }, { crmId: '006A' }]);
});

it.each(['LO-7', 'vendor:LO-7'])(
  'wakes %s, of which nothing was signalled yet, where the vendor shows it',
  async (id) => {
    const { ports, looked, asked } = tools();
    const { records } = await syncRecords(ports, 'acme', { ...order, others: [id] }, 'now');
    expect([looked, asked]).toEqual([[{ vendorId: 'LO-7' }], ['LO-7']]);
    expect(records).toMatchObject([{ id }]);
  },
);

it('wakes no opportunity that this org does not have, and asks for none that is known', async () => {
  const { ports, looked, asked } = tools();
  const wanted = { ...order, crmIds: ['006A', '006X'] };
  await expect(syncRecords(ports, 'acme', wanted, 'now')).rejects.toThrow(
    'There is no opportunity 006X in the org of acme.',
  );
  expect([looked, asked]).toEqual([[], ['006X']]);
});

describe('where somebody waits for the end', () => {
  const wanted = { ...order, others: ['LO-1'], waitMs: 1_000 };

  it('tells where the record stands once nothing of it is due, and what it waits for', async () => {
    const { ports } = tools([
      { generation: 2, observedGeneration: 1, state: 'in-sync' },
      { generation: 2, observedGeneration: 2, state: 'vendor-missing' },
    ]);
    const { records } = await syncRecords(ports, 'acme', wanted, 'now');
    const waitsFor = [ISSUES.vendorMissing().message];
    expect(records.map(({ outcome }) => outcome)).toEqual([{ ended: true, state: 'vendor-missing', waitsFor }]);
  });

  it('tells after its time that it has not ended, and what stops it', async () => {
    const { ports } = tools([{ generation: 2, observedGeneration: 1, state: 'pending' }]);
    const { records } = await syncRecords(ports, 'acme', wanted, 'now');
    const waitsFor = ['vendor-sales is paused: a refused key'];
    expect(records.map(({ outcome }) => outcome)).toEqual([{ ended: false, waitsFor }]);
  });
});
