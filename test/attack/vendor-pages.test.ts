import { afterEach, describe, expect, test } from 'vitest';
import { type PartnerApi, PartnerApiError, type Result } from '../../src/partner-api/index.ts';
import { readAll } from '../../src/partner-api/paging.ts';
import { type HostileVendor, startHostileVendor, vendorBody } from '../support/hostile/hostile-vendor.ts';

/** A list of the vendor's that never ends, or never holds still, is no list, and costs nobody a worker. */

let vendor: HostileVendor;
afterEach(() => vendor.close());

const item = (id: unknown) => ({ salesPortfolioId: id });
type Page = { readonly skip: number; readonly top: number; readonly count: number };

async function listed(
  page: (asked: Page) => readonly unknown[],
  info: object,
  list: (api: PartnerApi) => AsyncGenerator<unknown>,
): Promise<unknown> {
  vendor = await startHostileVendor(({ path }, count) => {
    const query = new URL(path, 'http://vendor').searchParams;
    const asked = { skip: Number(query.get('skip')), top: Number(query.get('top')), count };
    return { body: vendorBody(page(asked), info) };
  });
  try {
    let rows = 0;
    for await (const _ of list(vendor.connect())) rows += 1;
    return rows;
  } catch (error) {
    return error;
  }
}

const portfolio = (api: PartnerApi) => api.allPortfolioItems({});
const accreditations = (api: PartnerApi) => api.allAccreditations({});
const numbered = (from: number, length: number) => Array.from({ length }, (_, n) => item(`P${from + n}`));
describe.each([
  ['counted as none', { estimatedSearchCount: 0 }],
  ['counted without end', { estimatedSearchCount: 1e308 }],
  ['counted below zero', { estimatedSearchCount: -1 }],
  ['counted in parts', { estimatedSearchCount: 2.5 }],
  ['not counted', {}],
])('rows %s', (_, info) => {
  test.each<[string, (asked: Page) => readonly unknown[]]>([
    ['one row over and over', ({ top }) => Array.from({ length: top }, () => item('P1'))],
    ['one page over and over', ({ top }) => numbered(0, top)],
    ['other rows each time', ({ count, top }) => numbered(count * 100_000, top)],
  ])('%s end', async (_what, page) => {
    const result = await listed(page, info, portfolio);
    expect(result).toBeInstanceOf(PartnerApiError);
    expect(result).toMatchObject({ kind: 'protocol', code: 'PAGES_MOVED' });
    expect(vendor.requests.length).toBeLessThan(30);
  });
});

test.each([
  ['a row at a time', 100, 101],
  ['full pages', 2, 10_000],
])('%s, for ever, end', async (_, top, most) => {
  const info = { estimatedSearchCount: 1e308 } as Result<unknown>['info'];
  let pages = 0;
  const fetchPage = async (skip: number) => {
    pages += 1;
    if (pages > most) throw new Error('a page too many');
    return { data: [`P${skip}`, `P${skip + 1}`], info } as unknown as Result<string[]>;
  };
  const failure = (code: string) => new Error(code);
  const list = { fetchPage, keyOf: (row: string) => row, top, failure };
  const read = async (): Promise<void> => {
    for await (const _row of readAll(list, new Set())) pages += 0;
  };
  await expect(read()).rejects.toThrow('LIST_TOO_LONG');
  expect(pages).toBe(most);
});

test('more rows than were asked for are no page', async () => {
  const row = { type: 'R', id: 'A', name: 'x' };
  const result = await listed(({ top }) => Array.from({ length: top * 50 }, () => row), {}, accreditations);
  expect(result).toBeInstanceOf(PartnerApiError);
  expect(vendor.requests.length).toBeLessThan(30);
});

test.each([[null], [''], ['\u0000'], ['x'.repeat(10_000)], ['__proto__']])(
  'rows whose id is %j are distinguished as well as they can be',
  async (id) => {
    expect(await listed(() => [item(id), item('P2')], {}, portfolio)).toBe(2);
  },
);
