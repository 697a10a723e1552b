import { expect, it } from 'vitest';
import { Snapshots } from '../../../src/console/live/snapshot.ts';
import type { StatusLedger } from '../../../src/operator/status/status.ts';

const SINCE = '2026-03-01T12:00:00.000Z';

/** A ledger without tenants. `reports`: the answers about tenants that cannot be served, in the order of the reads. */
function openSnapshots(reports: readonly Promise<readonly string[]>[]) {
  const left = [...reports];
  const ledger = {
    unavailableTenants: async () =>
      ((await left.shift()) ?? []).map((tenant) => ({ tenant, process: 'worker 1', reason: 'no key', at: SINCE })),
  } as unknown as StatusLedger;
  const everyOther = new Proxy(ledger, {
    get: (own, name) => Reflect.get(own, name) ?? (async () => new Map()),
  });
  const nowMs = (): number => Date.parse(SINCE);
  const failed: unknown[] = [];
  const snapshots = new Snapshots({
    ledger: everyOther,
    tenants: () => [],
    nowMs,
    onError: (error) => failed.push(error),
  });
  return { snapshots, failed, reads: () => reports.length - left.length };
}

const namesOf = async (latest: ReturnType<Snapshots['latest']>): Promise<readonly string[]> =>
  (await latest).unavailable.map(({ tenant }) => tenant);

it('is read once for all pages', async () => {
  const { snapshots, reads } = openSnapshots([Promise.resolve(['acme'])]);
  const [one, other] = [snapshots.latest(), snapshots.latest()];
  expect(await namesOf(one)).toEqual(['acme']);
  expect(await other).toBe(await one);
  expect(await snapshots.latest()).toBe(await one);
  expect(reads()).toBe(1);
});

it('is read again after a command, though a read had begun before it', async () => {
  const before = Promise.withResolvers<readonly string[]>();
  const { snapshots } = openSnapshots([before.promise, Promise.resolve(['after'])]);
  const begun = snapshots.latest();
  snapshots.expire();
  const after = snapshots.latest();
  before.resolve(['before']);
  expect(await namesOf(begun)).toEqual(['before']);
  expect(await namesOf(after)).toEqual(['after']);
  expect(await namesOf(snapshots.latest())).toEqual(['after']);
});

it('reads once after several commands, and never twice at a time', async () => {
  const before = Promise.withResolvers<readonly string[]>();
  const { snapshots, reads } = openSnapshots([before.promise, Promise.resolve(['after'])]);
  void snapshots.latest();
  const pages = [1, 2, 3].map(() => {
    snapshots.expire();
    return snapshots.latest();
  });
  before.resolve(['before']);
  expect(await Promise.all(pages.map(namesOf))).toEqual([['after'], ['after'], ['after']]);
  expect(reads()).toBe(2);
});

it('shows no status from before a command, although the read after it fails', async () => {
  const broken = Promise.reject(new Error('no connection'));
  broken.catch(() => undefined);
  const { snapshots } = openSnapshots([Promise.resolve(['before']), broken, Promise.resolve(['after'])]);
  await snapshots.latest();
  snapshots.expire();
  await expect(snapshots.latest()).rejects.toThrow('no connection');
  expect(await namesOf(snapshots.latest())).toEqual(['after']);
});
