import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { crmRows } from '../../activities/streams/crm-rows.ts';
import { type ChangePage, type ChangeStream, readInto, readStored } from '../../activities/streams/stream.ts';
import type { ActivityDeps, TenantRuntime } from '../../activities/support/deps.ts';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import type { CursorMove, RowOutcomes } from '../../src/ledger/streams/stream-ledger.ts';
import { CrmError, type CrmErrorKind } from '../../src/salesforce/errors.ts';

type Order = { readonly Order_Id__c: string };
type Numbered = { readonly page: number };

/** Three pages of orders, of two rows each. */
const ORDERS: ChangeStream<Numbered, Order> = {
  first: () => ({ page: 0 }),
  readPage: async ({ page }): Promise<ChangePage<Numbered, Order>> => ({
    items: [1, 2].map((row) => ({ Order_Id__c: `${page}-${row}` })),
    cursor: { page: page + 1 },
    more: page < 2,
  }),
};

const START_MS = Date.parse('2026-03-01T12:00:00.000Z');

/** A run of it into a CRM that refuses these rows, and a ledger that keeps so many of them. */
function runThatRefuses(refusals: Record<string, CrmErrorKind>, room = 10) {
  const done: string[] = [];
  const kept = new Map<string, RowOutcomes['refused'][number]>();
  const clock = { ms: START_MS };
  let cursor: unknown = null;
  const save = (stream: string, position: unknown): void => {
    done.push(`save ${stream} ${JSON.stringify(position)}`);
    cursor = position;
  };
  const deps = {
    now: () => new Date(clock.ms).toISOString(),
    ledger: {
      cursors: async () => [cursor],
      saveCursor: async (_tenant: string, stream: string, position: unknown) => save(stream, position),
      moveCursor: async (_tenant: string, { stream, position }: CursorMove) => save(stream, position),
      settleRows: async (_tenant: string, stream: string, { taken, refused }: RowOutcomes) => {
        expect(stream).toBe('orders');
        for (const id of taken) kept.delete(id);
        if (kept.size + refused.length > room) return false;
        for (const row of refused) kept.set(row.id, row);
        return true;
      },
      refusedRows: async () => (clock.ms > START_MS ? [...kept.values()].map(({ row }) => row) : []),
    },
  } as unknown as ActivityDeps;
  const runtime = {
    tenant: { tenant: 'acme' },
    crm: {
      upsertRows: async (object: string, externalId: string, rows: readonly CrmFields[]) => {
        const ids = rows.map((row) => String(row[externalId]));
        done.push(`${object} ${ids.join(' ')}`);
        return ids.map((id) => {
          const kind = refusals[id];
          return kind === undefined ? null : new CrmError(kind, 'REFUSED', 'no', { fields: ['Name'] });
        });
      },
    },
  } as unknown as TenantRuntime;
  const row = {
    activity: 'searchOrders',
    reads: 'vendor-order',
    every: 1_000,
    summary: '',
    into: { object: 'Order__c', externalId: 'Order_Id__c', fields: [] },
  } as const;
  const stream = { name: 'orders', row, deps, runtime };
  const run = (pages: number) =>
    new MockActivityEnvironment().run(() =>
      readStored(stream.deps, 'acme', readInto(stream, [ORDERS], crmRows(stream)), pages),
    );
  const pass = (): void => {
    clock.ms += 86_400_000;
  };
  return { run, done, kept, pass, refusals };
}

it('writes each page before the cursor moves past it, and goes on from there', async () => {
  const { run, done } = runThatRefuses({});
  expect(await run(2)).toEqual({ found: 4, refused: 0, more: true });
  expect(await run(2)).toEqual({ found: 2, refused: 0, more: false });
  expect(done).toEqual([
    'save orders {"page":0}',
    'Order__c 0-1 0-2',
    'save orders {"page":1}',
    'Order__c 1-1 1-2',
    'save orders {"page":2}',
    'Order__c 2-1 2-2',
    'save orders {"page":3}',
  ]);
});

it.each<CrmErrorKind>(['permanent', 'gone', 'schema-mismatch'])(
  'keeps a row that is refused for its own sake (%s), goes on, and tries it again until it is taken',
  async (kind) => {
    const { run, kept, pass, refusals, done } = runThatRefuses({ '0-2': kind, '1-1': kind });
    expect(await run(10)).toEqual({ found: 6, refused: 2, more: false });
    expect([...kept.values()]).toEqual([
      { id: '0-2', row: { Order_Id__c: '0-2' }, reason: 'REFUSED Name' },
      { id: '1-1', row: { Order_Id__c: '1-1' }, reason: 'REFUSED Name' },
    ]);
    pass();
    delete refusals['1-1'];
    await run(1);
    expect(done.filter((line) => line === 'Order__c 0-2 1-1')).toHaveLength(1);
    expect([...kept.keys()]).toEqual(['0-2']);
  },
);

it.each<CrmErrorKind>(['transient', 'throttled', 'systemic', 'stale'])(
  'ends before the cursor moves when a row fails as %s',
  async (kind) => {
    const { run, done } = runThatRefuses({ '1-2': kind });
    await expect(run(10)).rejects.toMatchObject({ kind });
    expect(done.at(-1)).toBe('Order__c 1-1 1-2');
  },
);

it('ends before the cursor moves where every row lacks the same: the org does, or our user', async () => {
  const { run, done, kept } = runThatRefuses({ '1-1': 'schema-mismatch', '1-2': 'schema-mismatch' });
  await expect(run(10)).rejects.toMatchObject({ kind: 'schema-mismatch' });
  expect(done.at(-1)).toBe('Order__c 1-1 1-2');
  expect(kept.size).toBe(0);
});

it('ends before the cursor moves past more refused rows than can be kept', async () => {
  const { run, done } = runThatRefuses({ '0-1': 'permanent', '1-1': 'permanent', '1-2': 'permanent' }, 2);
  await expect(run(10)).rejects.toMatchObject({ kind: 'schema-mismatch', fields: ['Order__c'] });
  expect(done.at(-1)).toBe('Order__c 1-1 1-2');
});
