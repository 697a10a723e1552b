import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { PartnerApi, RepeatReads } from '../../src/partner-api/index.ts';
import { failureOf, MINIMAL_CREATE, usePartnerApi } from '../support/partner-api/partner-api-fixture.ts';

const fixture = usePartnerApi();
const found = { body: { info: {}, data: [{ salesPortfolioId: 'OFFER-1' }] } };
const throttled = { status: 429, headers: { 'X-RateLimit-Reset': '7' }, body: { message: 'slow' } };
const unavailable = { status: 503, body: { error: { code: 'ERR899', message: 'later' } } };

/** A client that notes its waits instead of waiting. */
function connect(repeatReads: RepeatReads = {}): { readonly api: PartnerApi; readonly waits: number[] } {
  const waits: number[] = [];
  const wait = async (waitMs: number): Promise<void> => void waits.push(waitMs);
  return { api: fixture.connect({ repeatReads: { wait, ...repeatReads } }), waits };
}

describe('a read that the vendor cannot answer now', () => {
  it('is asked again after the wait that the vendor names, with jitter', async () => {
    fixture.server.script(throttled, found);
    const { api, waits } = connect();
    expect((await api.searchPortfolioItems()).data).toEqual([{ salesPortfolioId: 'OFFER-1' }]);
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThanOrEqual(7000);
    expect(waits[0]).toBeLessThanOrEqual(8000);
  });

  it('is asked again after a wait that doubles where the vendor names none, four times in all', async () => {
    fixture.server.script(unavailable, unavailable, unavailable, unavailable);
    const { api, waits } = connect();
    expect(await failureOf(api.readLeadOpportunity({ id: 'DS-1' }))).toMatchObject({ kind: 'unavailable' });
    expect(fixture.server.requests).toHaveLength(4);
    expect(waits.map((waitMs, index) => waitMs / 2 ** index)).toSatisfy((units: number[]) =>
      units.every((unit) => unit >= 250 && unit <= 500),
    );
  });

  it('is given up where the vendor asks for a longer wait than the caller has', async () => {
    fixture.server.script(throttled);
    const { api, waits } = connect({ maxWaitMs: 6999 });
    expect(await failureOf(api.searchPortfolioItems())).toMatchObject({ kind: 'throttled', resetSeconds: 7 });
    expect(waits).toEqual([]);
  });

  it('is repeated page by page in a list', async () => {
    fixture.server.script(throttled, found);
    const { api, waits } = connect();
    const items: unknown[] = [];
    for await (const item of api.allPortfolioItems({})) items.push(item);
    expect(items).toEqual([{ salesPortfolioId: 'OFFER-1' }]);
    expect(waits).toHaveLength(1);
  });

  it('is asked again by a real timer where the caller brings none', async () => {
    fixture.server.script(unavailable, found);
    const { data } = await fixture.connect({ repeatReads: {} }).searchPortfolioItems();
    expect(data).toHaveLength(1);
  });

  it('ends its waiting when the caller aborts', async () => {
    fixture.server.script(throttled);
    const controller = new AbortController();
    const wait = async (waitMs: number, signal: AbortSignal | undefined): Promise<void> => {
      setImmediate(() => controller.abort(new Error('enough')));
      await setTimeout(waitMs, undefined, { signal });
    };
    const call = connect({ wait }).api.searchPortfolioItems({}, { signal: controller.signal });
    expect(await failureOf(call)).toMatchObject({ kind: 'aborted', cause: new Error('enough') });
    expect(fixture.server.requests).toHaveLength(1);
  });
});

describe('what is never repeated', () => {
  it.each([
    ['a create', (api: PartnerApi) => api.createLeadOpportunity(MINIMAL_CREATE)],
    [
      'an update',
      (api: PartnerApi) =>
        api.updateLeadOpportunity({ id: 'DS-1', leadOpportunity: { partnerLeadOpportunityId: 'X' } }),
    ],
    ['a new key', (api: PartnerApi) => api.generateApiKey()],
  ])('%s', async (_what, call) => {
    fixture.server.script(unavailable, unavailable);
    const { api, waits } = connect();
    expect(await failureOf(call(api))).toMatchObject({ kind: 'unavailable' });
    expect(fixture.server.requests).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  it.each([[{ status: 403 }], [{ status: 404 }], [{ fault: 'before' as const }]])(
    'a read that %j answers',
    async (answer) => {
      fixture.server.script(answer, found);
      await failureOf(connect().api.searchPortfolioItems());
      expect(fixture.server.requests).toHaveLength(1);
    },
  );

  it.each([[undefined], [false as const]])('anything at all, with repeatReads %s', async (repeatReads) => {
    fixture.server.script(throttled, found);
    const api = repeatReads === undefined ? fixture.api : fixture.connect({ repeatReads });
    expect(await failureOf(api.searchPortfolioItems())).toMatchObject({ kind: 'throttled' });
    expect(fixture.server.requests).toHaveLength(1);
  });
});

it.each([[{ attempts: 0 }], [{ attempts: 1.5 }], [{ maxWaitMs: -1 }], [{ maxWaitMs: Number.NaN }]])(
  'refuses %j when it is made',
  (repeatReads) => {
    expect(() => fixture.connect({ repeatReads })).toThrow(TypeError);
  },
);
