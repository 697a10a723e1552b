import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from '../support/properties.ts';
import { createBody, field, type Sandbox, startSandbox } from '../support/vendor-sandbox.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ orders: 20 });
  await sandbox.admin('PUT', 'quota', { limit: 1_000_000, windowSeconds: 60 });
});
afterAll(() => sandbox.close());

const PATCHED = {
  leadOpportunity: { partnerLeadOpportunityId: 'r', name: 'n', closeDate: '2027-01-01T00:00:00Z' },
};
const RANGE = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };

const TARGETS: readonly (readonly ['api' | 'order', string, string, object])[] = [
  ['api', 'POST', 'v0/leads-opportunities', createBody('r')],
  ['api', 'POST', 'v1/leads-opportunities', createBody('r', { top: { customerContacts: [{ email: 'e' }] } })],
  ['api', 'PATCH', 'v1/leads-opportunities/LO-00000001', { ...PATCHED, offerLines: [{ offerNameId: 'x', amount: 1 }] }],
  ['api', 'POST', 'v0/leads-opportunities/search', { data: [{ modifiedDate: { fromDate: 'a', toDate: 'b' } }] }],
  ['order', 'POST', 'v0/orders/search', { creationDateTime: RANGE, billToPoReferences: ['a'] }],
  ['order', 'POST', 'v1/orders/search', { lastUpdateDateTime: RANGE, installedBaseNumber: 'a' }],
  ['order', 'POST', 'v0/product-price-list/search', { accreditationType: 'R', accreditationId: 'A', priceListId: 1 }],
  ['order', 'POST', 'v0/package-offer-content/search', { number: 'a', release: 'b' }],
];

/** The body with one value somewhere in it replaced by any JSON value, keys like `__proto__` included. */
function disturbed(body: object): fc.Arbitrary<string> {
  const places: (readonly string[])[] = [];
  const walk = (value: unknown, path: readonly string[]): void => {
    places.push(path);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key]);
  };
  walk(body, []);
  const replace = (value: unknown, path: readonly string[], by: unknown): unknown => {
    const [key, ...rest] = path;
    if (key === undefined) return by;
    const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
    return Object.assign(copy, { [key]: replace((value as Record<string, unknown>)[key], rest, by) });
  };
  return fc
    .tuple(fc.constantFrom(...places), fc.jsonValue())
    .map(([path, by]) => JSON.stringify(replace(body, path, by)));
}

describe('whatever is sent, the answer is a documented one', () => {
  it.each(TARGETS)('%s %s %s', async (domain, method, path, body) => {
    await fc.assert(
      fc.asyncProperty(disturbed(body), async (raw) => {
        const answer = await sandbox[domain](method, path, undefined, { raw });
        expect([200, 201, 400, 404, 406]).toContain(answer.status);
        const isRefused = answer.status >= 400;
        expect(field(answer.body, 'info', 'success')).toBe(!isRefused);
        expect(field(answer.body, 'info', 'statusCode')).toBe(answer.status);
      }),
      { numRuns: 60 },
    );
  });

  it.each(['%', '%ff', '%2F..', 'a%00b', '..%2f', '%F0%9F%98%80', 'constructor', '__proto__'])(
    'an id such as %s',
    async (id) => {
      expect((await sandbox.api('GET', `v1/leads-opportunities/${id}`)).status).toBe(500);
      expect([400, 404]).toContain((await sandbox.order('GET', `v1/orders/${id}`)).status);
      expect((await sandbox.admin('GET', `records/${id}`)).status).toBe(404);
    },
  );

  it('deep nesting and long bodies', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect((await sandbox.api('POST', 'v1/leads-opportunities', undefined, { raw: deep })).status).toBe(400);
    const long = createBody('long', { core: { description: 'x'.repeat(2_000_000) } });
    expect((await sandbox.api('POST', 'v1/leads-opportunities', long)).status).toBe(201);
  });

  it('many creates of one reference at once leave one record', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => sandbox.api('POST', 'v1/leads-opportunities', createBody('006-race'))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ body }) => field(body, 'error', 'code') === 'ERR801')).toHaveLength(19);
    expect(await sandbox.search({ partnerLeadOpportunityId: ['006-race'] })).toHaveLength(1);
  });
});
