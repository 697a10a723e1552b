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

describe('price lists (order spec 2.13, 4.4)', () => {
  it('has several countries, and a future list with its date', async () => {
    const countries = await rows('GET', 'v0/price-lists/search');
    expect(countries.length).toBeGreaterThan(1);
    const lists = countries.flatMap((country) => country['priceLists'] as readonly Row[]);
    for (const country of countries) expect(country['countryCode']).toMatch(/^[A-Z]{3}$/);
    for (const list of lists) expect(list['hasFuturePriceList']).toBe(list['effectiveDate'] !== null);
    expect(lists.filter((list) => list['hasFuturePriceList'])).toHaveLength(1);
  });
});

describe('accreditations (order spec 2.14, 4.5)', () => {
  it('gives names in v0 and codes in v1 for the same entries', async () => {
    const v0 = await rows('GET', 'v0/accreditations/search');
    const v1 = await rows('GET', 'v1/accreditations/search');
    expect(v0.map((row) => row['id'])).toEqual(v1.map((row) => row['id']));
    expect(new Set(v0.map((row) => row['accreditationType']))).toEqual(
      new Set(['Portfolio', 'Industry Process Experience']),
    );
    expect(new Set(v1.map((row) => row['accreditationType']))).toEqual(new Set(['R', 'I']));
    const portfolio = v1.find((row) => row['accreditationType'] === 'R') as Row;
    expect(Object.keys(portfolio).sort()).toEqual(['accreditationType', 'id', 'name']);
    expect(await rows('GET', 'v1/accreditations/search?skip=1&top=2')).toEqual(v1.slice(1, 3));
  });
});

describe('product prices and information (order spec 4.6, 4.7)', () => {
  const priceBody = { ...PF1, priceListId: 1 };

  it('sorts by product number and pages without loss', async () => {
    const all = await rows('POST', 'v0/product-price-list/search', priceBody);
    const numbers = all.map((row) => String(row['number']));
    expect(numbers.length).toBeGreaterThan(3);
    expect(numbers).toEqual(numbers.toSorted());
    const head = await rows('POST', 'v0/product-price-list/search?top=3', priceBody);
    const tail = await rows('POST', 'v0/product-price-list/search?skip=3', priceBody);
    expect([...head, ...tail]).toEqual(all);
  });

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

  it.each([
    ['not held', { accreditationType: 'R', accreditationId: 'PF4' }, 404],
    ['of the other type', { accreditationType: 'I', accreditationId: 'PF1' }, 404],
    ['unknown', { accreditationType: 'R', accreditationId: 'ZZ' }, 404],
    ['in lower case', { accreditationType: 'R', accreditationId: 'pf1' }, 400],
    ['of 16 characters', { accreditationType: 'R', accreditationId: 'P'.repeat(16) }, 400],
    ['of another letter', { accreditationType: 'X', accreditationId: 'PF1' }, 400],
    ['without type', { accreditationId: 'PF1' }, 400],
  ])('an accreditation %s', async (_what, body, status) => {
    for (const path of ['v0/product-information/search', 'v0/product-price-list/search']) {
      const answer = await sandbox.order('POST', path, { ...body, priceListId: 1 });
      expect([answer.status, field(answer.body, 'data')]).toEqual([status, []]);
    }
  });

  it.each([
    ['unknown', { priceListId: 77 }, 404],
    ['without a future version', { priceListId: 2, priceListStatus: 'F' }, 404],
    ['of three digits', { priceListId: 100 }, 400],
    ['as text', { priceListId: '1' }, 400],
    ['missing', { priceListId: undefined }, 400],
    ['with a long status', { priceListId: 1, priceListStatus: 'CC' }, 400],
  ])('a price list %s', async (_what, body, status) => {
    expect((await sandbox.order('POST', 'v0/product-price-list/search', { ...PF1, ...body })).status).toBe(
      status,
    );
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
    [{ number: 'x'.repeat(21), release: 'R' }, 400],
    [{ number: 'x', release: 'x'.repeat(51) }, 400],
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
    expect(
      await record('POST', 'records', { type: 'product', fields: { number: 'NEW-1', name: '株' } }),
    ).toBe(201);
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

it('has as many products as are asked for, each told apart', async () => {
  const large = await startSandbox({ orders: 0, products: 400 });
  const { body } = await large.admin('GET', 'records?type=product');
  const ids = (body as { records: readonly { id: string }[] }).records.map(({ id }) => id);
  expect(new Set(ids).size).toBe(400);
  await large.close();
});
