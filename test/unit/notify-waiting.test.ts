import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { createNotifyWaiting } from '../../activities/outage/notify-waiting.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { withRowUnknown } from '../../src/domain/decide/reported.ts';
import type { NotedReport, WaitingLink } from '../../src/ledger/queue/waiting-ledger.ts';
import type { Crm } from '../../src/salesforce/crm.ts';
import { sees } from '../support/ledger/ledger-samples.ts';

const waiting = (crmId: string, more: Partial<WaitingLink> = {}): WaitingLink => ({
  ...{ key: crmId, crmId, reported: null, waitingFor: null, since: '2026-01-31T10:00:00.000Z' },
  ...more,
});

const NONE_LOST = { unconfirmedReports: async () => [] };

const isMaybeReported = (reports: readonly NotedReport[]): boolean =>
  reports.every(({ reported }) => reported.row.is === 'unknown');

/** The reports that the CRM gets, and whether each may wait to share a request. */
async function issuesOf(links: readonly WaitingLink[]): Promise<Readonly<Record<string, boolean>>> {
  const told: Record<string, boolean> = {};
  const report: Crm['report'] = async ({ opportunityId }, call) => {
    told[opportunityId] = call?.mayWait === true;
  };
  const ledger = {
    pauses: async () => [],
    unreportedWaiting: async () => links,
    noteReported: async () => [],
    ...NONE_LOST,
  };
  const deps = { ledger, runtime: () => ({ crm: { report } }), now: () => '2026-01-31T10:01:00.000Z' };
  const tell = createNotifyWaiting(deps as unknown as ActivityDeps);
  const env = new MockActivityEnvironment();
  expect(await env.run(tell, { tenant: 'acme' })).toEqual({ notified: links.length, more: false });
  return told;
}

it('tells of a burst along with its own requests, and of a lone record at once', async () => {
  expect(await issuesOf([waiting('006A'), waiting('006B', { inBurst: true })])).toEqual({
    '006A': false,
    '006B': true,
  });
});

it('has records that ceased to wait meanwhile looked at in the CRM alone: a call to the vendor would tell nothing', async () => {
  const woken: unknown[] = [];
  const ledger = {
    pauses: async () => [],
    ...NONE_LOST,
    unreportedWaiting: async () => [waiting('006A')],
    noteReported: async (_: string, reports: readonly NotedReport[]) => (isMaybeReported(reports) ? [] : ['006A']),
  };
  const deps = {
    ledger,
    runtime: () => ({ crm: { report: async () => undefined } }),
    wake: async (_: string, keys: readonly string[], cause: string) => void woken.push([keys, cause]),
    now: () => '2026-01-31T10:01:00.000Z',
  };
  const env = new MockActivityEnvironment();
  await env.run(createNotifyWaiting(deps as unknown as ActivityDeps), { tenant: 'acme' });
  expect(woken).toEqual([[['006A'], 'crm']]);
});

it('notes what was reported as soon as it was, while others wait to be reported', async () => {
  const noted: string[] = [];
  const last = Promise.withResolvers<void>();
  const report: Crm['report'] = async ({ opportunityId }) => (opportunityId === '006B' ? last.promise : undefined);
  const ledger = {
    pauses: async () => [],
    ...NONE_LOST,
    unreportedWaiting: async () => [waiting('006A'), waiting('006B'), waiting('006C')],
    noteReported: async (_: string, reports: readonly NotedReport[]) => {
      if (!isMaybeReported(reports)) noted.push(...reports.map(({ key }) => key));
      return [];
    },
  };
  const deps = { ledger, runtime: () => ({ crm: { report } }), now: () => '2026-01-31T10:01:00.000Z' };
  const running = new MockActivityEnvironment().run(createNotifyWaiting(deps as unknown as ActivityDeps), {
    tenant: 'acme',
  });
  await expect.poll(() => noted).toEqual(['006A', '006C']);
  last.resolve();
  expect(await running).toEqual({ notified: 3, more: false });
  expect(noted).toEqual(['006A', '006C', '006B']);
});

it('notes before it reports that users may have been notified, and neither reports nor wakes what waits no more', async () => {
  const steps: string[] = [];
  const ledger = {
    pauses: async () => [],
    ...NONE_LOST,
    unreportedWaiting: async () => [
      waiting('006A', { reported: sees('a') }),
      waiting('006B'),
      waiting('006C', { reported: withRowUnknown(sees('c')) }),
    ],
    noteReported: async (_: string, reports: readonly NotedReport[]) => {
      steps.push(...reports.map(({ key, reported }) => `${key} ${reported.owned.is} ${reported.row.is}`));
      return isMaybeReported(reports) ? ['006B'] : [];
    },
  };
  const report: Crm['report'] = async ({ opportunityId }) => void steps.push(`told ${opportunityId}`);
  const deps = { ledger, runtime: () => ({ crm: { report } }), now: () => '2026-01-31T10:01:00.000Z' };
  const tell = createNotifyWaiting(deps as unknown as ActivityDeps);
  await new MockActivityEnvironment().run(tell, { tenant: 'acme' });
  expect(steps.slice(0, 5)).toEqual([
    '006A shown unknown',
    '006B unknown unknown',
    '006C shown unknown',
    'told 006A',
    'told 006C',
  ]);
  expect(steps.slice(5).sort()).toEqual(['006A shown waiting', '006C shown waiting']);
});
