import { describe, expect, it } from 'vitest';
import type { StreamStop } from '../../../src/domain/streams/stream-stop.ts';
import type { LinkRow } from '../../../src/ledger/links/link-ledger.ts';
import type { MirrorCounts } from '../../../src/ledger/mirror/mirror-ledger.ts';
import type { NotedCode, StreamRead } from '../../../src/ledger/streams/stream-ledger.ts';
import type { OrgWatch } from '../../../src/observe/mapping/org-watch.ts';
import { streamMetrics } from '../../../src/operator/metrics/stream-metrics.ts';
import { changesLines } from '../../../src/operator/status/followed-changes.ts';
import { needsAttention, readStatus, type StatusLedger } from '../../../src/operator/status/status.ts';
import { ofFleet, partsIn, sameOfEach, watched } from '../../support/ledger/of-fleet.ts';
import { mappingConfig } from '../../support/mapping/fixtures.ts';

const SINCE = '2026-03-01T12:00:00.000Z';
const NOW = '2026-03-01T13:00:00.000Z';
const tenant = (name: string) => ({
  tenant: name,
  vendor: { poll: { everyMs: 60_000, overlapMs: 0 }, ordersEveryMs: 300_000, ratePerSecond: 5 },
  salesforce: { sweep: { everyMs: 600_000, overlapMs: 0, idleMs: 600_000 }, apiShare: 0.25 },
  mapping: mappingConfig(),
});
const read = (stream: string, readAt: string, parkedRows = 0, refusedRows = {}): StreamRead => ({
  stream,
  readAt,
  parkedRows,
  refusedRows,
});
const STOP = { code: 'INVALID_FIELD', blames: ['Order__c.Foo__c'], since: SINCE, retryAt: NOW };
const PAUSE = { group: 'vendor-sales', reason: 'the key is refused', since: SINCE } as const;

/** What meets rows of each record, or of each stream. */
const MEETS_RECORDS = [
  'countByStateOf',
  'countByIssueOf',
  'countWaitingOf',
  'countMirroredOf',
  'listLinksOf',
  'streamReadsOf',
  'cursorParts',
];

function link(key: string, state: LinkRow['state']): LinkRow {
  const issues: LinkRow['issues'] = [];
  return { tenant: 'acme', key, crmId: key, vendorId: null, state, due: false, issues, updatedAt: SINCE };
}

function ledgerWith(
  links: readonly LinkRow[],
  pauses: readonly (typeof PAUSE)[] = [],
  reads: readonly StreamRead[] = [],
  stop: StreamStop | null = null,
  orders = { shown: 0, toRead: 0, toLoad: 0, toWrite: 0 },
  load: object | null = null,
  audit: unknown = null,
): StatusLedger {
  const kept = { 'stopped sweepSalesforce': stop, loadOrders: load, audit };
  const own = (tenant: string) => links.filter((one) => one.tenant === tenant);
  return {
    listLinksOf: async (tenants, { states, limit }) =>
      new Map(
        tenants.map((tenant) => [
          tenant,
          states.flatMap((state) =>
            own(tenant)
              .filter((one) => one.state === state)
              .slice(0, limit),
          ),
        ]),
      ),
    countByStateOf: async (tenants) =>
      new Map(
        tenants.map((tenant) => [
          tenant,
          Object.fromEntries(
            own(tenant).map(({ state }) => [state, own(tenant).filter((one) => one.state === state).length]),
          ),
        ]),
      ),
    pausesOf: sameOfEach(pauses),
    streamReadsOf: sameOfEach(reads),
    cursorParts: partsIn(kept),
    countWaitingOf: (tenants, before) =>
      sameOfEach([{ waitsFor: 'vendor-unavailable' as const, records: 2, since: before, longest: '006A' }])(tenants),
    countMirroredOf: sameOfEach(orders),
    notedCodesOf: async () => new Map(),
    refusedNoticesOf: async () => new Map(),
    undeliveredOf: async () => new Map(),
    crmUse: sameOfEach({ own: 160, orgUse: { used: 400, limit: 1_000 } }),
    countByIssueOf: sameOfEach([
      { code: 'vendor-refused' as const, records: 3 },
      { code: 'line-not-shared' as const, records: 9 },
    ]),
    unavailableTenants: async () => [],
    quotasOf: sameOfEach([
      {
        ...{ quota: 'vendor-sales' as const, limit: 4, remaining: 1 },
        ...{ bulkUsed: 0, until: '2026-03-01T13:00:30.000Z', seconds: 60 },
      },
    ]),
  };
}

/** What Prometheus reads of the tenant acme. */
const metricsOf = (ledger: StatusLedger) =>
  streamMetrics(
    ofFleet(ledger),
    () => [tenant('acme')],
    () => NOW,
  )();

describe('the status', () => {
  it('tells of a tenant that a process cannot serve, though no other does, and that needs somebody', async () => {
    const report = { tenant: 'bad', process: 'worker 1', reason: 'vendor.apiKey has no value', at: NOW };
    const asked: string[] = [];
    const ledger: StatusLedger = {
      ...ledgerWith([]),
      unavailableTenants: async (since) => {
        asked.push(since);
        return [report];
      },
    };
    const status = await readStatus(ledger, [tenant('acme')], NOW);
    expect([status.unavailable, needsAttention(status)]).toEqual([[report], true]);
    expect(asked).toEqual(['2026-03-01T12:58:00.000Z']);
    expect(needsAttention({ ...status, unavailable: [] })).toBe(false);
  });

  it('counts the records of each tenant, and lists those that wait for somebody', async () => {
    const links = [link('A', 'in-sync'), link('B', 'parked'), link('C', 'conflict'), link('D', 'pending')];
    const { tenants } = await readStatus(ledgerWith(links), [tenant('acme'), tenant('globex')], NOW);
    expect(tenants).toMatchObject([
      {
        tenant: 'acme',
        records: { 'in-sync': 1, parked: 1, conflict: 1, pending: 1 },
        attention: [
          { key: 'B', state: 'parked' },
          { key: 'C', state: 'conflict' },
        ],
      },
      { tenant: 'globex', records: {}, attention: [] },
    ]);
  });

  it('of a thousand tenants is asked in a few questions, few of them at a time, of a hundred tenants at most where they meet records', async () => {
    const { asked, ledger } = watched(ledgerWith([]));
    const names = Array.from({ length: 1_000 }, (_, n) => `tenant-${n}`);
    const { tenants } = await readStatus(ledger, names.map(tenant), NOW);
    expect(tenants.map((one) => one.tenant)).toEqual(names);
    expect(asked.most).toBeLessThanOrEqual(3);
    const ofRecords = asked.calls.filter(({ name }) => MEETS_RECORDS.includes(name));
    expect(Math.max(...ofRecords.map(({ args }) => (args[0] as readonly string[]).length))).toBe(100);
    // Seven of all, and eight of each hundred; asked tenant by tenant they would be 22,000.
    expect(asked.calls).toHaveLength(87);
  });

  it('tells what waits by itself for longer than moments, which needs nobody', async () => {
    const status = await readStatus(ledgerWith([]), [tenant('acme')], NOW);
    expect(status.tenants[0]?.waiting).toEqual([
      {
        ...{ waitsFor: 'vendor-unavailable', records: 2, longest: '006A' },
        since: new Date(Date.parse(NOW) - 5_000).toISOString(),
      },
    ]);
    expect(needsAttention(status)).toBe(false);
  });

  it('tells the lag of each stream that was begun', async () => {
    const reads = [read('pollVendor', '2026-03-01T12:59:00.000Z')];
    const { tenants } = await readStatus(ledgerWith([], [], reads), [tenant('acme')], NOW);
    expect(tenants[0]?.flow.lag).toEqual([{ stream: 'pollVendor', readAt: '2026-03-01T12:59:00.000Z', seconds: 60 }]);
  });

  it('tells what is not through yet and how long that takes, what waits by cause, and the quota', async () => {
    const { tenants } = await readStatus(ledgerWith([]), [tenant('acme')], NOW);
    expect(tenants[0]?.flow).toMatchObject({
      // Six requests: one is left now, and four after the reset.
      backlog: { records: 2, since: NOW, seconds: 90, boundBy: 'quota' },
      causes: [{ code: 'vendor-refused', records: 3 }],
      quotas: [{ quota: 'vendor-sales', remaining: 1 }],
    });
    const idle = { ...ledgerWith([]), countWaitingOf: async () => new Map() };
    expect((await readStatus(idle, [tenant('acme')], NOW)).tenants[0]?.flow.backlog).toBeNull();
  });

  it('tells which streams have not been read for three times their rhythm, ten minutes at least', async () => {
    const reads = [
      read('pollVendor', '2026-03-01T12:49:59.000Z'),
      read('sweepSalesforce:Opportunity', '2026-03-01T12:59:00.000Z'),
      read('sweepSalesforce:Contact', '2026-03-01T12:29:59.000Z'),
    ];
    const { tenants } = await readStatus(ledgerWith([], [], reads), [tenant('acme')], NOW);
    expect(tenants[0]?.overdue).toEqual([
      { stream: 'pollVendor', readAt: '2026-03-01T12:49:59.000Z' },
      { stream: 'sweepSalesforce', readAt: '2026-03-01T12:29:59.000Z' },
    ]);
    const later = [
      read('pollVendor', '2026-03-01T12:50:00.000Z'),
      read('sweepSalesforce:Contact', '2026-03-01T12:30:00.000Z'),
    ];
    const inTime = await readStatus(ledgerWith([], [], later), [tenant('acme')], NOW);
    expect(inTime.tenants[0]?.overdue).toEqual([]);
    // Where nothing is found it is read half-hourly: two times its rhythm more.
    const seldom = {
      ...tenant('acme'),
      salesforce: { sweep: { everyMs: 600_000, overlapMs: 0 }, apiShare: 0.25 },
    };
    const atLast = async (readAt: string) =>
      (await readStatus(ledgerWith([], [], [read('sweepSalesforce:Contact', readAt)]), [seldom], NOW)).tenants[0]
        ?.overdue.length;
    expect(await atLast('2026-03-01T12:10:00.000Z')).toBe(0);
    expect(await atLast('2026-03-01T12:09:59.000Z')).toBe(1);
  });

  it('tells what of the org’s daily calls is ours, and which work has no room in the share', async () => {
    const { tenants } = await readStatus(ledgerWith([]), [tenant('acme')], NOW);
    const purposes = { interactive: 'goes', sweep: 'goes', bulk: 'waits' };
    expect(tenants[0]?.crmCalls).toEqual({
      own: 160,
      allowed: 250,
      share: 0.25,
      used: 400,
      limit: 1_000,
      purposes,
    });
    const silent = { ...ledgerWith([]), crmUse: async () => new Map() };
    expect((await readStatus(silent, [tenant('acme')], NOW)).tenants[0]?.crmCalls).toBeNull();
    const text = await metricsOf(ledgerWith([]));
    expect(text).toContain('lockstep_crm_calls{tenant="acme"} 160');
    expect(text).toContain('lockstep_crm_calls_allowed{tenant="acme"} 250');
    expect(text).toContain('lockstep_crm_calls_held{tenant="acme",purpose="bulk"} 1');
    expect(text).toContain('lockstep_crm_calls_held{tenant="acme",purpose="sweep"} 0');
  });

  it('tells Prometheus of them too, and nothing where the ledger is out', async () => {
    const reads = [
      read('pollVendor', '2026-03-01T12:30:00.000Z'),
      read('sweepSalesforce:Account', '2026-03-01T12:59:00.000Z'),
    ];
    const text = await metricsOf(ledgerWith([], [], reads));
    expect(text).toContain('lockstep_stream_overdue{tenant="acme",stream="pollVendor"} 1');
    expect(text).toContain('lockstep_stream_age_seconds{tenant="acme",stream="pollVendor"} 1800');
    expect(text).toContain('lockstep_stream_overdue{tenant="acme",stream="sweepSalesforce"} 0');
    const streamReadsOf = async (): Promise<never> => Promise.reject(new Error('out'));
    expect(await metricsOf({ ...ledgerWith([]), streamReadsOf })).toBe('');
  });

  it('asks for all that Prometheus is given at once, so that a busy worker is late but once', async () => {
    const { asked, ledger } = watched(ofFleet(ledgerWith([])));
    await streamMetrics(
      ledger,
      () => [tenant('acme')],
      () => NOW,
    )();
    expect(asked.most).toBe(4);
  });

  it('tells how change events are followed, and which gaps there were', async () => {
    const stored = {
      ...{ replayId: 'AAAA', holder: 'worker', at: '2026-03-01T12:58:00.000Z', gaps: { begun: 1, silent: 2 } },
      gap: { cause: 'silent', at: SINCE },
      failed: { code: 'SILENT', since: SINCE },
    };
    const ledger = { ...ledgerWith([]), cursorParts: partsIn({ changes: stored }) };
    const { tenants } = await readStatus(ledger, [tenant('acme')], NOW);
    const { changes = null } = tenants[0] ?? {};
    expect(changes).toEqual({
      ...{ answeredAt: stored.at, failed: stored.failed, gap: stored.gap, gaps: stored.gaps },
    });
    expect(changesLines(changes)).toEqual([
      expect.stringMatching(/not followed since .* \(SILENT\); .*not even keep-alives/),
    ]);
    const text = await metricsOf(ledger);
    expect(text).toContain('lockstep_change_events_followed{tenant="acme"} 0');
    expect(text).toContain('lockstep_change_events_age_seconds{tenant="acme"} 120');
    expect(text).toContain('lockstep_change_event_gaps{tenant="acme",cause="silent"} 2');
    expect((await readStatus(ledgerWith([]), [tenant('acme')], NOW)).tenants[0]?.changes).toBeNull();
  });

  it('tells what of the org does not go with the mapping, and what of it changed', async () => {
    const problem = { what: 'T__c is not there', repair: 'make it' };
    const watch = (verdict: 'fails' | 'warns'): OrgWatch => ({
      snapshot: { fields: {}, required: [], recordTypes: [] },
      changes: [{ at: SINCE, what: 'T__c vanished' }],
      problems: [{ ...problem, verdict }],
    });
    const seen = (verdict: 'fails' | 'warns') => ({
      ...ledgerWith([]),
      cursorParts: partsIn({ watchOrg: watch(verdict) }),
    });
    const status = await readStatus(seen('fails'), [tenant('acme')], NOW);
    expect(status.tenants[0]?.org).toEqual({
      changes: [{ at: SINCE, what: 'T__c vanished' }],
      problems: [{ ...problem, verdict: 'fails' }],
    });
    expect(needsAttention(status)).toBe(true);
    expect(needsAttention(await readStatus(seen('warns'), [tenant('acme')], NOW))).toBe(false);
    const text = await metricsOf(seen('fails'));
    expect(text).toContain('lockstep_org_problems{tenant="acme",verdict="fails"} 1');
    expect(text).toContain('lockstep_org_problems{tenant="acme",verdict="warns"} 0');
    expect(text).toContain('lockstep_org_changes{tenant="acme"} 1');
  });

  it('tells which codes of the vendor no table knows yet, and what of its catalog changed', async () => {
    const noted = (code: string): NotedCode => ({
      ...{ field: 'status', code, readings: 3, since: SINCE, at: NOW },
    });
    const change = { at: SINCE, what: 'the portfolio item IPE2 vanished' };
    const seen: StatusLedger = {
      ...ledgerWith([]),
      notedCodesOf: sameOfEach([noted('ON_HOLD'), noted('WON')]),
      cursorParts: partsIn({ 'seen refreshPortfolio': { changes: [change], currencies: null } }),
    };
    const status = await readStatus(seen, [tenant('acme')], NOW);
    expect(status.tenants[0]?.vendor).toEqual({
      changes: [change],
      codes: [{ ...noted('ON_HOLD'), repair: expect.stringContaining('VALIDATED, ESTABLISHED or LOST') }],
    });
    expect(needsAttention(status)).toBe(false);
    const text = await metricsOf(seen);
    expect(text).toContain('lockstep_vendor_unknown_codes{tenant="acme"} 1');
    expect(text).toContain('lockstep_vendor_changes{tenant="acme"} 1');
  });

  it.each([
    ['all records are in sync', ledgerWith([link('A', 'in-sync')]), false],
    ['a record is missing at the vendor', ledgerWith([link('A', 'vendor-missing')]), true],
    ['rows name no record', ledgerWith([], [], [read('pollVendor', NOW, 1)]), true],
    ['rows are refused', ledgerWith([], [], [read('pollVendor', NOW, 0, { STRING_TOO_LONG: 1 })]), true],
    ['a stream is overdue', ledgerWith([], [], [read('pollVendor', SINCE)]), true],
    ['a stream is stopped', ledgerWith([], [], [], STOP), true],
    ['a tenant is paused', ledgerWith([link('A', 'in-sync')], [PAUSE]), true],
  ])('when %s, needs somebody: %3$s', async (_, ledger, expected) => {
    expect(needsAttention(await readStatus(ledger, [tenant('acme')], NOW))).toBe(expected);
  });
});

describe('the orders of a tenant', () => {
  const result = async (orders: MirrorCounts, load: object | null) => {
    const { tenants } = await readStatus(ledgerWith([], [], [], null, orders, load), [tenant('acme')], NOW);
    return tenants[0]?.orders;
  };
  const NONE = { shown: 0, toRead: 0, toLoad: 0, toWrite: 0 };

  it('are counted on their way, and the first load by how far it has searched', async () => {
    const some = { shown: 5, toRead: 2, toLoad: 1, toWrite: 3 };
    expect(await result(some, null)).toEqual({ ...some, load: null, pausedSince: null });
    const at = { until: '2025-03-01T00:00:00.000Z' };
    expect(await result(some, { since: '2024-03-01', at })).toEqual({
      ...some,
      load: { since: '2024-03-01', searchedUntil: at.until, percent: 49 },
      pausedSince: null,
    });
    expect((await result(NONE, { since: '2024-03-01', at }))?.load?.percent).toBe(49);
    const done = { since: '2024-03-01', at: { until: SINCE } };
    expect((await result(some, done))?.load?.percent).toBe(100);
  });
});

describe('the drift', () => {
  const kept = { last: { startedAt: SINCE, differing: 4, repaired: 3 }, proven: null };
  const drifting = ledgerWith([], [], [], null, undefined, null, kept);

  it('is one number a tenant, by the last audit', async () => {
    const { tenants } = await readStatus(drifting, [tenant('acme')], NOW);
    expect(tenants[0]?.drift).toEqual({ records: 4, repaired: 3, at: SINCE });
    expect((await readStatus(ledgerWith([]), [tenant('acme')], NOW)).tenants[0]?.drift).toBeNull();
  });

  it('is a metric, where an audit has ended', async () => {
    expect(await metricsOf(drifting)).toContain('lockstep_drift_records{tenant="acme"} 4');
    const none = await metricsOf(ledgerWith([]));
    expect(none).not.toContain('lockstep_drift_records{');
  });
});
