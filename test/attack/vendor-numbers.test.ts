import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { observeVendor } from '../../src/domain/mapping/index.ts';
import { flattenExtra, type PartnerApi, PartnerApiError } from '../../src/partner-api/index.ts';
import { type HostileVendor, startHostileVendor, vendorBody } from '../support/hostile/hostile-vendor.ts';
import { mappingConfig } from '../support/mapping/fixtures.ts';
import { wireDetail } from '../support/partner-api/partner-orders.ts';

/** A number takes no more memory and time than its digits, whatever it stands for; what is none is no answer. */

const MOST_MS = 500;
const TRIES = 5;
const MOST_TEXT = 100_000;

const NUMBERS: readonly (readonly [string, string])[] = [
  ['with a large exponent', '1e999999'],
  ['with an exponent beyond any', '1e99999999999999'],
  ['tiny', '1e-999999'],
  ['tinier than any', '1e-99999999999999'],
  ['with a large exponent, in quotes', '"1e999999"'],
  ['tiny, in quotes', '"1e-999999"'],
  ['of a hundred thousand digits', '9'.repeat(100_000)],
  ['of a hundred thousand digits, in quotes', `"${'9'.repeat(100_000)}"`],
  ['of a hundred thousand decimals', `0.${'3'.repeat(100_000)}`],
  ['of a million zeros, and one more digit', `1.${'0'.repeat(1_000_000)}1`],
  ['below zero', '-1e308'],
  ['that only some read', '"0x7f"'],
  ['in full width', '"１２"'],
  ['infinite', '"Infinity"'],
  ['not one', '"NaN"'],
];

let vendor: HostileVendor;
let body = '';
let api: PartnerApi;
beforeAll(async () => {
  vendor = await startHostileVendor(() => ({ body }));
  api = vendor.connect();
});
afterAll(() => vendor.close());

const MARK = '"here"';
const detail = JSON.stringify(wireDetail('v1'));
const place = (name: string) => detail.replace(new RegExp(`"${name}":[^,}]+`), `"${name}":${MARK}`);

type Read = () => Promise<unknown>;
const price = { dsListPrice: 'here', distributorDiscountPercentage: 'here', distributorPrice: 'here' };
const prices = vendorBody([{ number: 'N', prices: [{ revenueType: 'YLC', ...price }] }]);
const PLACES: Readonly<Record<string, readonly [string, Read]>> = {
  'an amount of a deal': [
    vendorBody({ leadOpportunity: { offerLines: [{ amount: 'here' }] } }),
    async () => {
      const { data } = await api.readLeadOpportunity({ id: 'DS-1' });
      const raw = flattenExtra(data.leadOpportunity);
      return observeVendor(raw, mappingConfig(), '2026-03-01T00:00:00.000Z').record;
    },
  ],
  ...Object.fromEntries(
    ['unitListPrice', 'distributorNetAmount', 'distributorDiscountPercentage', 'ratio', 'quantity', 'duration'].map(
      (name) => [
        `${name} of an order`,
        [`{"info":{},"data":[${place(name)}]}`, async () => (await api.readOrder({ id: 'PO-1' })).data],
      ],
    ),
  ),
  'the price of a product': [
    prices,
    async () => (await api.searchProductPrices({ accreditationType: 'R', accreditationId: 'A1', priceListId: 1 })).data,
  ],
};

describe.each(Object.entries(PLACES))('%s', (_, [template, read]) => {
  test.each(NUMBERS)('%s', async (_what, number) => {
    expect(template).toContain(MARK);
    body = template.replaceAll(MARK, number);
    const tries: number[] = [];
    let result: unknown;
    // The best of some tries: what a number takes, and not what else the machine did.
    while (tries.length < TRIES && Math.min(...tries) >= MOST_MS) {
      const startedAt = performance.now();
      result = await read().catch((error: unknown) => error);
      tries.push(performance.now() - startedAt);
    }
    expect(Math.min(...tries)).toBeLessThan(MOST_MS);
    if (result instanceof Error) expect(result).toBeInstanceOf(PartnerApiError);
    else expect(JSON.stringify(result).length).toBeLessThan(MOST_TEXT);
  });
});
