import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { createStreamActivities } from '../../activities/streams/sources.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { OPERATION_GROUPS } from '../../src/domain/loop/operation-groups.ts';
import { STREAM_NAMES, STREAMS, type StreamName, type StreamRow } from '../../src/domain/streams/streams.ts';

const ASKED = new Error('asked');
const rows: Readonly<Record<StreamName, StreamRow>> = STREAMS;
/** A stream that stops alone pauses no group, so that no probe has to lift what it did. */
const ofTheVendor = STREAM_NAMES.filter((stream) => {
  const row = rows[stream];
  return row.reads !== 'salesforce' && row.stopsAlone !== true;
});

const SEARCH_BY_PO = {
  id: 'a0S000000000001AAA',
  opportunityId: '006000000000001AAA',
  criteria: { PO_Reference__c: 'PO-1' },
};

/** A ledger in which nothing else is found. */
const emptyBut = (calls: object): object =>
  new Proxy(calls, { get: (known, name) => Reflect.get(known, name) ?? (async () => []) });

/** The first operation that a run of a stream asks the vendor. */
async function operationOf(stream: StreamName): Promise<string | undefined> {
  const asked: string[] = [];
  const vendor = new Proxy(
    {},
    {
      get: (_, operation) => async () => {
        asked.push(String(operation));
        throw ASKED;
      },
    },
  );
  const deps = {
    now: () => '2026-03-01T12:00:00.000Z',
    runtime: () => ({
      vendor,
      // A sales person searches an order.
      crm: {
        orderSearches: async () => ({ waiting: [SEARCH_BY_PO], ticked: [], more: false }),
        updateRows: async (_: string, searches: readonly object[]) => searches.map(() => null),
      },
      tenant: {
        tenant: 'acme',
        vendor: { poll: { overlapMs: 300_000 } },
        salesforce: { apiShare: 0.25 },
        mapping: { zone: 'UTC' },
      },
    }),
    ledger: emptyBut({
      pausesAndCursors: async () => ({ pauses: [], positions: [] }),
      cursor: async () => null,
      cursors: async () => [null],
      mirrorWork: async () => ({ steps: new Set(), detailAt: null }),
      saveCursor: async () => {},
      linkedPairs: async () => [{ key: 'K', vendorId: 'V', reference: '006000000000001AAA', state: 'in-sync' }],
      reserveRequest: async () => ({ allowed: true }),
      crmUse: async () => new Map(),
    }),
  } as unknown as ActivityDeps;
  const read = createStreamActivities(deps)[STREAMS[stream].activity];
  await expect(new MockActivityEnvironment().run(() => read({ tenant: 'acme' }))).rejects.toBe(ASKED);
  return asked[0];
}

it.each(ofTheVendor)('what %s asks is what its group is probed by', async (stream) => {
  const { reads } = STREAMS[stream];
  const operation = await operationOf(stream);
  const probes: readonly (string | undefined)[] = OPERATION_GROUPS[reads].probes;
  expect(
    probes.includes(operation),
    `${stream} asks ${operation}, and no probe of ${reads} does: a key may be good for the one and not for the other, so let ` +
      'one ask it (src/domain/loop/operation-groups.ts, activities/outage/probes.ts)',
  ).toBe(true);
});
