import { expect, it } from 'vitest';
import { createStreamActivities } from '../../activities/streams/sources.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { isBulk, STREAM_NAMES, STREAMS } from '../../src/domain/streams/streams.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';

/** A ledger that tells by its first answer which one it is. */
const named = (name: string): Ledger =>
  ({ pausesAndCursors: () => Promise.reject(new Error(name)) }) as unknown as Ledger;

const deps = { ledger: named('ledger'), bulkLedger: named('bulk ledger') } as unknown as ActivityDeps;

it.each(STREAM_NAMES)('%s asks the ledger that its kind has turns at', async (stream) => {
  const read = createStreamActivities(deps)[STREAMS[stream].activity];
  await expect(read({ tenant: 'acme' })).rejects.toThrow(isBulk(stream) ? /^bulk ledger$/ : /^ledger$/);
});

it('asks the one there is where a worker has no other', async () => {
  const { readVendorCatalog } = createStreamActivities({
    ledger: named('ledger'),
  } as unknown as ActivityDeps);
  await expect(readVendorCatalog({ tenant: 'acme' })).rejects.toThrow(/^ledger$/);
});
