import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDER_STATUSES } from '../../src/vendor/order/codes.ts';
import { field, type Sandbox, startSandbox } from '../support/vendor-sandbox.ts';

const NOW = '2026-06-15T12:00:00.000Z';
const OTHER_KEY = 'z'.repeat(64);
let sandbox: Sandbox;

/** An instant some days before the sandbox's now. */
const daysAgo = (days: number): string => new Date(Date.parse(NOW) - days * 86_400_000).toISOString();

type Summary = {
  readonly transaction: { readonly id: string; readonly type: string; readonly status: string };
};

beforeAll(async () => {
  sandbox = await startSandbox({ orders: 0, keys: [{ apiKey: OTHER_KEY, partnerId: 'P000999' }] });
  await sandbox.admin('PUT', 'clock', { now: NOW });
  const make = (id: string, fields: object) =>
    sandbox.admin('POST', 'records', { type: 'order', fields: { transaction: { id, ...FIXED }, ...fields } });
  for (const day of [1, 2, 3, 4, 5, 6]) {
    await make(`A${day}`, {
      creationDateTime: daysAgo(day),
      bookingDateTime: daysAgo(day + 30),
      lastUpdateDateTime: daysAgo(day + 60),
      billToPoReference: `REF${day}`,
      licenseChargeConditions: [
        {
          onlineInstanceSeatId: `SEAT${day % 2}`,
          licenseChargeBreakdown: [{ installedBaseNumber: `IB${day}` }],
        },
      ],
    });
  }
  await sandbox.admin('PATCH', 'records/A6', { set: { transaction: { type: 'RN', status: 'DFTE' } } });
});
afterAll(() => sandbox.close());

const FIXED = { type: 'PO', status: 'PRC', description: 'Fixed' };

async function ids(body: object, query = ''): Promise<readonly string[]> {
  const answer = await sandbox.order('POST', `v1/orders/search${query}`, body);
  expect([answer.status, field(answer.body, 'error')]).toEqual([200, undefined]);
  return (field(answer.body, 'data') as readonly Summary[]).map((order) => order.transaction.id);
}

describe('order search: criteria (order spec 4.2)', () => {
  it.each([
    ['creation, both bounds inclusive', { creationDateTime: { from: daysAgo(4), to: daysAgo(2) } }, ['A4', 'A3', 'A2']],
    ['a later to in the future', { creationDateTime: { from: daysAgo(1), to: daysAgo(-1) } }, ['A1']],
    ['installed base', { installedBaseNumber: 'IB3' }, ['A3']],
    ['seat', { onlineInstanceSeatId: 'SEAT1' }, ['A5', 'A3', 'A1']],
    ['references', { billToPoReferences: ['REF5', 'REF2', 'none'] }, ['A5', 'A2']],
    ['AND', { onlineInstanceSeatId: 'SEAT1', creationDateTime: { from: daysAgo(3) } }, ['A3', 'A1']],
    [
      'AND of two ranges',
      { creationDateTime: { from: daysAgo(5) }, bookingDateTime: { to: daysAgo(33) } },
      ['A5', 'A4', 'A3'],
    ],
    ['type', { creationDateTime: { from: daysAgo(6) }, transactionType: 'RN' }, ['A6']],
    ['nothing', { installedBaseNumber: 'none' }, []],
  ])('%s', async (_what, body, expected) => {
    expect(await ids(body)).toEqual(expected);
  });

  it('shows another partner nothing', async () => {
    const body = { creationDateTime: { from: daysAgo(6) } };
    const answer = await sandbox.order('POST', 'v1/orders/search', body, { apiKey: OTHER_KEY });
    expect(field(answer.body, 'data')).toEqual([]);
    expect((await sandbox.order('GET', 'v1/orders/A1', undefined, { apiKey: OTHER_KEY })).status).toBe(404);
  });
});

const range = (from: string | null, to: string | null) => ({
  ...(from !== null && { from }),
  ...(to !== null && { to }),
});

describe('order search: refusals (order spec 4.2, 8)', () => {
  it.each([
    ['no criterion', {}, ''],
    ['transactionType alone', { transactionType: 'PO' }, ''],
    ['an array', [], ''],
    ['an empty range', { creationDateTime: {} }, '/creationDateTime'],
    ['a range that is no object', { creationDateTime: 'today' }, '/creationDateTime'],
    ['a null range', { creationDateTime: null }, '/creationDateTime'],
    ['more than 7 days of creation', { creationDateTime: range(daysAgo(7.001), NOW) }, '/creationDateTime'],
    ['more than 7 days of booking', { bookingDateTime: range(daysAgo(8), NOW) }, '/bookingDateTime'],
    ['more than 3 days of update', { lastUpdateDateTime: range(daysAgo(3.001), NOW) }, '/lastUpdateDateTime'],
    ['a from in the future', { creationDateTime: range(daysAgo(-1), null) }, '/creationDateTime/from'],
    ['a to that is not later', { creationDateTime: range(daysAgo(1), daysAgo(1)) }, '/creationDateTime/to'],
    ['a to before from', { creationDateTime: range(daysAgo(1), daysAgo(2)) }, '/creationDateTime/to'],
    ['a date without time', { creationDateTime: range('2026-06-14', null) }, '/creationDateTime/from'],
    ['another zone', { creationDateTime: range('2026-06-14T00:00:00+02:00', null) }, '/creationDateTime/from'],
    ['41 characters', { installedBaseNumber: 'x'.repeat(41) }, '/installedBaseNumber'],
    ['16 characters', { onlineInstanceSeatId: 'x'.repeat(16) }, '/onlineInstanceSeatId'],
    ['no references', { billToPoReferences: [] }, '/billToPoReferences'],
    ['61 characters', { billToPoReferences: ['a', 'x'.repeat(61)] }, '/billToPoReferences/1'],
    ['another type', { installedBaseNumber: 'x', transactionType: 'XX' }, '/transactionType'],
  ])('%s', async (_what, body, pointer) => {
    const answer = await sandbox.order('POST', 'v1/orders/search', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      data: [],
      info: { success: false, statusCode: 400 },
      error: [
        {
          type: 'errors:vendor:invalidRequest',
          title: expect.any(String),
          errors: [{ detail: expect.any(String), pointer }],
        },
      ],
    });
  });

  it('a body that is not JSON', async () => {
    expect((await sandbox.order('POST', 'v0/orders/search', undefined, { raw: '{' })).status).toBe(400);
  });
});

describe('the generated world', () => {
  it('holds the documented lengths, patterns and sets in every order', async () => {
    const world = await startSandbox({ orders: 300, seed: 7 });
    const { body } = await world.admin('GET', 'records?type=order');
    const orders = (field(body, 'records') as readonly { fields: Record<string, unknown> }[]).map((r) => r.fields);
    expect(orders).toHaveLength(300);
    for (const order of orders) {
      expect(String(field(order, 'transaction', 'id')).length).toBeLessThanOrEqual(13);
      expect(String(field(order, 'transaction', 'description')).length).toBeLessThanOrEqual(30);
      expect(String(field(order, 'businessUnit', 'id'))).toHaveLength(5);
      expect([...Object.keys(ORDER_STATUSES), 'DFTE']).toContain(field(order, 'transaction', 'status'));
      expect(order['currency']).toMatch(/^[A-Z]{3}$/);
      expect(String(order['sboNumber'] ?? '').length).toBeLessThanOrEqual(10);
      const stamps = [order['creationDateTime'], order['lastUpdateDateTime']] as string[];
      expect(stamps).toEqual(stamps.toSorted());
      for (const condition of order['licenseChargeConditions'] as readonly Record<string, unknown>[]) {
        expect(String(condition['onlineInstanceSeatId'] ?? 'a')).toMatch(/^[A-Za-z0-9]{1,15}$/);
        expect(Object.keys((condition['waiver'] as object | undefined) ?? { one: 1 })).toHaveLength(1);
      }
    }
    expect(new Set(orders.map((order) => field(order, 'transaction', 'type')))).toEqual(new Set(['PO', 'RN']));
    await world.close();
  });

  it('books what is entered as approved, and nothing else', async () => {
    const world = await startSandbox({ orders: 0 });
    const isBooked = async (n: number, status: string): Promise<boolean> => {
      const fields = { transaction: { id: `${status}-${n}`, status } };
      const { body } = await world.admin('POST', 'records', { type: 'order', fields });
      return field(body, 'fields', 'bookingDateTime') !== undefined;
    };
    for (let n = 0; n < 8; n += 1) expect([await isBooked(n, 'APP'), await isBooked(n, 'DFT')]).toEqual([true, false]);
    await world.close();
  });

  it.each([1, 3, 20])('shows orders in the shortest window, however small: %i', async (orders) => {
    const world = await startSandbox({ orders });
    const to = new Date(Date.now() + 60_000).toISOString();
    const answer = await world.order('POST', 'v1/orders/search', {
      lastUpdateDateTime: { to },
      transactionType: 'PO',
    });
    expect(field(answer.body, 'info', 'estimatedSearchCount')).toBeGreaterThan(0);
    await world.close();
  });

  it('is the same for the same seed but for the instant, and another for another', async () => {
    const statuses = async (seed: number) => {
      const world = await startSandbox({ orders: 40, seed });
      const { body } = await world.admin('GET', 'records?type=order');
      await world.close();
      return (field(body, 'records') as readonly { fields: Summary }[]).map((r) => r.fields.transaction.status);
    };
    expect(await statuses(1)).toEqual(await statuses(1));
    expect(await statuses(1)).not.toEqual(await statuses(2));
  });
});
