import { expect, it } from 'vitest';
import { UnknownRecord } from '../../../src/operator/records/remote-records.ts';
import {
  CannotResolve,
  type ResolveOrder,
  type ResolvePorts,
  resolveConflict,
} from '../../../src/operator/records/resolve-conflict.ts';

const HELD = { description: { crm: 'A', vendor: 'B' }, offerLines: { crm: [], vendor: [] } };
const LINK = { key: '006A', crmId: '006A', vendorId: 'V1', base: { held: HELD }, issues: [] };

function tools(given: { readonly isKnown?: false; readonly isLost?: true } = {}) {
  const calls: unknown[] = [];
  const ports = {
    ledger: {
      findLink: async () => null,
      findLinkByIds: async () => (given.isKnown === false ? null : LINK),
      pickSide: async (_: string, key: string, pick: unknown) => {
        calls.push(['pick', key, pick]);
        return given.isLost !== true;
      },
      pauses: async () => [],
    },
    intake: {
      requestSync: async (_: string, ids: unknown) => {
        calls.push(['look', ids]);
        return { workflowId: 'w1' };
      },
    },
    setInCrm: async (...written: unknown[]) => void calls.push(['set', ...written]),
    pause: async () => {},
    mapping: {},
  };
  return { ports: ports as unknown as ResolvePorts, calls };
}

const order = (change: Partial<ResolveOrder> = {}): ResolveOrder => ({
  id: 'V1',
  field: 'description',
  take: 'vendor',
  waitMs: 0,
  ...change,
});

it('notes the side, and has the record looked at', async () => {
  const { ports, calls } = tools();
  const result = await resolveConflict(ports, 'acme', order(), 'now');
  expect(result).toMatchObject({
    key: '006A',
    field: 'description',
    take: 'vendor',
    workflowId: 'w1',
    outcome: null,
  });
  expect(calls).toEqual([
    ['pick', '006A', { field: 'description', side: 'vendor' }],
    ['look', { crmId: '006A' }],
  ]);
});

it('gives Salesforce another value first, which then is what stays', async () => {
  const { ports, calls } = tools();
  await resolveConflict(ports, 'acme', order({ take: { value: 'C' } }), 'now');
  expect(calls.slice(0, 2)).toEqual([
    ['set', '006A', 'Description', 'C'],
    ['pick', '006A', { field: 'description', side: 'crm' }],
  ]);
});

it.each<[string, Parameters<typeof tools>[0], Partial<ResolveOrder>, new (message: string) => Error]>([
  ['a record that is not known', { isKnown: false }, {}, UnknownRecord],
  ['a field in which nothing waits', {}, { field: 'name' }, CannotResolve],
  ['a value for lines', {}, { field: 'offerLines', take: { value: 'C' } }, CannotResolve],
  ['a conflict that ended meanwhile', { isLost: true }, {}, CannotResolve],
])('refuses %s, and wakes nothing', async (_, given, change, refusal) => {
  const { ports, calls } = tools(given);
  await expect(resolveConflict(ports, 'acme', order(change), 'now')).rejects.toThrow(refusal);
  expect(calls.filter((call) => (call as readonly unknown[])[0] !== 'pick')).toEqual([]);
});
