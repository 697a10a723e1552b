import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { DEFAULT_RETENTION } from '../../src/domain/record/retention.ts';
import { FORGOTTEN_AT_ONCE } from '../../src/ledger/upkeep/retention.ts';
import { recordStatements, rowsReadBy } from '../support/ledger/explain.ts';
import { at, BASE, ISSUE, leaving, savePlan } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

/** What is past goes after the time that a tenant says; what a live record needs stays. */

const { ledger, query, url } = await withLedger();
const DAY = 86_400;
const KEEP = { journalDays: 90, plansMs: 30 * DAY * 1000, deliveriesMs: 25 * 3_600_000 };
const LINE = { kind: 'view', summary: {}, decisions: [] } as const;

async function aLink(tenant: string): Promise<string> {
  const [key] = await ledger.markDue(tenant, [{ crmId: 'C1' }], at(0));
  return String(key);
}

function lines(tenant: string): Promise<number> {
  return ledger.journal(tenant, 'C1', 99).then(({ length }) => length);
}

async function partitionsOf(): Promise<readonly string[]> {
  const rows = await query(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'journal'::regclass",
  );
  return rows.map(({ name }) => String(name));
}

it('looks once an hour, of all workers one', async () => {
  const looks = await Promise.all([0, 0].map((seconds) => ledger.keepRetention('once', KEEP, at(seconds))));
  expect(looks.filter((one) => one !== null)).toEqual([{ journal: 0, plans: 0, deliveries: 0 }]);
  expect(await ledger.keepRetention('once', KEEP, at(3_599))).toBeNull();
  expect(await ledger.keepRetention('once', KEEP, at(3_600))).not.toBeNull();
});

it('drops a month of the journal once all of it has ended, with the lines of every tenant in it, and counts them', async () => {
  for (const tenant of ['short', 'long']) {
    const keep = tenant === 'short' ? KEEP : DEFAULT_RETENTION;
    await ledger.keepRetention(tenant, keep, at(0));
    await aLink(tenant);
    await ledger.addToJournal(tenant, 'C1', { ...LINE, at: at(1) });
    await ledger.addToJournal(tenant, 'C1', { ...LINE, at: at(40 * DAY) });
  }
  // Lines of the first of May end ninety days later, on the thirtieth of July.
  expect(await partitionsOf()).toContain('journal_2026_07');
  await ledger.keepRetention('short', KEEP, at(91 * DAY));
  expect(await lines('short')).toBe(2);
  await ledger.keepRetention('short', KEEP, at(92 * DAY));
  expect(await partitionsOf()).not.toContain('journal_2026_07');
  expect([await lines('short'), await lines('long')]).toEqual([1, 2]);
  const { forgotten } = await ledger.figures();
  expect(forgotten).toContainEqual({ tenant: 'short', kind: 'journal', rows: 1 });
  expect(forgotten.filter(({ tenant }) => tenant === 'long')).toEqual([]);
});

it('lets lines go that were to stay longer, once the tenant says less, and no neighbour’s', async () => {
  for (const tenant of ['shortened', 'neighbour']) {
    await ledger.keepRetention(tenant, DEFAULT_RETENTION, at(0));
    await aLink(tenant);
    for (const day of [0, 5]) await ledger.addToJournal(tenant, 'C1', { ...LINE, at: at(day * DAY) });
  }
  const result = { ...DEFAULT_RETENTION, journalDays: 4 };
  expect(await ledger.keepRetention('shortened', result, at(6 * DAY))).toMatchObject({ journal: 1 });
  expect([await lines('shortened'), await lines('neighbour')]).toEqual([1, 2]);
});

it('keeps lines for which there is no month, and deletes those one by one when they end', async () => {
  await ledger.keepRetention('rest', { ...KEEP, journalDays: 3_000 }, at(0));
  await query(`update retention set journal_days = 5000 where tenant = 'rest'`);
  await aLink('rest');
  await ledger.addToJournal('rest', 'C1', { ...LINE, at: at(0) });
  expect(await query(`select tenant from journal_rest where tenant = 'rest'`)).toHaveLength(1);
  await ledger.keepRetention('rest', { ...KEEP, journalDays: 5_000 }, at(4_999 * DAY));
  expect(await lines('rest')).toBe(1);
  expect(await ledger.keepRetention('rest', { ...KEEP, journalDays: 5_000 }, at(5_001 * DAY))).toMatchObject({
    journal: 1,
  });
  expect(await lines('rest')).toBe(0);
});

it('keeps what a live record needs: base, issues, and the plan of a write whose answer is not known', async () => {
  const key = await aLink('live');
  const done = await savePlan(ledger, 'live', key);
  await ledger.settle('live', key, { at: at(2), planId: done, base: BASE, issues: [ISSUE], state: 'parked' });
  const unknown = await savePlan(ledger, 'live', key);
  expect(await ledger.markSent('live', unknown, leaving(3, 'update'))).toBe(true);
  const before = await ledger.findLink('live', key);
  expect(await ledger.keepRetention('live', KEEP, at(31 * DAY))).toEqual({
    ...{ journal: 0, plans: 1, deliveries: 0 },
  });
  expect(await ledger.findLink('live', key)).toEqual(before);
  expect(before).toMatchObject({ base: BASE, issues: [ISSUE], vendorInDoubt: 'update' });
  expect(await ledger.loadPlan('live', done)).toBeNull();
  expect(await ledger.loadPlan('live', unknown)).toMatchObject({ sentAt: at(3), outcome: null });
});

it('takes a bounded number at once, goes on with the next look, and reads no more than it deletes', async () => {
  const key = await aLink('large');
  await query(
    `insert into deliveries (tenant, id, source, keys, received_at, signalled_at)
     select 'large', 'D' || n, 'event', '{}', $1::timestamptz + n * interval '1 minute', $1 from generate_series(1, 25000) n`,
    [at(0)],
  );
  await query(
    `insert into plans (tenant, id, key, created_at, generation, next, plan)
     select 'large', 'P' || n, $2, $1::timestamptz + n * interval '1 minute', 1, 'nothing', '' from generate_series(1, 25000) n`,
    [at(0), key],
  );
  await query('analyze');
  const all = at(365 * DAY);
  const counts: unknown[] = [];
  for (let look = 0; look < 4; look += 1) counts.push(await ledger.keepRetention('large', KEEP, all));
  const most = FORGOTTEN_AT_ONCE;
  expect(counts).toEqual([
    { journal: 0, plans: most, deliveries: most },
    { journal: 0, plans: most, deliveries: most },
    { journal: 0, plans: 5_000, deliveries: 5_000 },
    null,
  ]);
});

it('finds by an index that there is nothing to do', async () => {
  const key = await aLink('busy');
  await query(
    `insert into deliveries (tenant, id, source, keys, received_at, signalled_at)
     select 'busy', 'D' || n, 'event', '{}', $1, $1 from generate_series(1, 20000) n`,
    [at(0)],
  );
  await query(
    `insert into plans (tenant, id, key, created_at, generation, next, plan)
     select 'busy', 'P' || n, $2, $1, 1, 'nothing', '' from generate_series(1, 20000) n`,
    [at(0), key],
  );
  await query(
    `insert into journal (tenant, key, id, at, kind, summary)
     select 'busy', $2, $3 || n, $1, 'state', '{}' from generate_series(1, 20000) n`,
    [at(0), key, randomUUID()],
  );
  await query('analyze');
  const sent = recordStatements(url);
  expect(await ledger.keepRetention('busy', { ...KEEP, journalDays: 60 }, at(60))).toEqual({
    ...{ journal: 0, plans: 0, deliveries: 0 },
  });
  expect((await rowsReadBy(url, sent())).filter(({ rows }) => rows > 200)).toEqual([]);
});

beforeAll(() => query('analyze'));
