import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { field, type Sandbox, startSandbox } from '../support/vendor-sandbox.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ orders: 0 });
});
afterAll(() => sandbox.close());

type Row = Readonly<Record<string, unknown>>;

async function rows(method: string, path: string, body?: object): Promise<readonly Row[]> {
  const answer = await sandbox.order(method, path, body);
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.body as object)).toEqual(['data', 'info']);
  return field(answer.body, 'data') as readonly Row[];
}

const PF1 = { accreditationType: 'R', accreditationId: 'PF1' };

describe('product prices and information (order spec 4.6, 4.7)', () => {
  const priceBody = { ...PF1, priceListId: 1 };

  it('prices are the list price less the discount, and dearer in the future list', async () => {
    const now = await rows('POST', 'v0/product-price-list/search', { ...priceBody, priceListStatus: 'C' });
    const later = await rows('POST', 'v0/product-price-list/search', { ...priceBody, priceListStatus: 'F' });
    expect(await rows('POST', 'v0/product-price-list/search', priceBody)).toEqual(now);
    for (const [at, row] of now.entries()) {
      for (const [nth, price] of (row['prices'] as readonly Record<string, number>[]).entries()) {
        const list = price['dsListPrice'] as number;
        const discount = price['distributorDiscountPercentage'] as number;
        expect(price['distributorPrice']).toBeCloseTo(list * (1 - discount / 100), 1);
        expect(field(later[at], 'prices', String(nth), 'dsListPrice')).toBeGreaterThan(list);
        expect('firstYearDiscountPrice' in price).toBe('firstYearDiscountPercentage' in price);
      }
    }
  });

  it('lists a product once a release, by ascending number', async () => {
    const all = await rows('POST', 'v0/product-information/search', PF1);
    const numbers = all.map((row) => String(row['number']));
    expect(numbers).toEqual(numbers.toSorted());
    expect(new Set(numbers).size).toBeLessThan(numbers.length);
    expect(new Set(all.map((row) => `${row['number']} ${row['release']}`)).size).toBe(all.length);
    for (const row of all) expect([1, 2, 3, 4, 5, 6, 7]).toContain(row['availabilityStatus']);
  });

  it('names each fault with its pointer', async () => {
    const answer = await sandbox.order('POST', 'v0/product-price-list/search', { accreditationType: 'R' });
    const faults = field(answer.body, 'error', '0', 'errors') as readonly { pointer: string }[];
    expect(faults.map((fault) => fault.pointer)).toEqual(['/accreditationId', '/priceListId']);
  });
});

describe('package content (order spec 2.17, 4.8)', () => {
  it('lists what a package of the catalog holds', async () => {
    const products = await rows('POST', 'v0/product-information/search', PF1);
    const { number, release } = products.find((row) => row['type'] === 'P') as {
      number: string;
      release: string;
    };
    const content = await rows('POST', 'v0/package-offer-content/search', { number, release });
    expect(content).toHaveLength(3);
    expect(content[0]).toEqual({
      number: expect.any(String),
      portfolio: expect.any(String),
      release,
      quantity: expect.any(Number),
    });
  });

  it.each([
    [{ number: 'nothing', release: 'R2026x' }, 404],
    [{ number: 'nothing', release: 'constructor' }, 404],
    [{ number: 'x' }, 400],
  ])('%j answers %i', async (body, status) => {
    expect((await sandbox.order('POST', 'v0/package-offer-content/search', body)).status).toBe(status);
  });
});

describe('a catalog that somebody changes', () => {
  const record = async (method: string, path: string, body?: object): Promise<number> =>
    (await sandbox.admin(method, path, body)).status;
  const numbers = async (): Promise<readonly unknown[]> =>
    (await rows('POST', 'v0/product-information/search', PF1)).map((row) => row['number']);

  it('is answered as it is then: products, price lists, accreditations', async () => {
    const before = await numbers();
    expect(await record('POST', 'records', { type: 'product', fields: { number: 'NEW-1', name: '株' } })).toBe(201);
    expect(new Set(await numbers())).toEqual(new Set([...before, 'NEW-1']));
    expect(await record('PATCH', 'records/NEW-1', { set: { accreditationIds: [] } })).toBe(200);
    expect(await numbers()).toEqual(before);
    expect(await record('PATCH', 'records/PRICE-LIST-4-USA', { set: { name: 'Renamed' } })).toBe(200);
    const lists = (await rows('GET', 'v0/price-lists/search')).flatMap(
      (country) => country['priceLists'] as readonly Row[],
    );
    expect(lists.find(({ id }) => id === 4)).toMatchObject({ name: 'Renamed', currency: 'USD' });
    expect(await record('DELETE', 'records/PF1')).toBeLessThan(300);
    expect((await sandbox.order('POST', 'v0/product-information/search', PF1)).status).toBe(404);
  });

  it('refuses what no catalog has, and comes back with its snapshot', async () => {
    expect(await record('POST', 'records', { type: 'product', fields: { number: 'NEW-1' } })).toBe(409);
    expect(await record('POST', 'records', { type: 'priceList', fields: { id: 100 } })).toBe(400);
    expect(await record('POST', 'records', { type: 'product', fields: { number: 'N', nope: 1 } })).toBe(400);
    expect(await record('POST', 'snapshots', { name: 'changed' })).toBeLessThan(300);
    expect(await record('DELETE', 'records/NEW-1')).toBeLessThan(300);
    expect(await record('POST', 'snapshots/changed/restore')).toBeLessThan(300);
    expect(await record('GET', 'records/NEW-1')).toBe(200);
    expect(await record('POST', 'reset', {})).toBeLessThan(300);
    expect(await record('GET', 'records/NEW-1')).toBe(404);
  });
});

it('has as many products as are asked for, each distinguishable', async () => {
  const large = await startSandbox({ orders: 0, products: 400 });
  const { body } = await large.admin('GET', 'records?type=product');
  const ids = (body as { records: readonly { id: string }[] }).records.map(({ id }) => id);
  expect(new Set(ids).size).toBe(400);
  await large.close();
});
