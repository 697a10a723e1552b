import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it, onTestFinished } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import type { CrmUse } from '../../src/domain/loop/crm-budget.ts';
import { createCrmBudget } from '../../src/worker/crm-budget.ts';
import { recordStatements } from '../support/ledger/explain.ts';
import { withLedger } from '../support/ledger/postgres.ts';

/** What is known of orgs' daily calls, shared by two processes that have one ledger. */
const { ledger, url } = await withLedger();
const HOUR_MS = 3_600_000;

function processes() {
  const clock = { now: '2026-03-01T12:30:00.000Z' };
  const make = () => createCrmBudget({ ledger, now: () => clock.now });
  return { clock, one: make(), other: make() };
}

const answer = (used: number, limit = 1_000) => ({ operation: 'query', limitInfo: { used, limit } });

function hear(budget: ReturnType<typeof createCrmBudget>, tenant: string, calls: number, used: number): void {
  for (let n = 0; n < calls; n += 1) budget.onAnswer(tenant, answer(used));
}

it('one process stops where the other has used the share up, and each knows its own calls at once', async () => {
  const { one, other } = processes();
  expect(await other.verdict('shared', 0.25, 'bulk')).toBe('goes');
  hear(one, 'shared', 150, 400);
  expect(await one.verdict('shared', 0.25, 'bulk')).toBe('waits');
  expect(await other.verdict('shared', 0.25, 'bulk')).toBe('goes');
  await one.exchange();
  await other.exchange();
  expect(await other.verdict('shared', 0.25, 'bulk')).toBe('waits');
  expect(await other.verdict('shared', 0.25, 'interactive')).toBe('goes');
  hear(other, 'shared', 100, 500);
  expect(await other.verdict('shared', 0.25, 'interactive')).toBe('waits');
});

it('a process that begins knows what was used before it', async () => {
  const { one, other } = processes();
  hear(one, 'begun', 250, 400);
  await one.exchange();
  expect(await other.verdict('begun', 0.25, 'interactive')).toBe('waits');
});

it('a call counts for a day, and the share comes back by itself', async () => {
  const { clock, one } = processes();
  hear(one, 'day', 250, 400);
  await one.exchange();
  expect(await one.verdict('day', 0.25, 'interactive')).toBe('waits');
  clock.now = new Date(Date.parse(clock.now) + 23 * HOUR_MS).toISOString();
  one.onAnswer('day', answer(300));
  await one.exchange();
  expect(await one.verdict('day', 0.25, 'interactive')).toBe('waits');
  clock.now = new Date(Date.parse(clock.now) + 2 * HOUR_MS).toISOString();
  await one.verdict('day', 0.25, 'interactive');
  await one.exchange();
  expect(await one.verdict('day', 0.25, 'interactive')).toBe('goes');
  await ledger.forgetCrmCalls(clock.now);
  expect((await ledger.crmUse(['day'], clock.now)).get('day')?.own).toBe(1);
});

it('a call counts until a day has passed', async () => {
  await ledger.noteCrmCalls([{ tenant: 'until', calls: 3, orgUse: null }], '2026-03-01T12:59:00.000Z');
  const own = async (at: string) => (await ledger.crmUse(['until'], at)).get('until')?.own;
  await ledger.forgetCrmCalls('2026-03-02T12:58:00.000Z');
  expect(await own('2026-03-02T12:58:00.000Z')).toBe(3);
  expect(await own('2026-03-02T13:00:00.000Z')).toBeUndefined();
});

it('what was reported last holds, whichever process reports it later', async () => {
  const orgUse = (used: number, at: string) => ({
    tenant: 'last',
    calls: 1,
    orgUse: { used, limit: 1_000, at },
  });
  await ledger.noteCrmCalls([orgUse(20, '2026-03-01T12:00:02.000Z')], '2026-03-01T12:00:05.000Z');
  await ledger.noteCrmCalls([orgUse(10, '2026-03-01T12:00:01.000Z')], '2026-03-01T12:00:06.000Z');
  await ledger.noteCrmCalls([{ tenant: 'last', calls: 3, orgUse: null }], '2026-03-01T12:00:07.000Z');
  const known = await ledger.crmUse(['last', 'unknown'], '2026-03-01T12:00:08.000Z');
  expect([...known]).toEqual([['last', { own: 5, orgUse: { used: 20, limit: 1_000 } } satisfies CrmUse]]);
});

it('telling the ledger costs two statements, however many tenants and calls; nothing where nobody called', async () => {
  const { one } = processes();
  for (let n = 0; n < 200; n += 1) hear(one, `many-${n}`, 20, 400);
  const statements = recordStatements(url);
  const cost = async () => {
    const before = statements().length;
    await one.exchange();
    return statements().length - before;
  };
  expect(await cost()).toBe(2);
  expect(await cost()).toBe(0);
});

it('what could not be reported is reported with the next', async () => {
  const { clock } = processes();
  let isOut = true;
  const failing = {
    ...ledger,
    noteCrmCalls: async (...args: Parameters<typeof ledger.noteCrmCalls>) => {
      if (isOut) throw new Error('out');
      return ledger.noteCrmCalls(...args);
    },
  };
  const budget = createCrmBudget({ ledger: failing, now: () => clock.now });
  hear(budget, 'kept', 7, 10);
  await expect(budget.exchange()).rejects.toThrow('out');
  hear(budget, 'kept', 2, 12);
  isOut = false;
  await budget.exchange();
  expect((await ledger.crmUse(['kept'], clock.now)).get('kept')).toEqual({
    own: 9,
    orgUse: { used: 12, limit: 1_000 },
  });
});

it('a sign-in is no call of the API’s', async () => {
  const { clock, one } = processes();
  one.onAnswer('signs-in', { operation: 'login', limitInfo: null });
  await one.exchange();
  expect((await ledger.crmUse(['signs-in'], clock.now)).get('signs-in')).toBeUndefined();
});

/** Activities of a tenant whose share is used up; the test records all their CRM calls. */
async function activitiesOf(own: number) {
  const { clock, one } = processes();
  const tenant = `gated-${own}`;
  const asked: string[] = [];
  hear(one, tenant, own, 400);
  const crm = new Proxy({}, { get: (_, call) => async () => void asked.push(String(call)) });
  const deps = {
    ledger,
    now: () => clock.now,
    crmBudget: one,
    runtime: () => ({
      crm,
      tenant: { tenant, salesforce: { apiShare: 0.25, sweep: { overlapMs: 900_000 } }, mapping: {} },
    }),
  } as unknown as ActivityDeps;
  const env = new MockActivityEnvironment();
  onTestFinished(() => env.cancel());
  const activities = createActivities(deps);
  const failureOf = async (run: () => Promise<unknown>): Promise<ApplicationFailure> => {
    const failed = await env.run(run).then(
      () => null,
      (error: unknown) => error,
    );
    expect(failed).toBeInstanceOf(ApplicationFailure);
    return failed as ApplicationFailure;
  };
  return { tenant, activities, asked, failureOf };
}

it.each([
  ['pullOrders', 150, 'readVendorOrders'],
  ['refreshCatalog', 150, 'readVendorCatalog'],
  ['sweepSalesforce', 240, 'sweepCrmOpportunities'],
  ['checkMirror', 240, 'searchMirrorEdits'],
  ['watchOrg', 240, 'describeOrg'],
  ['a backfill', 150, 'findOpportunities'],
  ['a record', 250, 'planSync'],
] as const)(
  '%s asks nothing of the org where %d calls of 250 are used, and says what it waits for',
  async (_, own, activity) => {
    const { tenant, activities, asked, failureOf } = await activitiesOf(own);
    const run = activities[activity] as (args: object) => Promise<unknown>;
    const failure = await failureOf(() => run({ tenant, key: 'K' }));
    expect(failure).toMatchObject({ type: 'THROTTLED', nonRetryable: false });
    expect(failure.details).toMatchObject([{ waitsFor: 'crm-budget' }]);
    expect(asked).toEqual([]);
  },
);

it('an audit is bulk work, and so is a record that a backfill brings in', async () => {
  const { tenant, activities, failureOf } = await activitiesOf(160);
  const position = { systemModstamp: '2026-03-01T00:00:00.000Z', id: '' };
  const run = { tenant, startedAt: '2026-03-01T12:00:00.000Z', room: 0 };
  const bulk = { tenant, key: 'K', work: { bulk: 0.5 } } as unknown as Parameters<typeof activities.planSync>[0];
  for (const work of [() => activities.auditCrmPage({ run, position }), () => activities.planSync(bulk)])
    expect((await failureOf(work)).details).toMatchObject([{ waitsFor: 'crm-budget' }]);
});
