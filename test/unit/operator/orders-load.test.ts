import { describe, expect, it } from 'vitest';
import { loadLines } from '../../../src/cli/commands/load-orders.ts';
import { LOAD_PAUSE } from '../../../src/domain/streams/orders-load.ts';
import type { StreamTimes } from '../../../src/ledger/stats/stats-ledger.ts';
import { streamMetrics } from '../../../src/operator/metrics/stream-metrics.ts';
import {
  CannotPauseLoad,
  controlOrdersLoad,
  type LoadPorts,
  type LoadReport,
  ordersLoad,
} from '../../../src/operator/runs/orders-load.ts';
import { ordersProgress } from '../../../src/operator/runs/orders-progress.ts';
import { overdueStreams } from '../../../src/operator/status/overdue-streams.ts';
import { mappingConfig } from '../../support/mapping/fixtures.ts';

const [NOW, LATER] = ['2027-01-04T08:00:00.000Z', '2027-01-04T09:00:00.000Z'];
const SINCE = '2024-01-01';
const acme = (ordersSince: string | null = SINCE) => ({ tenant: 'acme', vendor: { ordersSince } });

/** A ledger whose load is that far, and what was begun over Temporal. */
function world(until: string | null, toLoad: number, since = SINCE) {
  const cursors = new Map<string, unknown>();
  if (until !== null) cursors.set('loadOrders', { since, at: { until } });
  const begun: string[] = [];
  const ports: LoadPorts = {
    ledger: {
      cursors: async (_, names) => names.map((name) => cursors.get(name) ?? null),
      countMirrored: async () => ({ shown: 0, toRead: toLoad, toLoad, toWrite: 0 }),
      saveCursor: async (_, name, position) => void cursors.set(name, position),
      forgetCursors: async (_, names) => {
        for (const name of names) cursors.delete(name);
      },
    },
    starts: {
      start: async (_, stream) => {
        begun.push(stream);
        return true;
      },
    },
  };
  return { ports, begun, cursors };
}

describe('an operator’s word about the first load of orders', () => {
  it('has it pause, and go on where it was', async () => {
    const { ports, begun, cursors } = world('2025-07-04T00:00:00.000Z', 12);
    const paused = await controlOrdersLoad(ports, acme(), 'pause', NOW);
    expect(paused).toEqual({
      ...{ shape: 'load-orders/1', tenant: 'acme', asked: 'pause', changed: true, state: 'paused' },
      ...{ since: SINCE, searchedUntil: '2025-07-04T00:00:00.000Z', percent: 50 },
      ...{ toRead: 12, pausedSince: NOW },
    });
    // A run tells it in the Temporal UI.
    expect(begun.splice(0)).toEqual(['loadOrders']);
    const resumed = await controlOrdersLoad(ports, acme(), 'resume', LATER);
    expect(resumed).toMatchObject({ changed: true, state: 'running', toRead: 12, pausedSince: null });
    expect(begun).toEqual(['loadOrders', 'pullOrders']);
    expect([...cursors.keys()]).toEqual(['loadOrders']);
  });

  it('said twice changes nothing, and leaves since when it is paused', async () => {
    const { ports, begun } = world(null, 0);
    await controlOrdersLoad(ports, acme(), 'pause', NOW);
    expect(await controlOrdersLoad(ports, acme(), 'pause', LATER)).toMatchObject({
      ...{ changed: false, state: 'paused', pausedSince: NOW },
    });
    await controlOrdersLoad(ports, acme(), 'resume', LATER);
    const before = begun.length;
    expect(await controlOrdersLoad(ports, acme(), 'resume', LATER)).toMatchObject({
      ...{ changed: false, state: 'running' },
    });
    expect(begun).toHaveLength(before);
  });

  it('cannot be followed where nothing is to be paused', async () => {
    const done = controlOrdersLoad(world(NOW, 0).ports, acme(), 'pause', NOW);
    await expect(done).rejects.toThrow(/acme's orders, since 2024-01-01, is done: there is nothing to pause/);
    const none = controlOrdersLoad(world(null, 0).ports, acme(null), 'pause', NOW);
    await expect(none).rejects.toThrow(/names no day \(vendor.ordersSince\)/);
    await expect(none).rejects.toBeInstanceOf(CannotPauseLoad);
  });

  it('is about the day that is named by now, unless it is paused', async () => {
    const { ports } = world(NOW, 0, '2025-01-01');
    expect(await ordersLoad(ports.ledger, acme(), NOW)).toMatchObject({
      ...{ state: 'running', since: SINCE, percent: null },
    });
    await controlOrdersLoad(ports, acme(), 'pause', NOW);
    const unnamed = await ordersLoad(ports.ledger, acme(null), NOW);
    expect(unnamed).toMatchObject({ state: 'paused', since: '2025-01-01' });
    expect(await controlOrdersLoad(ports, acme(null), 'resume', LATER)).toMatchObject({ state: 'none' });
  });
});

describe('what a person reads of it', () => {
  const result = (more: Partial<LoadReport>): LoadReport => ({
    ...{ shape: 'load-orders/1', tenant: 'acme', asked: null, changed: false, state: 'running' },
    ...{ since: SINCE, searchedUntil: NOW, percent: 62, toRead: 7, pausedSince: null },
    ...more,
  });
  const paused = { state: 'paused', pausedSince: NOW } as const;
  it.each([
    [{}, 'is under way: searched to 2027-01-04T08:00:00.000Z (62 %), 7 orders still to be read.'],
    [{ searchedUntil: null }, 'is under way: not searched yet, 7 orders still to be read.'],
    [{ ...paused, asked: 'pause', changed: true }, `is paused by an operator since ${NOW}: searched`],
    [{ ...paused, asked: 'pause' }, `is paused already by an operator since ${NOW}: searched`],
    [{ asked: 'resume', changed: true }, 'goes on: searched'],
    [{ asked: 'resume' }, 'is not paused, and under way: searched'],
    [{ state: 'done', asked: 'resume' }, 'is done, and not paused.'],
    [{ state: 'done' }, 'is done.'],
  ] as const)('%o: %s', (more, words) => {
    expect(loadLines(result(more))[0]).toContain(`acme: the first load of orders since ${SINCE} ${words}`);
  });

  it('says how it goes on, and how it is paused', () => {
    expect(loadLines(result(paused))[1]).toContain('to let it go on: lockstep load-orders resume acme');
    expect(loadLines(result({}))[1]).toContain('lockstep load-orders pause acme');
    expect(loadLines(result({ state: 'none', since: null }))).toEqual([
      'acme: there is no first load of orders: the tenant file names no day (vendor.ordersSince).',
    ]);
  });
});

describe('a first load that is paused', () => {
  const tenant = {
    tenant: 'acme',
    vendor: { poll: { everyMs: 60_000, overlapMs: 0 }, ordersEveryMs: 300_000 },
    salesforce: { sweep: { everyMs: 600_000, overlapMs: 0 }, apiShare: 0.25 },
    mapping: mappingConfig(),
  };
  const read = (stream: string, readAt: string): StreamTimes => ({
    ...{ tenant: 'acme', stream, readAt, foundAt: null },
  });
  const reads = [read('loadOrders', '2026-12-01T00:00:00.000Z'), read('pullOrders', '2026-12-01T00:00:00.000Z')];
  const pause = read(LOAD_PAUSE, NOW);
  const metrics = (times: readonly StreamTimes[]) =>
    streamMetrics(
      {
        streamTimes: async () => times,
        cursorParts: async () => [],
        notedCodesOf: async () => new Map(),
        crmUse: async () => new Map(),
      },
      () => [tenant],
      () => LATER,
    )();

  it('is no stream that is late, and hides none that is', async () => {
    const late = (times: readonly StreamTimes[]) => overdueStreams(tenant, times, LATER).map(({ stream }) => stream);
    expect(late(reads)).toEqual(['pullOrders', 'loadOrders']);
    expect(late([...reads, pause])).toEqual(['pullOrders']);
    expect(await metrics(reads)).toContain('lockstep_stream_overdue{tenant="acme",stream="loadOrders"} 1');
    const text = await metrics([...reads, pause]);
    expect(text).toContain('lockstep_stream_overdue{tenant="acme",stream="pullOrders"} 1');
    expect(text).not.toContain('stream="loadOrders"');
  });

  it('is exported to Prometheus, as long as it is', async () => {
    expect(await metrics([...reads, pause])).toContain('lockstep_orders_load_paused_seconds{tenant="acme"} 3600');
    expect(await metrics(reads)).not.toContain('lockstep_orders_load_paused_seconds{');
  });

  it('is reported by the status, though no order was found yet', () => {
    const none = { shown: 0, toRead: 0, toLoad: 0, toWrite: 0 };
    expect(ordersProgress(none, { loaded: null, pausedSince: null }, NOW)).toBeNull();
    expect(ordersProgress(none, { loaded: null, pausedSince: NOW }, NOW)).toMatchObject({ pausedSince: NOW });
  });
});
