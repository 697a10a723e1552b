import { describe, expect, it } from 'vitest';
import { DEFAULT_RETENTION } from '../../src/domain/record/retention.ts';
import { at, VENDOR_SEEN } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';
import fc from '../support/properties.ts';

const { ledger, open, newTenant } = await withLedger();
const other = await open();

describe('markDue and dueKeys', () => {
  it('opens, counts up and answers in the order given, doubles included', async () => {
    const tenant = newTenant();
    await ledger.resolveLink(tenant, { crmId: 'C1', vendorId: 'V1' }, at(0));
    const ids = [{ vendorId: 'V2' }, { vendorId: 'V1' }, { crmId: 'C3' }, { crmId: 'C1' }, { vendorId: 'V2' }];
    expect(await ledger.markDue(tenant, ids, at(1))).toEqual(['vendor:V2', 'C1', 'C3', 'C1', 'vendor:V2']);
    expect(await ledger.findLink(tenant, 'C1')).toMatchObject({ generation: 1, observedGeneration: 0 });
    expect(await ledger.markDue(tenant, [], at(2))).toEqual([]);
    await expect(ledger.markDue(tenant, [{}], at(2))).rejects.toMatchObject({ code: 'BAD_IDS' });
  });

  it('remembers which side a mark speaks of until the vendor is read', async () => {
    const tenant = newTenant();
    const { link } = await ledger.resolveLink(tenant, { crmId: 'C1', vendorId: 'V1' }, at(0));
    await ledger.markDue(tenant, [{ crmId: 'C1' }], at(1));
    expect(await ledger.findLink(tenant, 'C1')).toMatchObject({ generation: 1, vendorDue: false });
    await ledger.markDue(tenant, [{ vendorId: 'V1' }], at(2));
    expect(await ledger.findLink(tenant, 'C1')).toMatchObject({ generation: 2, vendorDue: true });
    await ledger.settle(tenant, link.key, { at: at(3), observedGeneration: 2 });
    expect(await ledger.findLink(tenant, 'C1')).toMatchObject({ vendorDue: true, observedGeneration: 1 });
    expect(await ledger.dueKeys(tenant, 10)).toEqual(['C1']);
    await ledger.settle(tenant, link.key, {
      at: at(4),
      vendorObservation: VENDOR_SEEN,
      vendorReadGeneration: 1,
    });
    expect(await ledger.findLink(tenant, 'C1')).toMatchObject({ vendorDue: true });
    await ledger.settle(tenant, link.key, {
      at: at(5),
      vendorObservation: VENDOR_SEEN,
      vendorReadGeneration: 2,
    });
    expect(await ledger.findLink(tenant, 'C1')).toMatchObject({ vendorDue: false, observedGeneration: 1 });
    await ledger.settle(tenant, link.key, { at: at(6), observedGeneration: 2 });
    expect(await ledger.dueKeys(tenant, 10)).toEqual([]);
  });

  it('brings both ids of one record together', async () => {
    const tenant = newTenant();
    await ledger.markDue(tenant, [{ vendorId: 'V1' }, { crmId: 'C1' }], at(0));
    expect(await ledger.markDue(tenant, [{ crmId: 'C1', vendorId: 'V1' }, { vendorId: 'V1' }], at(1))).toEqual([
      'C1',
      'C1',
    ]);
    expect(await ledger.countByState(tenant)).toEqual({ new: 1, superseded: 1 });
  });

  it('takes thousands at once', async () => {
    const tenant = newTenant();
    const ids = Array.from({ length: 5000 }, (_, index) => ({ crmId: `C${index}` }));
    const keys = await ledger.markDue(tenant, ids, at(0), { stream: 'sweep', position: { id: 'C4999' } });
    expect(keys).toEqual(ids.map(({ crmId }) => crmId));
    expect(await ledger.dueKeys(tenant, 10_000)).toHaveLength(5000);
    expect(await ledger.cursor(tenant, 'sweep')).toEqual({ id: 'C4999' });
  });

  it('lets two mark the same thousands in opposite order', async () => {
    const tenant = newTenant();
    const ids = Array.from({ length: 2500 }, (_, index) => ({ vendorId: `V${index}` }));
    const both = [ledger.markDue(tenant, ids, at(0)), other.markDue(tenant, [...ids].reverse(), at(0))];
    const [forward, backward] = await Promise.all(both);
    expect(forward).toEqual([...(backward as string[])].reverse());
    expect(await ledger.findLink(tenant, 'vendor:V7')).toMatchObject({ generation: 2 });
  });

  it('moves the cursor only together with the links', async () => {
    const tenant = newTenant();
    await ledger.saveCursor(tenant, 'poll', { until: at(0) }, at(0));
    const cursor = { stream: 'poll', position: { until: at(9) } };
    await expect(ledger.markDue(tenant, [{ crmId: 'C1' }, {}], at(1), cursor)).rejects.toMatchObject({
      code: 'BAD_IDS',
    });
    expect(await ledger.cursor(tenant, 'poll')).toEqual({ until: at(0) });
    expect(await ledger.findLink(tenant, 'C1')).toBeNull();
  });

  it('tells the longest waiting first, and leaves out those marked later', async () => {
    const tenant = newTenant();
    for (const [crmId, seconds] of [
      ['C1', 30],
      ['C2', 10],
      ['C3', 20],
      ['C2', 40],
    ] as const) {
      await ledger.markDue(tenant, [{ crmId }], at(seconds));
    }
    expect(await ledger.dueKeys(tenant, 10)).toEqual(['C2', 'C3', 'C1']);
    expect(await ledger.dueKeys(tenant, 1)).toEqual(['C2']);
    expect(await ledger.dueKeys(tenant, 10, at(20))).toEqual(['C2', 'C3']);
    await ledger.settle(tenant, 'C2', { at: at(50), observedGeneration: 1 });
    expect(await ledger.dueKeys(tenant, 10)).toEqual(['C3', 'C1', 'C2']);
    await ledger.settle(tenant, 'C2', { at: at(50), observedGeneration: 2 });
    expect(await ledger.dueKeys(tenant, 10)).toEqual(['C3', 'C1']);
  });

  it('leaves alone for a while what was just woken', async () => {
    const tenant = newTenant();
    await ledger.markDue(tenant, [{ crmId: 'C1' }, { crmId: 'C2' }], at(10));
    await ledger.resolveLink(tenant, { crmId: 'C3' }, at(0));
    await ledger.markWoken(tenant, ['C1', 'C3'], at(60));
    expect(await ledger.dueKeys(tenant, 10, at(30))).toEqual(['C2']);
    await ledger.markWoken(tenant, ['C1'], at(5));
    expect(await ledger.dueKeys(tenant, 10)).toEqual(['C2', 'C1']);
  });

  it('loses no mark and settles nothing unmarked, in any order of marks and settles', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('mark' as const), times: fc.integer({ min: 1, max: 3 }) }),
      fc.record({
        kind: fc.constant('settle' as const),
        observedGeneration: fc.integer({ min: 0, max: 12 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const tenant = newTenant();
        await ledger.resolveLink(tenant, { crmId: 'C' }, at(0));
        let due = 0;
        let done = 0;
        for (const [index, one] of steps.entries()) {
          if (one.kind === 'mark') {
            due += one.times;
            const marks = Array.from({ length: one.times }, () => ledger.markDue(tenant, [{ crmId: 'C' }], at(index)));
            await Promise.all(marks);
          } else {
            done = Math.max(done, Math.min(due, one.observedGeneration));
            await ledger.settle(tenant, 'C', { at: at(index), observedGeneration: one.observedGeneration });
          }
          expect(await ledger.findLink(tenant, 'C')).toMatchObject({
            generation: due,
            observedGeneration: done,
          });
          expect(await ledger.dueKeys(tenant, 5)).toEqual(due === done ? [] : ['C']);
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('vendorIdsNotMarkedSince', () => {
  it('tells those whose vendor side was not marked since, unknown ones included, in the order given', async () => {
    const tenant = newTenant();
    const notMarked = (since: string) => ledger.vendorIdsNotMarkedSince(tenant, ['V9', 'V2', 'V1'], since);
    await ledger.markDue(tenant, [{ vendorId: 'V1' }], at(10));
    const [key = ''] = await ledger.markDue(tenant, [{ vendorId: 'V2' }], at(20));
    expect(await notMarked(at(21))).toEqual(['V9', 'V2', 'V1']);
    expect(await notMarked(at(20))).toEqual(['V9', 'V1']);
    await ledger.settle(tenant, key, { at: at(22), vendorReadGeneration: 1, observedGeneration: 1 });
    expect(await notMarked(at(20))).toEqual(['V9', 'V1']);
    expect(await notMarked(at(10))).toEqual(['V9']);
  });

  it('does not take a mark of the CRM’s side for one of the vendor’s', async () => {
    const tenant = newTenant();
    await ledger.resolveLink(tenant, { crmId: 'C1', vendorId: 'V1' }, at(0));
    const notMarked = () => ledger.vendorIdsNotMarkedSince(tenant, ['V1'], at(5));
    await ledger.markDue(tenant, [{ crmId: 'C1' }], at(10));
    expect(await notMarked()).toEqual(['V1']);
    await ledger.markDue(tenant, [{ vendorId: 'V1' }], at(11));
    expect(await notMarked()).toEqual([]);
    await ledger.markDue(tenant, [{ crmId: 'C1' }], at(12));
    expect(await notMarked()).toEqual(['V1']);
  });
});

describe('what is to be looked at again by itself', () => {
  it('becomes due on both sides when its time has come, once, the longest waiting first', async () => {
    const tenant = newTenant();
    await ledger.resolveLink(tenant, { crmId: 'C1', vendorId: 'V1' }, at(0));
    await ledger.resolveLink(tenant, { crmId: 'C2' }, at(0));
    await ledger.settle(tenant, 'C1', { at: at(0), retryAt: at(20) });
    await ledger.settle(tenant, 'C2', { at: at(0), retryAt: at(10) });
    expect(await ledger.markRetries(tenant, at(9), 10)).toEqual([]);
    expect(await ledger.markRetries(tenant, at(30), 1)).toEqual(['C2']);
    expect(await ledger.markRetries(tenant, at(31), 10)).toEqual(['C1']);
    expect(await ledger.markRetries(tenant, at(32), 10)).toEqual([]);
    expect(await ledger.findLink(tenant, 'C1')).toMatchObject({ generation: 1, vendorDue: true });
    expect(await ledger.findLink(tenant, 'C2')).toMatchObject({ generation: 1, vendorDue: false });
    expect(await ledger.dueKeys(tenant, 10, at(30))).toEqual(['C2']);
  });

  it('leaves alone what is due anyway, what has no time, and other tenants', async () => {
    const [tenant, another] = [newTenant(), newTenant()];
    await ledger.markDue(tenant, [{ crmId: 'C1' }, { crmId: 'C2' }], at(0));
    await ledger.settle(tenant, 'C1', { at: at(0), retryAt: at(5) });
    await ledger.settle(tenant, 'C2', { at: at(0), observedGeneration: 1 });
    expect(await ledger.markRetries(tenant, at(10), 10)).toEqual([]);
    await ledger.settle(tenant, 'C1', { at: at(1), observedGeneration: 1 });
    expect(await ledger.markRetries(another, at(10), 10)).toEqual([]);
    expect(await ledger.markRetries(tenant, at(10), 10)).toEqual(['C1']);
    const status = {
      crmId: 'C1',
      vendorId: null,
      state: 'new',
      failingSince: null,
      work: 'interactive',
      updatedAt: at(1),
    };
    expect(await ledger.linkStatuses(tenant, ['C1'])).toEqual(new Map([['C1', status]]));
    await ledger.settle(tenant, 'C1', { at: at(11), failingSince: at(4) });
    expect((await ledger.linkStatuses(tenant, ['C1'])).get('C1')?.failingSince).toBe(at(4));
  });
});

describe('where links stand', () => {
  it('tells which of them were signalled with many others, until they are signalled alone', async () => {
    const tenant = newTenant();
    const keys = Array.from({ length: 8 }, (_, n) => `C${n}`);
    await ledger.markDue(
      tenant,
      keys.map((crmId) => ({ crmId })),
      at(0),
    );
    await ledger.markDue(tenant, [{ crmId: 'C7' }], at(1));
    const statuses = await ledger.linkStatuses(tenant, ['C0', 'C7']);
    expect(statuses.get('C0')?.work).toBe('burst');
    expect(statuses.get('C7')?.work).toBe('interactive');
  });
});

describe('what is asked by many keys', () => {
  it('is answered for more of them than a statement has parameters', async () => {
    const tenant = newTenant();
    const keys = Array.from({ length: 66_000 }, (_, n) => `key-${n}`);
    await ledger.resolveLink(tenant, { crmId: 'key-65999' }, at(0));
    expect([...(await ledger.linkStatuses(tenant, keys)).keys()]).toEqual(['key-65999']);
    expect(await ledger.activeCrmIds(tenant, keys)).toEqual(['key-65999']);
    expect(await ledger.vendorIdsNotMarkedSince(tenant, keys, at(0))).toHaveLength(66_000);
    await ledger.markWoken(tenant, keys, at(1));
  });
});

describe('seen rows', () => {
  it('are distinguished from unseen versions, of their stream and tenant alone, until they are forgotten', async () => {
    const tenant = newTenant();
    const row = (rowId: string, seconds: number) => ({ rowId, stamp: at(seconds) });
    const move = (rows: readonly { rowId: string; stamp: string }[], forgetBefore: string) =>
      ledger.markDue(tenant, [], at(0), { stream: 's', position: {}, seen: { rows, forgetBefore } });
    const unseen = (stream = 's', whose = tenant) =>
      ledger.unseenRows(whose, stream, [row('B', 2), row('A', 1), row('A', 3), row('C', 3)]);
    await move([row('A', 1), row('B', 2)], at(0));
    expect(await unseen()).toEqual([row('A', 3), row('C', 3)]);
    await move([row('A', 1), row('A', 3)], at(0));
    expect(await unseen()).toEqual([row('A', 1), row('C', 3)]);
    await move([], at(3));
    expect(await unseen()).toEqual([row('B', 2), row('A', 1), row('C', 3)]);
    expect(await unseen('other')).toHaveLength(4);
    expect(await unseen('s', newTenant())).toHaveLength(4);
  });
});

describe('deliveries', () => {
  const delivery = { id: 'd1', source: 'outbound-message', crmIds: ['C1', 'C2'] };

  it('is fresh until it was signalled', async () => {
    const tenant = newTenant();
    const first = { fresh: true, keys: ['C1', 'C2'] };
    expect(await ledger.recordDeliveries(tenant, [delivery], at(0))).toEqual([first]);
    expect(await ledger.recordDeliveries(tenant, [delivery], at(1))).toEqual([first]);
    await ledger.markSignalled(tenant, ['d1'], at(2));
    expect(await ledger.recordDeliveries(tenant, [delivery], at(3))).toEqual([{ ...first, fresh: false }]);
    expect(await ledger.findLink(tenant, 'C1')).toMatchObject({ generation: 2 });
  });

  it('are distinguished within one call, in the order given, doubles included', async () => {
    const tenant = newTenant();
    await ledger.recordDeliveries(tenant, [{ ...delivery, id: 'old' }], at(0));
    await ledger.markSignalled(tenant, ['old'], at(0));
    const given = [
      { ...delivery, id: 'z', crmIds: ['C3', 'C1'] },
      { ...delivery, id: 'old' },
      { ...delivery, id: 'a', crmIds: ['C1'] },
      { ...delivery, id: 'z', crmIds: ['C3', 'C1'] },
    ];
    const z = { fresh: true, keys: ['C3', 'C1'] };
    expect(await ledger.recordDeliveries(tenant, given, at(1))).toEqual([
      z,
      { fresh: false, keys: ['C1', 'C2'] },
      { fresh: true, keys: ['C1'] },
      z,
    ]);
    await ledger.markSignalled(tenant, ['a', 'z'], at(2));
    expect(await ledger.recordDeliveries(tenant, given, at(3))).toMatchObject(Array(4).fill({ fresh: false }));
    expect(await ledger.recordDeliveries(tenant, [], at(4))).toEqual([]);
  });

  it('marks once for many that arrive after it was signalled, and never fails for those that arrive at once', async () => {
    const tenant = newTenant();
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) => (index % 2 ? ledger : other).recordDeliveries(tenant, [delivery], at(0))),
    );
    expect(results.map(([recorded]) => recorded?.keys)).toEqual(Array(8).fill(['C1', 'C2']));
  });

  it('of two receivers that hold the same ones in other orders wait for each other', async () => {
    const tenant = newTenant();
    const many = Array.from({ length: 200 }, (_, index) => ({
      ...delivery,
      id: `d${index}`,
      crmIds: [`C${index}`, `C${200 - index}`],
    }));
    const [forward, backward] = await Promise.all([
      ledger.recordDeliveries(tenant, many, at(0)),
      other.recordDeliveries(tenant, many.toReversed(), at(0)),
    ]);
    expect(forward).toEqual(backward?.toReversed());
  });

  it('forgets the old ones', async () => {
    const tenant = newTenant();
    for (const [id, seconds] of [
      ['d1', 0],
      ['d2', 100],
    ] as const) {
      await ledger.recordDeliveries(tenant, [{ ...delivery, id }], at(seconds));
      await ledger.markSignalled(tenant, [id], at(seconds));
    }
    const anHour = { ...DEFAULT_RETENTION, deliveriesMs: 3_600_000 };
    expect(await ledger.keepRetention(tenant, anHour, at(3_700))).toMatchObject({ deliveries: 1 });
    const again = [delivery, { ...delivery, id: 'd2' }];
    expect(await ledger.recordDeliveries(tenant, again, at(101))).toMatchObject([{ fresh: true }, { fresh: false }]);
  });
});
