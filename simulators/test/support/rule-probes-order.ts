import { expect } from 'vitest';
import { field, type Sandbox } from './vendor-sandbox.ts';

/** Tests a documented rule over HTTP; `nowMs` is the sandbox's present time. */
export type Probe = (sandbox: Sandbox, nowMs: number) => Promise<void>;

const DAY_MS = 86_400_000;
const at = (ms: number): string => new Date(ms).toISOString();
const list = (body: unknown): readonly unknown[] => field(body, 'data') as readonly unknown[];
const PF1 = { accreditationType: 'R', accreditationId: 'PF1' };
/** Ids that the caller may not use: of another partner, of another type, and unknown. */
const NOT_HELD = [
  { ...PF1, accreditationId: 'PF4' },
  { ...PF1, accreditationType: 'I' },
  { ...PF1, accreditationId: 'ZZ' },
];

async function search(sandbox: Sandbox, body: object, query = '', version = 'v1') {
  return sandbox.order('POST', `${version}/orders/search${query}`, body);
}

async function refuses(sandbox: Sandbox, path: string, ...bodies: readonly object[]): Promise<void> {
  for (const body of bodies) {
    expect((await sandbox.order('POST', path, body)).status, `${path} ${JSON.stringify(body)}`).toBe(400);
  }
}

async function bounds(sandbox: Sandbox, path: string, max: number, body?: object): Promise<void> {
  const method = body === undefined ? 'GET' : 'POST';
  for (const query of ['skip=-1', 'skip=x', 'top=0', `top=${max + 1}`, 'top=', 'top=1.5']) {
    expect((await sandbox.order(method, `${path}?${query}`, body)).status, query).toBe(400);
  }
  for (const query of ['skip=0', 'skip=1000000', 'top=1', `top=${max}`]) {
    expect((await sandbox.order(method, `${path}?${query}`, body)).status, query).toBe(200);
  }
}

/** The detail of an order made through the admin API, in both versions. */
async function bothDetails(sandbox: Sandbox, fields: object) {
  const made = await sandbox.admin('POST', 'records', { type: 'order', fields });
  const id = String(field(made.body, 'id'));
  const [v0, v1] = await Promise.all(
    ['v0', 'v1'].map(async (version) => (await sandbox.order('GET', `${version}/orders/${id}`)).body),
  );
  return { id, v0: list(v0)[0], v1: list(v1)[0] };
}

async function numbersOf(sandbox: Sandbox, path: string, body: object): Promise<readonly string[]> {
  return list((await sandbox.order('POST', path, body)).body).map((item) => String(field(item, 'number')));
}

/** One probe for each rule of the order domain, by the rule's text. */
export const ORDER_PROBES: Readonly<Record<string, Probe>> = {
  'success envelope: data and info': async (sandbox) => {
    const { body } = await sandbox.order('GET', 'v0/price-lists/search');
    expect(Object.keys(body as object)).toEqual(['data', 'info']);
    expect(field(body, 'info')).toEqual({ success: true, statusCode: 200, estimatedSearchCount: 4 });
  },
  'error envelope: empty data, info, typed errors': async (sandbox) => {
    const { body } = await search(sandbox, {});
    expect(body).toMatchObject({ data: [], info: { success: false, statusCode: 400 } });
    expect(field(body, 'error', '0', 'type')).toBe('errors:vendor:invalidRequest');
    expect(field(body, 'error', '0', 'errors', '0')).toEqual({
      detail: expect.any(String),
      pointer: expect.any(String),
    });
  },
  'v0 names against v1 codes of one order': async (sandbox) => {
    const { v0, v1 } = await bothDetails(sandbox, {
      transaction: { status: 'PRC' },
      onlineConsentStatus: 'T',
      recurringChargeBillingCycle: 'MON360',
    });
    const shown = (order: unknown) => [
      field(order, 'transaction', 'status'),
      field(order, 'onlineConsentStatus'),
      field(order, 'recurringChargeBillingCycle'),
    ];
    expect(shown(v0)).toEqual(['Sent to Vendor.Finance', 'Expired', 'Calendar Month']);
    expect(shown(v1)).toEqual(['PRC', 'T', 'MON360']);
  },
  'DFTE only in v1': async (sandbox) => {
    const { id } = await bothDetails(sandbox, {
      transaction: { status: 'DFTE' },
      billToPoReference: 'legacy',
    });
    const found = async (version: string) =>
      list((await search(sandbox, { billToPoReferences: ['legacy'] }, '', version)).body).length;
    expect([await found('v0'), await found('v1')]).toEqual([0, 1]);
    expect((await sandbox.order('GET', `v0/orders/${id}`)).status).toBe(404);
  },
  'amounts are renamed from v0 to v1': async (sandbox) => {
    const { v0, v1 } = await bothDetails(sandbox, {});
    const line = (order: unknown) => field(order, 'licenseChargeConditions', '0', 'licenseChargeBreakdown', '0');
    for (const [older, newer] of [
      ['billToNetAmount', 'distributorNetAmount'],
      ['billToAnnualAmount', 'distributorAnnualAmount'],
      ['billToDiscountPercentage', 'distributorDiscountPercentage'],
      ['billToMarginPercentage', 'distributorMaximumMarginPercentage'],
      ['maximumCustomerNetAmount', 'customerMaximumNetAmount'],
      ['maximumCustomerAnnualAmount', 'customerMaximumAnnualAmount'],
      ['minimumCustomerDiscountPercentage', 'customerMinimumDiscountPercentage'],
    ] as const) {
      expect(field(line(v0), older)).toBe(field(line(v1), newer));
      expect(field(line(v0), older)).toBeTypeOf('number');
      expect([field(line(v0), newer), field(line(v1), older)]).toEqual([undefined, undefined]);
    }
  },
  'opportunity in v0 is opportunityId in v1': async (sandbox) => {
    const { v0, v1 } = await bothDetails(sandbox, { opportunityId: 'LO-1' });
    expect([field(v0, 'opportunity'), field(v0, 'opportunityId')]).toEqual(['LO-1', undefined]);
    expect([field(v1, 'opportunity'), field(v1, 'opportunityId')]).toEqual([undefined, 'LO-1']);
  },
  'effectiveDate is null without a future price list': async (sandbox) => {
    const { body } = await sandbox.order('GET', 'v0/price-lists/search');
    const countries = list(body);
    expect(countries.length).toBeGreaterThan(1);
    for (const country of countries) expect(field(country, 'countryCode')).toMatch(/^[A-Z]{3}$/);
    const all = countries.flatMap((country) => field(country, 'priceLists') as readonly unknown[]);
    const future = all.map((one) => field(one, 'hasFuturePriceList'));
    expect(new Set(future)).toEqual(new Set([true, false]));
    expect(all.map((one) => field(one, 'effectiveDate') !== null)).toEqual(future);
  },
  'type and deployment: names in v0, codes in v1': async (sandbox) => {
    const shown = async (version: string) => {
      const all = list((await sandbox.order('GET', `${version}/accreditations/search`)).body);
      return new Set(all.flatMap((one) => [field(one, 'accreditationType'), field(one, 'deploymentType')]));
    };
    const names = ['Industry Process Experience', 'Portfolio', 'On Premise', 'Public Cloud', undefined];
    expect(await shown('v0')).toEqual(new Set(names));
    expect(await shown('v1')).toEqual(new Set(['I', 'R', '1', '4', undefined]));
  },
  'first-year discount has both fields or none': async (sandbox) => {
    const { body } = await sandbox.order('POST', 'v0/product-price-list/search', { ...PF1, priceListId: 1 });
    const prices = list(body).flatMap((item) => field(item, 'prices') as readonly object[]);
    const kinds = prices.map((price) => ['firstYearDiscountPercentage' in price, 'firstYearDiscountPrice' in price]);
    for (const [percentage, amount] of kinds) expect(percentage).toBe(amount);
    expect(new Set(kinds.map(([percentage]) => percentage))).toEqual(new Set([true, false]));
  },
  'key of 64 and hash of 60 characters without an envelope': async (sandbox) => {
    const { status, body } = await sandbox.order('POST', 'v0/apikeys');
    expect([status, Object.keys(body as object).toSorted()]).toEqual([200, ['api_key', 'hashed_key']]);
    expect(String(field(body, 'api_key'))).toHaveLength(64);
    expect(String(field(body, 'hashed_key'))).toMatch(/^\$2[aby]\$.{56}$/);
  },
  'skip from 0, top 1 to 100 and 10 by default': async (sandbox, nowMs) => {
    const body = { creationDateTime: { from: at(nowMs - 7 * DAY_MS) } };
    await bounds(sandbox, 'v0/orders/search', 100, body);
    await bounds(sandbox, 'v1/orders/search', 100, body);
    const all = await search(sandbox, body, '?top=100');
    expect(list(all.body).length).toBeGreaterThan(10);
    expect(list((await search(sandbox, body)).body)).toEqual(list(all.body).slice(0, 10));
    expect(list((await search(sandbox, body, '?skip=9&top=2')).body)).toEqual(list(all.body).slice(9, 11));
  },
  'at least one of six criteria': (sandbox) =>
    refuses(sandbox, 'v1/orders/search', {}, { transactionType: 'PO' }, { other: 1 }),
  'criteria are combined with AND': async (sandbox, nowMs) => {
    const reference = 'REF-000001';
    const to = at(nowMs + DAY_MS);
    const both = { billToPoReferences: [reference], creationDateTime: { to } };
    const neither = { billToPoReferences: [reference], creationDateTime: { to: at(nowMs - 100 * DAY_MS) } };
    expect(list((await search(sandbox, both)).body)).toHaveLength(1);
    expect(list((await search(sandbox, neither)).body)).toHaveLength(0);
  },
  'installedBaseNumber has at most 40 characters': async (sandbox) => {
    await refuses(sandbox, 'v1/orders/search', { installedBaseNumber: 'x'.repeat(41) });
    expect((await search(sandbox, { installedBaseNumber: 'x'.repeat(40) })).status).toBe(200);
  },
  'onlineInstanceSeatId has at most 15 characters': async (sandbox) => {
    await refuses(sandbox, 'v1/orders/search', { onlineInstanceSeatId: 'x'.repeat(16) });
    expect((await search(sandbox, { onlineInstanceSeatId: 'x'.repeat(15) })).status).toBe(200);
  },
  'billToPoReferences is not empty, its items have at most 60 characters': async (sandbox) => {
    const wrong = [[], ['x'.repeat(61)], [1], 'REF'].map((value) => ({ billToPoReferences: value }));
    await refuses(sandbox, 'v1/orders/search', ...wrong);
    expect((await search(sandbox, { billToPoReferences: ['x'.repeat(60)] })).status).toBe(200);
  },
  'transactionType is PO, RN or both': async (sandbox, nowMs) => {
    const range = { creationDateTime: { from: at(nowMs - 7 * DAY_MS) } };
    await refuses(sandbox, 'v1/orders/search', { ...range, transactionType: 'XX' });
    const count = async (more: object) =>
      Number(field((await search(sandbox, { ...range, ...more })).body, 'info', 'estimatedSearchCount'));
    const [po, rn] = [await count({ transactionType: 'PO' }), await count({ transactionType: 'RN' })];
    expect(Math.min(po, rn)).toBeGreaterThan(0);
    expect(await count({})).toBe(po + rn);
  },
  'a range needs from or to': (sandbox) =>
    refuses(sandbox, 'v1/orders/search', { creationDateTime: {} }, { bookingDateTime: { from: 'x' } }),
  'from is not in the future': async (sandbox, nowMs) => {
    await refuses(sandbox, 'v1/orders/search', { lastUpdateDateTime: { from: at(nowMs + 1) } });
    expect((await search(sandbox, { lastUpdateDateTime: { from: at(nowMs) } })).status).toBe(200);
  },
  'to is later than from': async (sandbox, nowMs) => {
    const [from, to] = [at(nowMs - DAY_MS), at(nowMs - DAY_MS + 1)];
    await refuses(sandbox, 'v1/orders/search', { creationDateTime: { from, to: from } });
    await refuses(sandbox, 'v1/orders/search', { creationDateTime: { from: to, to: from } });
    expect((await search(sandbox, { creationDateTime: { from, to } })).status).toBe(200);
  },
  'windows: 7 days of creation and booking, 3 days of update': async (sandbox, nowMs) => {
    const windows = { creationDateTime: 7, bookingDateTime: 7, lastUpdateDateTime: 3 } as const;
    for (const [name, days] of Object.entries(windows)) {
      const fromMs = nowMs - 20 * DAY_MS;
      const range = (ms: number) => ({ [name]: { from: at(fromMs), to: at(fromMs + ms) } });
      expect((await search(sandbox, range(days * DAY_MS))).status).toBe(200);
      await refuses(sandbox, 'v1/orders/search', range(days * DAY_MS + 1));
    }
  },
  'a missing from is to minus the window': async (sandbox, nowMs) => {
    const to = at(nowMs - 30 * DAY_MS);
    const full = { from: at(nowMs - 37 * DAY_MS), to };
    const open = await search(sandbox, { creationDateTime: { to } }, '?top=100');
    expect(list(open.body).length).toBeGreaterThan(0);
    expect(open.body).toEqual((await search(sandbox, { creationDateTime: full }, '?top=100')).body);
  },
  'a missing to is from plus the window, at most now': async (sandbox, nowMs) => {
    for (const [daysAgo, to] of [
      [30, at(nowMs - 27 * DAY_MS)],
      [1, at(nowMs)],
    ] as const) {
      const from = at(nowMs - daysAgo * DAY_MS);
      const open = await search(sandbox, { lastUpdateDateTime: { from } }, '?top=100');
      expect(list(open.body).length).toBeGreaterThan(0);
      expect(open.body).toEqual((await search(sandbox, { lastUpdateDateTime: { from, to } }, '?top=100')).body);
    }
  },
  'an order that does not exist is 404, an invalid id 400': async (sandbox) => {
    for (const version of ['v0', 'v1']) {
      const missing = await sandbox.order('GET', `${version}/orders/PO-99999999`);
      expect([missing.status, field(missing.body, 'error', '0', 'type')]).toEqual([
        404,
        'errors:vendor:resourceNotFound',
      ]);
      expect((await sandbox.order('GET', `${version}/orders/${'x'.repeat(14)}`)).status).toBe(400);
    }
  },
  'top 1 to 100, 100 by default': async (sandbox) => {
    await bounds(sandbox, 'v0/accreditations/search', 100);
    await bounds(sandbox, 'v1/accreditations/search', 100);
    const all = list((await sandbox.order('GET', 'v1/accreditations/search')).body);
    const page = await sandbox.order('GET', 'v1/accreditations/search?skip=1&top=2');
    expect(list(page.body)).toEqual(all.slice(1, 3));
  },
  'ascending product numbers, paged with skip and top': async (sandbox) => {
    const body = { ...PF1, priceListId: 1 };
    await bounds(sandbox, 'v0/product-price-list/search', 100, body);
    const all = await numbersOf(sandbox, 'v0/product-price-list/search', body);
    expect(all.length).toBeGreaterThan(5);
    expect(all).toEqual(all.toSorted());
    expect(await numbersOf(sandbox, 'v0/product-price-list/search?skip=2&top=3', body)).toEqual(all.slice(2, 5));
  },
  'accreditation type, id and price list are held to their forms': (sandbox) => {
    const good = { ...PF1, priceListId: 1 };
    const wrong = [
      { accreditationType: 'X' },
      { accreditationType: undefined },
      { accreditationId: 'pf1' },
      { accreditationId: 'A'.repeat(16) },
      { priceListId: 100 },
      { priceListId: '1' },
      { priceListId: undefined },
      { priceListStatus: 'CC' },
    ];
    return refuses(sandbox, 'v0/product-price-list/search', ...wrong.map((part) => ({ ...good, ...part })));
  },
  'priceListStatus is C by default': async (sandbox) => {
    const prices = async (more: object) =>
      (await sandbox.order('POST', 'v0/product-price-list/search', { ...PF1, priceListId: 1, ...more })).body;
    expect(await prices({ priceListStatus: 'C' })).toEqual(await prices({}));
    expect(await prices({ priceListStatus: 'F' })).not.toEqual(await prices({}));
  },
  'accreditation is enforced on prices': async (sandbox) => {
    const path = 'v0/product-price-list/search';
    for (const body of [...NOT_HELD, { ...PF1, priceListId: 77 }, { ...PF1, priceListId: 2, priceListStatus: 'F' }]) {
      expect((await sandbox.order('POST', path, { priceListId: 1, ...body })).status, JSON.stringify(body)).toBe(404);
    }
  },
  'accreditation is enforced on information, ascending numbers': async (sandbox) => {
    const path = 'v0/product-information/search';
    await bounds(sandbox, path, 100, PF1);
    for (const body of NOT_HELD) expect((await sandbox.order('POST', path, body)).status).toBe(404);
    await refuses(sandbox, path, { accreditationId: 'PF1' }, { ...PF1, accreditationId: 'pf1' });
    const numbers = await numbersOf(sandbox, path, PF1);
    expect(numbers).toEqual(numbers.toSorted());
    expect(new Set(numbers).size).toBeLessThan(numbers.length);
  },
  'number of 20, release of 50 characters, top 1 to 10': async (sandbox) => {
    const path = 'v0/package-offer-content/search';
    const good = { number: 'END-1021', release: 'R2026x' };
    await bounds(sandbox, path, 10, good);
    await refuses(sandbox, path, { ...good, number: 'x'.repeat(21) }, { ...good, release: 'x'.repeat(51) });
    expect((await sandbox.order('POST', path, { ...good, number: 'x'.repeat(20) })).status).toBe(404);
  },
  'a new key works after the operator registered its hash': async (sandbox) => {
    const { body } = await sandbox.order('POST', 'v0/apikeys');
    const apiKey = String(field(body, 'api_key'));
    const status = async () => (await sandbox.order('GET', 'v0/price-lists/search', undefined, { apiKey })).status;
    expect(await status()).toBe(403);
    await sandbox.admin('POST', 'keys', { hashedKey: field(body, 'hashed_key') });
    expect(await status()).toBe(200);
  },
  '401 without a key, 403 with a wrong one, 429 beyond the quota, each {message}': async (sandbox) => {
    const call = (apiKey?: string | null) =>
      sandbox.order('GET', 'v0/price-lists/search', undefined, apiKey === undefined ? {} : { apiKey });
    const missing = await call(null);
    const wrong = await call('wrong');
    await sandbox.admin('PUT', 'quota', { limit: 0, windowSeconds: 60 });
    const throttled = await call();
    await sandbox.admin('PUT', 'quota', { limit: 1000, windowSeconds: 60 });
    expect([missing.status, wrong.status, throttled.status]).toEqual([401, 403, 429]);
    for (const { body } of [missing, wrong, throttled]) expect(body).toEqual({ message: expect.any(String) });
  },
};
