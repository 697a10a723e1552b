import { expect, it } from 'vitest';
import { limitBulk } from '../../../src/intake/limit-bulk.ts';
import { rememberingIntake } from '../../support/stack/webhooks.ts';

const LIMITS = { massesStored: 1, massesWoken: 1, storesFirstMs: 60_000 };
const AT = '2026-03-01T12:00:00.000Z';

const records = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `record ${n}`);

/** What was stored and woken, in order; batches of many are stored when the test says so, one each time. */
function masses(limits: Partial<typeof LIMITS> = {}) {
  const happened: string[] = [];
  const held: (() => void)[] = [];
  const { intake } = rememberingIntake({
    recordDeliveries: async (tenant, deliveries) => {
      const isMass = deliveries.some(({ crmIds }) => crmIds.length >= 20);
      if (isMass) await new Promise<void>((store) => held.push(store));
      happened.push(`${tenant} stored`);
      return deliveries.map(({ crmIds }) => ({ fresh: true, keys: crmIds }));
    },
    wake: async (tenant) => void happened.push(`${tenant} woken`),
  });
  const bulk = limitBulk({ ...LIMITS, ...limits });
  const store = (tenant: string, count: number) => {
    const delivery = { id: 'd', source: 'outbound-message', crmIds: records(count) } as const;
    return bulk.store(count, () => intake.recordDeliveries(tenant, [delivery], AT));
  };
  const wake = (tenant: string, count: number) => bulk.wake(count, () => intake.wake(tenant, records(count), 'crm'));
  const letStore = async (): Promise<void> => {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    held.shift()?.();
  };
  return { happened, store, wake, letStore };
}

it('wakes many records once what many others sent is stored, and lone ones at once', async () => {
  const { happened, store, wake, letStore } = masses();
  const first = store('a', 100);
  await letStore();
  await first;
  const others = [store('b', 100), store('c', 100)];
  const woken = wake('a', 100);
  await Promise.all([store('lone', 1), wake('lone', 1)]);
  await letStore();
  await others[0];
  expect(happened).toEqual(['a stored', 'lone stored', 'lone woken', 'b stored']);
  await letStore();
  await Promise.all([...others, woken]);
  expect(happened.slice(-2)).toEqual(['c stored', 'a woken']);
});

it('wakes them in any case after a time, however much is stored', async () => {
  const { happened, store, wake, letStore } = masses({ storesFirstMs: 5 });
  const stored = store('b', 100);
  await wake('a', 100);
  expect(happened).toEqual(['a woken']);
  await letStore();
  await stored;
});

it('wakes them where what was to be stored failed', async () => {
  const bulk = limitBulk(LIMITS);
  const failed = bulk.store(100, async () => {
    throw new Error('no ledger');
  });
  const woken = bulk.wake(100, async () => 'woken');
  await expect(failed).rejects.toThrow('no ledger');
  await expect(woken).resolves.toBe('woken');
});
