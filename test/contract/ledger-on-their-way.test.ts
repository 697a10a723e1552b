import { beforeEach, describe, expect, it } from 'vitest';
import { NOTHING_KNOWN, withWait } from '../../src/domain/decide/reported.ts';
import { at, sees } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger, newTenant } = await withLedger();

let tenant = '';
beforeEach(() => {
  tenant = newTenant();
});

const many = (prefix: string, count = 8) => Array.from({ length: count }, (_, n) => ({ crmId: `${prefix}${n}` }));
const isInBurst = async (key: string): Promise<boolean> => (await ledger.findLink(tenant, key))?.inBurst ?? false;

it('counts those of bursts that are on their way, and not those that are held up', async () => {
  expect(await ledger.countOnTheirWay(tenant)).toBe(0);
  await ledger.markDue(tenant, many('C'), at(0));
  expect(await ledger.countOnTheirWay(tenant)).toBe(8);
  await ledger.noteWaiting(tenant, 'C2', 'vendor-unavailable');
  expect(await ledger.countOnTheirWay(tenant)).toBe(7);
  await ledger.settle(tenant, 'C1', { at: at(1), observedGeneration: 1 });
  expect(await ledger.countOnTheirWay(tenant)).toBe(6);
  await ledger.markDue(tenant, many('D', 300), at(2));
  expect(await ledger.countOnTheirWay(tenant)).toBe(200);
});

describe('in a burst is', () => {
  it('what was signalled together with many others, on either side', async () => {
    await ledger.markDue(tenant, many('C'), at(0));
    await ledger.markDue(
      tenant,
      Array.from({ length: 8 }, (_, n) => ({ vendorId: `V${n}` })),
      at(0),
    );
    expect([await isInBurst('C3'), await isInBurst('vendor:V3')]).toEqual([true, true]);
  });

  it('nothing that was signalled with few others, however many follow', async () => {
    for (let n = 0; n < 3; n += 1) await ledger.markDue(tenant, many(`C${n}`, 7), at(n));
    expect([await isInBurst('C01'), await ledger.countOnTheirWay(tenant)]).toEqual([false, 0]);
  });

  it('nothing any more that was signalled alone meanwhile, or before', async () => {
    await ledger.markDue(tenant, [{ crmId: 'C1' }], at(0));
    await ledger.markDue(tenant, many('C'), at(1));
    await ledger.markDue(tenant, [{ crmId: 'C2' }], at(2));
    expect([await isInBurst('C1'), await isInBurst('C2'), await isInBurst('C3')]).toEqual([false, false, true]);
  });

  it('what was signalled alone, once that is done with', async () => {
    await ledger.markDue(tenant, [{ crmId: 'C1' }], at(0));
    await ledger.settle(tenant, 'C1', { at: at(1), observedGeneration: 1 });
    await ledger.markDue(tenant, many('C'), at(2));
    expect(await isInBurst('C1')).toBe(true);
  });

  it('the record of a message about many, and not that of one about one, though they come together', async () => {
    const delivery = (id: string, crmIds: readonly string[]) => ({ id, source: 'outbound-message', crmIds }) as const;
    const mass = many('C').map(({ crmId }) => crmId);
    await ledger.recordDeliveries(tenant, [delivery('m1', mass), delivery('m2', ['D1'])], at(0));
    expect([await isInBurst('C1'), await isInBurst('D1')]).toEqual([true, false]);
  });

  it('what many others are woken with', async () => {
    for (const { crmId } of many('C')) await ledger.markDue(tenant, [{ crmId }], at(0));
    expect(await isInBurst('C1')).toBe(false);
    await ledger.markWoken(
      tenant,
      many('C').map(({ crmId }) => crmId),
      at(1),
    );
    expect(await isInBurst('C1')).toBe(true);
    await ledger.markDue(tenant, [{ crmId: 'C1' }], at(2));
    expect(await isInBurst('C1')).toBe(false);
  });
});

it('what the CRM was informed of in vain is looked at there again, together with its burst, and at the vendor not', async () => {
  await ledger.markDue(
    tenant,
    Array.from({ length: 9 }, (_, n) => ({ vendorId: `V${n}` })),
    at(0),
  );
  const key = (n: number): string => `vendor:V${n}`;
  for (const n of [0, 1])
    await ledger.settle(tenant, key(n), { at: at(1), observedGeneration: 1, vendorReadGeneration: 1 });
  await ledger.noteWaiting(tenant, key(2), 'turn');
  const result = [0, 1, 2].map((n) => ({ key: key(n), reported: withWait(null, 'turn') }));
  expect([...(await ledger.noteReported(tenant, result, at(2)))].sort()).toEqual([key(0), key(1)]);
  const [over, waits] = await Promise.all([0, 2].map((n) => ledger.findLink(tenant, key(n))));
  expect(over).toMatchObject({
    generation: 2,
    observedGeneration: 1,
    vendorDue: false,
    inBurst: true,
    reported: withWait(null, 'turn'),
  });
  expect(waits).toMatchObject({ generation: 1, vendorDue: true, waitingFor: 'turn' });
  expect(await ledger.dueKeys(tenant, 50)).toContain(key(0));
  expect(await ledger.countOnTheirWay(tenant)).toBe(8);
  expect(await ledger.noteReported(tenant, result, at(3))).toEqual([]);
});

it('what is over before the CRM was informed that it waits stays as it is', async () => {
  await ledger.markDue(tenant, [{ crmId: 'C1' }, { crmId: 'C2' }], at(0));
  const settled = await ledger.settle(tenant, 'C1', {
    at: at(1),
    observedGeneration: 1,
    reported: sees('as it is'),
  });
  const about = ['C1', 'C2'].map((key) => ({ key, reported: NOTHING_KNOWN }));
  expect(await ledger.noteReported(tenant, about, at(2), true)).toEqual(['C1']);
  expect(await ledger.findLink(tenant, 'C1')).toEqual(settled);
  expect(await ledger.findLink(tenant, 'C2')).toMatchObject({
    reported: NOTHING_KNOWN,
    waitReportedSince: at(2),
  });
});

it.each([
  ['before', at(1)],
  ['at', at(2)],
])('who tells of a wait is known by it whatever is settled in the moment %s that', async (_, when) => {
  await ledger.markDue(tenant, [{ crmId: 'C1' }], at(0));
  await ledger.settle(tenant, 'C1', { at: when });
  await ledger.noteReported(tenant, [{ key: 'C1', reported: NOTHING_KNOWN }], at(2), true);
  const settled = await ledger.settle(tenant, 'C1', { at: at(2), observedGeneration: 1 });
  expect(settled.waitReportedSince).toBeDefined();
  const result = await ledger.settle(tenant, 'C1', {
    at: at(2),
    expected: settled,
    reported: sees('told'),
    isReported: true,
  });
  expect(result.waitReportedSince).toBeDefined();
});
