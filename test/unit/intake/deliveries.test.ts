import { describe, expect, it } from 'vitest';
import { createDeliveries } from '../../../src/intake/deliveries.ts';
import { DELIVERY_LIMITS, type DeliveryLimits } from '../../../src/intake/delivery.ts';
import { NOW, rememberingIntake } from '../../support/stack/webhooks.ts';

/** Deliveries over an intake whose wake-ups end when the test says so. */
function heldDeliveries(limits: Partial<DeliveryLimits> = {}, areRemotesHealthy = async () => true) {
  const wake = Promise.withResolvers<void>();
  const batches: (readonly string[])[] = [];
  const memory = rememberingIntake({
    areRemotesHealthy,
    wake: async (tenant, keys, _, how) => {
      memory.wakes.push({ tenant, keys, ...how });
      if (tenant === 'acme') await wake.promise;
    },
  });
  const { recordDeliveries } = memory.intake;
  const intake: typeof memory.intake = {
    ...memory.intake,
    recordDeliveries: (tenant, deliveries, at) => {
      batches.push(deliveries.map(({ id }) => id));
      return recordDeliveries(tenant, deliveries, at);
    },
  };
  const lost: unknown[] = [];
  const deliveries = createDeliveries(
    intake,
    () => NOW,
    (_, error) => lost.push(error),
    { ...DELIVERY_LIMITS, holdMs: 20, ...limits },
  );
  const take = (id: string, crmIds: readonly string[] = [`record of ${id}`], tenant = 'acme') =>
    deliveries.take(tenant, 'outbound-message', { id, crmIds });
  return { take, wake, batches, lost, wakes: memory.wakes, signalled: memory.signalled };
}

describe('a burst of deliveries', () => {
  it('is stored and signalled in a few batches, each record once in a batch', async () => {
    const { take, wake, batches, wakes } = heldDeliveries({ holdMs: 5000 });
    const taking = Array.from({ length: 150 }, (_, index) => take(`d${index}`, [`record ${index % 30}`]));
    wake.resolve();

    expect(await Promise.all(taking)).toEqual(Array(150).fill('fresh'));
    expect(batches.map((ids) => ids.length)).toEqual([1, 149]);
    expect(wakes.map(({ keys }) => keys.length)).toEqual([1, 30]);
  });

  it('is acknowledged when it is stored, though Temporal takes its time with the signals', async () => {
    const { take, wake, signalled } = heldDeliveries();
    expect(await Promise.all([take('d1'), take('d2'), take('d3')])).toEqual(['stored', 'stored', 'stored']);
    expect(signalled.size).toBe(0);

    wake.resolve();
    await expect.poll(() => signalled.size).toBe(3);
    await expect(take('d2')).resolves.toBe('duplicate');
  });

  it('says so where the signals of one that was acknowledged fail after all', async () => {
    const { take, wake, lost } = heldDeliveries();
    await expect(take('d1')).resolves.toBe('stored');
    wake.reject(new Error('Temporal is away'));
    await expect.poll(() => lost).toEqual([new Error('Temporal is away')]);
  });

  it('is refused beyond the records that may wait, and taken again when they are through', async () => {
    const { take, wake, signalled } = heldDeliveries({ mostRecords: 3 });
    await expect(take('d1', ['a', 'b', 'c'])).resolves.toBe('stored');
    await expect(take('d2', ['d'])).resolves.toBe('too-many');

    wake.resolve();
    await expect.poll(() => signalled.size).toBe(1);
    await expect(take('d2', ['d'])).resolves.toBe('fresh');
  });

  it('of a mass change is acknowledged, and woken some after the others, all of it', async () => {
    const { take, wake, wakes, signalled } = heldDeliveries({ wakes: { perSecond: 400, burst: 20 } });
    wake.resolve();
    const records = Array.from({ length: 100 }, (_, n) => `record ${n}`);
    await expect(take('d1', records)).resolves.toBe('stored');
    expect(wakes.flatMap(({ keys }) => keys).length).toBeLessThan(100);

    await expect.poll(() => signalled.size).toBe(1);
    expect(wakes.map(({ keys }) => keys.length)).toEqual([20, 20, 20, 20, 20]);
    expect(wakes.flatMap(({ keys }) => keys)).toEqual(records);
  });

  it('of a tenant whose remotes have proved nothing is woken slowly, and as usual as soon as they have', async () => {
    const known = { good: false, asked: 0 };
    const areRemotesHealthy = async () => {
      known.asked += 1;
      return known.good;
    };
    const limits = { wakes: { perSecond: 400, burst: 20 }, wakesUnproven: { perSecond: 40, burst: 4 } };
    const { take, wake, wakes } = heldDeliveries(limits, areRemotesHealthy);
    wake.resolve();
    await expect(take('d0', ['lone'])).resolves.toBe('fresh');
    expect(known.asked).toBe(0);

    const records = Array.from({ length: 60 }, (_, n) => `record ${n}`);
    await expect(take('d1', records)).resolves.toBe('stored');
    await expect.poll(() => wakes.length).toBeGreaterThan(4);
    known.good = true;
    await expect.poll(() => wakes.flatMap(({ keys }) => keys)).toEqual(['lone', ...records]);
    const sizes = wakes.map(({ keys }) => keys.length);
    expect(sizes.slice(0, 5)).toEqual([1, 4, 4, 4, 4]);
    expect(Math.max(...sizes)).toBe(20);
  });

  it('of many together goes to the lane at once, and only of a tenant whose remotes have proved good', async () => {
    const known = { good: false };
    const limits = {
      laneFrom: 8,
      wakes: { perSecond: 400, burst: 4 },
      wakesUnproven: { perSecond: 40, burst: 4 },
    };
    const { take, wake, wakes, signalled } = heldDeliveries(limits, async () => known.good);
    wake.resolve();
    const records = Array.from({ length: 60 }, (_, n) => `record ${n}`);
    await expect(take('d1', records)).resolves.toBe('stored');
    await expect.poll(() => wakes.length).toBeGreaterThan(1);
    expect(wakes[0]).toEqual({ tenant: 'acme', keys: records.slice(0, 4) });
    known.good = true;
    await expect.poll(() => signalled.size).toBe(1);
    const last = wakes.at(-1);
    expect(last).toMatchObject({ isBurst: true });
    expect(last?.keys.length).toBeGreaterThan(20);
    expect(wakes.flatMap(({ keys }) => keys)).toEqual(records);
  });

  it('of many tenants at once leaves lone changes of others a connection', async () => {
    const held = Promise.withResolvers<void>();
    const memory = rememberingIntake();
    const under = { way: 0, most: 0 };
    const { recordDeliveries } = memory.intake;
    const intake: typeof memory.intake = {
      ...memory.intake,
      recordDeliveries: async (tenant, deliveries, at) => {
        if (tenant === 'lone') return recordDeliveries(tenant, deliveries, at);
        under.way += 1;
        under.most = Math.max(under.most, under.way);
        await held.promise;
        under.way -= 1;
        return recordDeliveries(tenant, deliveries, at);
      },
    };
    const { take } = createDeliveries(
      intake,
      () => NOW,
      () => {},
    );
    const crmIds = Array.from({ length: 100 }, (_, n) => `record ${n}`);
    const replays = Array.from({ length: 20 }, (_, n) => take(`tenant ${n}`, 'outbound-message', { id: 'd', crmIds }));
    await expect(take('lone', 'outbound-message', { id: 'd', crmIds: ['a'] })).resolves.toBe('fresh');
    expect(under.way).toBe(DELIVERY_LIMITS.massesStored);
    held.resolve();
    expect(new Set(await Promise.all(replays))).toEqual(new Set(['fresh']));
    expect(under.most).toBe(DELIVERY_LIMITS.massesStored);
  });

  it('of more records than may wait is taken when it is alone', async () => {
    const { take, wake } = heldDeliveries({ mostRecords: 3, holdMs: 5000 });
    wake.resolve();
    await expect(take('d1', ['a', 'b', 'c', 'd'])).resolves.toBe('fresh');
  });

  it('of one source is no duplicate of what another sent under the same id', async () => {
    const { intake } = rememberingIntake();
    const { take } = createDeliveries(
      intake,
      () => NOW,
      () => {},
    );
    const delivery = { id: 'd1', crmIds: ['a'] };
    await expect(take('acme', 'signed-event', delivery)).resolves.toBe('fresh');
    await expect(take('acme', 'outbound-message', delivery)).resolves.toBe('fresh');
    await expect(take('acme', 'outbound-message', delivery)).resolves.toBe('duplicate');
  });

  it('of one tenant holds no other one back', async () => {
    const { take } = heldDeliveries({ mostRecords: 3 });
    await expect(take('d1', ['a', 'b', 'c'])).resolves.toBe('stored');
    await expect(take('d1', ['a', 'b', 'c'], 'umbrella')).resolves.toBe('fresh');
  });
});
