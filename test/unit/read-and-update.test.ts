import { expect, test } from 'vitest';
import { createReadAndUpdate } from '../../activities/opportunity/read-and-update.ts';
import type { SyncSummary } from '../../activities/opportunity/summary.ts';

const PLAIN = { reportDue: false, crmId: 'C1', vendorId: 'V1', state: 'in-sync', issues: [] } as const;
const UPDATE: SyncSummary = {
  ...PLAIN,
  ...{
    next: 'update-at-vendor',
    planId: 'p2',
    reason: 'differs',
    fields: ['name'],
    isRecentlyWritten: false,
  },
};
const UPDATED: SyncSummary = { ...PLAIN, next: 'nothing', reason: 'updated at the vendor', fields: [] };
const ARGS = { tenant: 'acme', key: 'C1', work: { bulk: 0.5 }, planId: 'p1', crmDue: false } as const;

/** An activity whose read returns `read`; records its calls and the results of its steps. */
function activity(read: SyncSummary, update: () => Promise<SyncSummary> = async () => UPDATED) {
  const asked: unknown[] = [];
  const result: unknown[] = [];
  const run = createReadAndUpdate(
    { onStep: (...step) => void result.push(step) },
    async (args) => {
      asked.push({ read: args });
      return read;
    },
    async (args) => {
      asked.push({ update: args });
      return update();
    },
  );
  return { run, asked, result };
}

test('the update that a reading leads to leaves at once, and its outcome tells that it did', async () => {
  const { run, asked, result } = activity(UPDATE);
  expect(await run({ ...ARGS, mayUpdate: true })).toEqual({
    ...UPDATED,
    ...{ fields: ['name'], wrote: true, isRecentlyWritten: false },
  });
  expect(asked).toEqual([{ read: ARGS }, { update: { tenant: 'acme', key: 'C1', work: { bulk: 0.5 }, planId: 'p2' } }]);
  expect(result).toEqual([['acme', 'readVendor', UPDATE]]);
});

test('where the run has not said that it may, the run decides', async () => {
  const { run, asked, result } = activity(UPDATE);
  expect(await run(ARGS)).toEqual(UPDATE);
  expect([asked, result]).toEqual([[{ read: ARGS }], []]);
});

test.each<SyncSummary>([
  { ...PLAIN, next: 'nothing', reason: 'echo', fields: [] },
  { ...PLAIN, next: 'write-crm', planId: 'p2', reason: 'differs', fields: ['name'] },
  { ...PLAIN, next: 'create-at-vendor', planId: 'p2', reason: 'new', fields: ['name'] },
])('whatever else it leads to is the run’s: $next', async (read) => {
  const { run, asked } = activity(read);
  expect(await run({ ...ARGS, mayUpdate: true })).toEqual(read);
  expect(asked).toHaveLength(1);
});

test('an update that fails fails the activity', async () => {
  const { run } = activity(UPDATE, () => Promise.reject(new Error('503')));
  await expect(run({ ...ARGS, mayUpdate: true })).rejects.toThrow('503');
});
