import { describe, expect, it } from 'vitest';
import { allOrders } from '../../src/partner-api/order/all-orders.ts';
import { MAX_WINDOW_MS } from '../../src/partner-api/order/criteria.ts';
import type { searchOrders } from '../../src/partner-api/order/orders.ts';
import { halveCriteria, splitCriteria } from '../../src/partner-api/order/windows.ts';
import fc from '../support/properties.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const instant = fc.integer({ min: Date.parse('2024-01-01'), max: NOW.getTime() });
const iso = (time: number) => new Date(time).toISOString();

describe('splitting a time range', () => {
  it('gives legal windows that together cover every instant, the bounds of the whole as given', () => {
    fc.assert(
      fc.property(instant, instant, instant, (one, other, probe) => {
        const [from, to] = one < other ? [one, other + 1] : [other, one + 1];
        const parts = splitCriteria({ lastUpdateDateTime: { from: iso(from), to: iso(to) } }, NOW);
        const windows = parts.map(({ lastUpdateDateTime: range }) => ({
          from: Date.parse(range?.from ?? ''),
          to: Date.parse(range?.to ?? ''),
        }));
        expect(windows[0]?.from).toBe(from);
        expect(windows.at(-1)?.to).toBe(to);
        for (const window of windows) {
          expect(window.to).toBeGreaterThan(window.from);
          expect(window.to - window.from).toBeLessThanOrEqual(MAX_WINDOW_MS.lastUpdateDateTime);
        }
        // Even with bounds that do not count in, as long as the instant is inside the whole.
        const inside = from < probe && probe < to;
        expect(windows.some((window) => window.from < probe && probe < window.to)).toBe(inside);
      }),
    );
  });

  it('goes up to now without an end, and leaves a range without a start to the vendor', () => {
    const from = '2026-11-10T12:00:00.000Z';
    const open = splitCriteria({ creationDateTime: { from } }, NOW);
    expect(open.map((part) => part.creationDateTime)).toEqual([
      { from, to: '2026-11-17T12:00:00.000Z' },
      { from: '2026-11-17T11:59:59.000Z', to: NOW.toISOString() },
    ]);
    const criteria = { creationDateTime: { to: from }, transactionType: 'PO' as const };
    expect(splitCriteria(criteria, NOW)).toEqual([criteria]);
  });

  it('crosses several ranges, since criteria are joined by AND', () => {
    const range = { from: '2026-11-08T12:00:00.000Z', to: '2026-11-16T12:00:00.000Z' };
    const parts = splitCriteria({ creationDateTime: range, lastUpdateDateTime: range }, NOW);
    expect(parts).toHaveLength(2 * 3);
    expect(halveCriteria(parts[0] ?? {})?.[0].creationDateTime).toEqual({
      from: range.from,
      to: '2026-11-12T00:00:00.000Z',
    });
  });
});

type Row = { id: string; updated: number };

/** A vendor whose orders are updated, and so leave the window, between two requests. */
function vendor(rows: Row[], touch: (rows: Row[], request: number) => void) {
  let requests = 0;
  const search = async (input: Record<string, unknown>) => {
    const { from, to } = input['lastUpdateDateTime'] as { from: string; to: string };
    const { skip, top } = input as { skip: number; top: number };
    const hits = rows
      .filter((row) => row.updated >= Date.parse(from) && row.updated <= Date.parse(to))
      .map((row) => ({ transaction: { id: row.id }, lastUpdateDateTime: iso(row.updated) }));
    requests += 1;
    touch(rows, requests);
    return { data: hits.slice(skip, skip + top), info: { estimatedSearchCount: hits.length } };
  };
  return { search: search as unknown as ReturnType<typeof searchOrders>, requests: () => requests };
}

async function idsOf(search: ReturnType<typeof searchOrders>, lastUpdateDateTime: { from: string; to: string }) {
  const ids: string[] = [];
  for await (const order of allOrders(search, () => NOW)({ lastUpdateDateTime })) ids.push(order.transaction.id);
  return ids;
}

describe('reading all orders of a long range', () => {
  const start = Date.parse('2026-11-01T00:00:00.000Z');
  const range = { from: iso(start), to: '2026-11-11T00:00:00.000Z' };
  const rows = (): Row[] =>
    Array.from({ length: 1000 }, (_, index) => ({ id: `PO-${index}`, updated: start + index * 800_000 }));

  it('gives each once while nothing moves', async () => {
    const { search, requests } = vendor(rows(), () => undefined);
    const ids = await idsOf(search, range);
    expect(ids).toEqual(rows().map((row) => row.id));
    expect(requests()).toBeLessThan(20);
  });

  it('misses none that stayed while others left the window between two pages', async () => {
    const gone = new Set(['PO-3', 'PO-150', 'PO-400', 'PO-401']);
    const { search } = vendor(rows(), (all, request) => {
      for (const row of all) {
        if (gone.has(row.id) && request % 3 === 1) row.updated = Date.parse('2026-11-20T00:00:00.000Z');
      }
    });
    const ids = await idsOf(search, range);
    const staying = rows().filter((row) => !gone.has(row.id));
    expect(ids).toEqual(expect.arrayContaining(staying.map((row) => row.id)));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('halves a window that keeps moving until a part fits one page', async () => {
    let next = 0;
    const { search } = vendor(rows(), (all) => {
      const row = all[next];
      next += 1;
      if (row !== undefined) row.updated = NOW.getTime();
    });
    const ids = await idsOf(search, range);
    const left = rows().slice(next);
    expect(left.length).toBeGreaterThan(900);
    expect(ids).toEqual(expect.arrayContaining(left.map((row) => row.id)));
  });
});
