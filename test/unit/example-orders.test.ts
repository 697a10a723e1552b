import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { crmRows } from '../../activities/streams/crm-rows.ts';
import { readInto, readStored, type StreamOf, type TakenPages } from '../../activities/streams/stream.ts';
import { vendorPages, vendorPeriods } from '../../activities/streams/vendor-periods.ts';
import type { ActivityDeps, TenantRuntime } from '../../activities/support/deps.ts';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import type { CursorMove, RowVersion } from '../../src/ledger/streams/stream-ledger.ts';
import type { SearchOrdersInput } from '../../src/partner-api/index.ts';
import { PULL_ORDERS, vendorOrders } from '../support/example-orders.ts';

/** The worked example of a stream: what its few lines do with a vendor that pages, and what they cannot say. */

const NOW_MS = Date.parse('2027-01-04T08:00:00.000Z');
const DAY_MS = 86_400_000;
const iso = (ms: number): string => new Date(ms).toISOString();

/** Orders of the last day, a minute apart, behind a search that keeps the rules of order spec 4.2. */
function vendorWith(orders: number, clock: { readonly ms: number }) {
  const rows = Array.from({ length: orders }, (_, n) => ({
    transaction: { id: `O${n}`, status: { code: 'APP' } },
    lastUpdateDateTime: iso(NOW_MS - 3_600_000 - n * 60_000),
    creationDateTime: iso(NOW_MS - DAY_MS),
    currency: 'EUR',
  }));
  const searchOrders = async ({ lastUpdateDateTime, skip = 0, top = 10 }: SearchOrdersInput) => {
    const fromMs = Date.parse(lastUpdateDateTime?.from ?? '');
    const toMs = Date.parse(lastUpdateDateTime?.to ?? '');
    if (!(toMs > fromMs) || toMs - fromMs > 3 * DAY_MS || top > 100) throw new Error('against order spec 4.2');
    const found = rows.filter(({ lastUpdateDateTime: at }) => Date.parse(at) > fromMs && Date.parse(at) < toMs);
    return {
      data: found.slice(skip, skip + top),
      info: { timestamp: iso(clock.ms), estimatedSearchCount: found.length },
      date: null,
      rateLimit: { limit: null, remaining: null, resetSeconds: null },
    };
  };
  return { searchOrders };
}

/** The example over a ledger and a CRM in memory. */
function exampleWith(orders: number) {
  const kept = new Map<unknown, CrmFields>();
  const cursors = new Map<string, unknown>();
  const seen = new Map<string, string>();
  const clock = { ms: NOW_MS };
  let writes = 0;
  const quotas = new Set<string>();
  const deps = {
    now: () => iso(clock.ms),
    ledger: {
      cursor: async () => null,
      cursors: async (_tenant: string, names: readonly string[]) => names.map((name) => cursors.get(name) ?? null),
      saveCursor: async (_tenant: string, name: string, position: unknown) => void cursors.set(name, position),
      moveCursor: async (_tenant: string, { stream, position, seen: shown }: CursorMove) => {
        cursors.set(stream, position);
        for (const { rowId, stamp } of shown?.rows ?? []) seen.set(rowId, stamp);
      },
      unseenRows: async (_tenant: string, _stream: string, rows: readonly RowVersion[]) =>
        rows.filter(({ rowId, stamp }) => seen.get(rowId) !== stamp),
      refusedRows: async () => [],
      settleRows: async () => true,
      reserveRequest: async (_tenant: string, quota: string) => {
        quotas.add(quota);
        return { allowed: true };
      },
    },
  } as unknown as ActivityDeps;
  const runtime = {
    tenant: { tenant: 'acme', vendor: { poll: { overlapMs: 300_000 } } },
    vendor: vendorWith(orders, clock),
    crm: {
      upsertRows: async (object: string, externalId: string, rows: readonly CrmFields[]) => {
        expect([object, externalId]).toEqual(['Vendor_Order__c', 'Vendor_Order_Id__c']);
        writes += rows.length;
        for (const row of rows) kept.set(row[externalId], row);
        return rows.map(() => null);
      },
    },
  } as unknown as TenantRuntime;
  const stream: StreamOf<typeof PULL_ORDERS> = { name: 'pullOrders', row: PULL_ORDERS, deps, runtime };
  const readPage = (): Promise<TakenPages> =>
    new MockActivityEnvironment().run(() => readStored(stream.deps, 'acme', vendorOrders(stream), 1));
  const read = async (): Promise<void> => {
    for (let more = true; more; ) {
      const result: TakenPages = await readPage();
      more = result.more;
    }
  };
  return { read, kept, cursors, quotas, clock, writes: () => writes };
}

it.each([0, 1, 99, 100, 101, 250, 700])('of %i orders all are kept', async (orders) => {
  const { read, kept } = exampleWith(orders);
  await read();
  expect(kept.size).toBe(orders);
});

it('writes each once, whatever pages share and however often its period is searched', async () => {
  const { read, clock, writes } = exampleWith(250);
  for (let poll = 0; poll < 20; poll += 1) {
    await read();
    clock.ms += 60_000;
  }
  expect(writes()).toBe(250);
});

it('writes the fields of its row, keeps its cursor under its name, and spends the quota of its group', async () => {
  const { read, kept, cursors, quotas } = exampleWith(1);
  await read();
  expect([...kept.values()]).toEqual([
    { Vendor_Order_Id__c: 'O0', Status__c: 'APP', Ordered__c: iso(NOW_MS - DAY_MS), Currency__c: 'EUR' },
  ]);
  expect([...cursors.keys()]).toEqual(['pullOrders']);
  expect([...quotas]).toEqual(['vendor-order']);
});

it('leaves little to say wrongly', () => {
  expect(refusedByTheCompiler).toBeTypeOf('function');
});

const OF_SALES = { ...PULL_ORDERS, reads: 'vendor-sales' } as const;

/** Never called: `tsc` says whether these lines are the errors that they have to be. */
function refusedByTheCompiler(stream: StreamOf<typeof PULL_ORDERS>, sales: StreamOf<typeof OF_SALES>): void {
  vendorPeriods(
    // @ts-expect-error a search that pages is not read as one that tells all
    stream,
    { search: (_vendor, _period, _options) => Promise.reject(), found: () => ({ items: [] }) },
  );
  const criteria = () => ({});
  const row = () => ({ id: '', stamp: null, item: null });
  vendorPages(
    // @ts-expect-error nor the other way round
    sales,
    { operation: () => () => Promise.reject(), criteria, row },
  );
  // @ts-expect-error an operation of another group would be asked under the wrong quota
  vendorPages(stream, { operation: (vendor) => vendor.searchLeadOpportunities, criteria, row });
  // @ts-expect-error what takes no page is no search that pages
  vendorPages(stream, { operation: (vendor) => vendor.searchPriceLists, criteria, row });
  vendorPages(stream, {
    operation: (vendor) => vendor.searchOrders,
    criteria,
    // @ts-expect-error an id alone does not tell a row from itself after a change
    row: ({ transaction }) => ({ id: transaction.id, item: null }),
  });
  const key = { Vendor_Order_Id__c: 'O1', Status__c: null, Ordered__c: null, Currency__c: null };
  const { Status__c: _, ...short } = key;
  const sink = crmRows(stream);
  void sink.take([key], { stream: 'pullOrders', position: {} });
  // @ts-expect-error a field that the row of the stream names is written
  void sink.take([short], { stream: 'pullOrders', position: {} });
  // @ts-expect-error and no other, so that the package has all of them
  void sink.take([{ ...key, Other__c: null }], { stream: 'pullOrders', position: {} });
  // @ts-expect-error the external id has a value
  void sink.take([{ ...key, Vendor_Order_Id__c: null }], { stream: 'pullOrders', position: {} });
  // @ts-expect-error a stream that names no object of the CRM keeps nothing there
  readInto(stream, [], crmRows({ ...stream, row: { ...PULL_ORDERS, into: undefined } }));
}
