import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { LedgerError } from '../../../src/ledger/ledger-error.ts';
import { laneLedger } from '../../../src/worker/lane-ledger.ts';

const AT = '2026-03-01T12:00:00.000Z';
type Many = (tenant: string, items: readonly { readonly key: string }[]) => Promise<readonly unknown[]>;

/** A lane's ledger over one that notes its calls. `many`: stores outcomes together. */
function over(many: Many) {
  const calls: string[] = [];
  const ledger = {
    settleTogether: async (tenant: string, items: readonly { readonly key: string }[]) => {
      calls.push(`${tenant} together ${items.map(({ key }) => key).join(' ')}`);
      return many(tenant, items);
    },
    settle: async (tenant: string, key: string) => {
      calls.push(`${tenant} alone ${key}`);
      return key === 'bad' ? Promise.reject(new LedgerError('22P05', 'refused')) : { key };
    },
    pauses: async (tenant: string) => {
      calls.push(`${tenant} pauses`);
      return [];
    },
    vendorKeys: async () => null,
    findLinks: async (_: string, keys: readonly string[]) =>
      new Map(keys.filter((key) => key !== 'alias').map((key) => [key, { key }])),
    findLink: async (_: string, key: string) => ({ key: `survivor of ${key}` }),
  } as unknown as Ledger;
  const lane = laneLedger(ledger);
  const settle = (key: string, tenant = 'acme') => lane.settle(tenant, key, { at: AT });
  return { calls, lane, settle };
}

const asKeys: Many = async (_, items) => items.map(({ key }) => ({ key }));

it('lets concurrent calls about records of one tenant share a statement', async () => {
  const { calls, settle } = over(asKeys);
  const results = await Promise.all([settle('A'), settle('B'), settle('C', 'umbrella'), settle('D')]);
  expect(calls.toSorted()).toEqual(['acme together A B D', 'umbrella together C']);
  expect(results).toEqual(['A', 'B', 'C', 'D'].map((key) => ({ key })));
});

it('executes alone what the shared statement has left alone', async () => {
  const { calls, settle } = over(async (_, items) => items.map(({ key }) => (key === 'B' ? null : { key })));
  expect(await Promise.all([settle('A'), settle('B')])).toEqual([{ key: 'A' }, { key: 'B' }]);
  expect(calls).toEqual(['acme together A B', 'acme alone B']);
});

it('lets an error about one call concern no other', async () => {
  const inDoubt = new LedgerError('CONNECTION', 'closed', true);
  const { calls, settle } = over(async (_, items) => items.map(({ key }) => (key === 'B' ? inDoubt : { key })));
  const ends = await Promise.allSettled([settle('A'), settle('B')]);
  expect(ends).toMatchObject([{ value: { key: 'A' } }, { reason: inDoubt }]);
  expect(calls).toHaveLength(1);
});

it('executes each call alone where the database refuses the shared statement', async () => {
  const { calls, settle } = over(async () => Promise.reject(new LedgerError('22P05', 'refused')));
  const ends = await Promise.allSettled([settle('A'), settle('bad')]);
  expect(ends).toMatchObject([{ value: { key: 'A' } }, { reason: { code: '22P05' } }]);
  expect(calls).toEqual(['acme together A bad', 'acme alone A', 'acme alone bad']);
});

it('repeats no call of which nobody knows whether it was executed', async () => {
  const { calls, settle } = over(async () => Promise.reject(new LedgerError('CONNECTION', 'closed', true)));
  const ends = await Promise.allSettled([settle('A'), settle('B')]);
  expect(ends).toMatchObject([{ reason: { code: 'CONNECTION' } }, { reason: { code: 'CONNECTION' } }]);
  expect(calls).toEqual(['acme together A B']);
});

it('reads what is paused once for all who ask, after the last of them has asked', async () => {
  const { calls, lane } = over(asKeys);
  const first = Promise.all([lane.pauses('acme'), lane.pauses('acme')]);
  expect(calls).toEqual([]);
  await first;
  await lane.pauses('acme');
  expect(calls).toEqual(['acme pauses', 'acme pauses']);
  expect(await Promise.all([lane.vendorKeys('acme'), lane.vendorKeys('acme')])).toEqual([null, null]);
});

it('finds links together, and asks again alone for one that was not found', async () => {
  const { lane } = over(asKeys);
  const found = await Promise.all(['A', 'alias'].map((key) => lane.findLink('acme', key)));
  expect(found).toEqual([{ key: 'A' }, { key: 'survivor of alias' }]);
});

it('makes calls for vendor requests together, so that the ledger can combine them', async () => {
  const calls: string[] = [];
  const gathers: PromiseWithResolvers<void>[] = [];
  const gather = () => {
    gathers.push(Promise.withResolvers());
    return (gathers.at(-1) as PromiseWithResolvers<void>).promise;
  };
  const ledger = {
    reserveRequest: async (tenant: string) => calls.push(`${tenant} request`),
    reportQuota: async (tenant: string) => calls.push(`${tenant} answer`),
  } as unknown as Ledger;
  const lane = laneLedger(ledger, gather);

  const request = lane.reserveRequest('acme', 'vendor-sales', AT);
  await setImmediate();
  const answer = lane.reportQuota('umbrella', 'vendor-sales', { at: AT, limit: 60, remaining: 9, resetSeconds: 5 });
  await setImmediate();
  expect(calls).toEqual([]);
  gathers[0]?.resolve();
  await Promise.all([request, answer]);
  expect(calls).toEqual(['acme request', 'umbrella answer']);

  const next = lane.reserveRequest('acme', 'vendor-sales', AT);
  gathers[1]?.resolve();
  await next;
  expect([calls.length, gathers.length]).toEqual([3, 2]);
});
