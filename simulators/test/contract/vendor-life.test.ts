import { afterEach, describe, expect, it } from 'vitest';
import { field, type Sandbox, startSandbox } from '../support/vendor-sandbox.ts';

const T0 = Date.parse('2026-03-02T08:00:00.000Z');
const HOUR_MS = 3_600_000;
const open: Sandbox[] = [];

async function sandboxAt(options: { readonly paceSeconds?: number; readonly seed?: string }): Promise<Sandbox> {
  const sandbox = await startSandbox({ orders: 50, readMs: () => T0, ...options });
  open.push(sandbox);
  return sandbox;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

async function orders(sandbox: Sandbox): Promise<readonly unknown[]> {
  return field((await sandbox.admin('GET', 'records?type=order')).body, 'records') as readonly unknown[];
}

async function changedSince(sandbox: Sandbox, ms: number): Promise<readonly unknown[]> {
  const lastUpdateDateTime = { from: new Date(ms).toISOString() };
  const answer = await sandbox.order('POST', 'v1/orders/search?top=100', { lastUpdateDateTime });
  return field(answer.body, 'data') as readonly unknown[];
}

const advance = (sandbox: Sandbox, advanceMs: number) => sandbox.admin('PUT', 'clock', { advanceMs });

describe('time at the vendor', () => {
  it('stands still by default', async () => {
    const sandbox = await sandboxAt({});
    const before = await orders(sandbox);
    await advance(sandbox, 24 * HOUR_MS);
    expect(await orders(sandbox)).toEqual(before);
  });

  it('makes one event each pace: nothing before the first is due', async () => {
    const sandbox = await sandboxAt({ paceSeconds: 60 });
    const before = await orders(sandbox);
    await advance(sandbox, 59_999);
    expect(await orders(sandbox)).toEqual(before);
  });

  it('moves orders and brings renewals, found by their time of update', async () => {
    const sandbox = await sandboxAt({ paceSeconds: 60 });
    await advance(sandbox, 2 * HOUR_MS);
    const changed = await changedSince(sandbox, T0);
    const renewals = changed.filter((order) => Date.parse(String(field(order, 'creationDateTime'))) >= T0);
    expect(renewals.length).toBeGreaterThan(5);
    expect(changed.length).toBeGreaterThan(renewals.length + 10);
    for (const renewal of renewals) expect(field(renewal, 'transaction', 'type')).toBe('RN');
    const booked = changed.filter((order) => field(order, 'transaction', 'status') === 'APP');
    for (const order of booked) expect(field(order, 'bookingDateTime')).toBe(field(order, 'lastUpdateDateTime'));
    expect(booked.length).toBeGreaterThan(0);
  });

  it('lets vendor users edit lead-opportunities, seen by a search for what was modified', async () => {
    const sandbox = await sandboxAt({ paceSeconds: 60 });
    const id = await sandbox.create('006-life');
    const before = await sandbox.read(id);
    await advance(sandbox, HOUR_MS);
    const modifiedDate = {
      fromDate: new Date(T0 + 1).toISOString(),
      toDate: new Date(T0 + HOUR_MS).toISOString(),
    };
    expect(await sandbox.search({ modifiedDate })).toEqual([id]);
    const after = await sandbox.read(id);
    expect(after['modifiedDate']).not.toBe(before['modifiedDate']);
    const { modifiedDate: _a, ...rest } = after;
    expect(before).not.toMatchObject(rest);
  });

  it('is the same for the same seed and clock, in one leap or in steps, and another for another seed', async () => {
    const leap = await sandboxAt({ paceSeconds: 60 });
    const steps = await sandboxAt({ paceSeconds: 60 });
    const other = await sandboxAt({ paceSeconds: 60, seed: 'other' });
    await advance(leap, 3 * HOUR_MS);
    for (let hour = 0; hour < 3; hour += 1) await advance(steps, HOUR_MS);
    await advance(other, 3 * HOUR_MS);
    expect(await orders(steps)).toEqual(await orders(leap));
    expect(await orders(other)).not.toEqual(await orders(leap));
  });

  it('answers in time when the clock leaps by years, and begins again with a reset', async () => {
    const sandbox = await sandboxAt({ paceSeconds: 1 });
    const before = await orders(sandbox);
    await advance(sandbox, 3 * 365 * 24 * HOUR_MS);
    expect((await sandbox.order('GET', 'v0/price-lists/search')).status).toBe(200);
    expect((await orders(sandbox)).length).toBeGreaterThan(before.length);
    await sandbox.admin('POST', 'reset');
    expect(await orders(sandbox)).toEqual(before);
  });
});
