import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { crmRows } from '../../activities/streams/crm-rows.ts';
import { type ChangePage, type ChangeStream, readInto } from '../../activities/streams/stream.ts';
import type { ActivityDeps, TenantRuntime } from '../../activities/support/deps.ts';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
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

/** A run of it into a CRM that refuses these rows. */
function runThatRefuses(refusals: Readonly<Record<string, CrmErrorKind>>) {
  const done: string[] = [];
  let cursor: unknown = null;
  const deps = {
    now: () => '2026-03-01T12:00:00.000Z',
    ledger: {
      cursor: async () => cursor,
      saveCursor: async (_tenant: string, stream: string, position: unknown) => {
        done.push(`save ${stream} ${JSON.stringify(position)}`);
        cursor = position;
      },
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
          return kind === undefined ? null : new CrmError(kind, 'REFUSED', 'no');
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
    new MockActivityEnvironment().run(() => readInto(stream, [ORDERS], crmRows(stream))(pages));
  return { run, done };
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

it('counts a row that is refused for its own sake, and goes on', async () => {
  const { run } = runThatRefuses({ '0-2': 'permanent', '1-1': 'permanent' });
  expect(await run(10)).toEqual({ found: 6, refused: 2, more: false });
});

it.each<CrmErrorKind>(['transient', 'throttled', 'systemic', 'drift', 'stale', 'gone'])(
  'ends before the cursor moves when a row fails as %s',
  async (kind) => {
    const { run, done } = runThatRefuses({ '1-2': kind });
    await expect(run(10)).rejects.toMatchObject({ kind });
    expect(done.at(-1)).toBe('Order__c 1-1 1-2');
  },
);
