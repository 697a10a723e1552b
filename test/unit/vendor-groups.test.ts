import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from 'vitest';
import { createProbeGroup, createReportOutage, createResumeGroup } from '../../activities/outage/group-outage.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { toFailure } from '../../activities/support/to-failure.ts';
import { vendorRequest } from '../../activities/support/vendor-request.ts';
import type { OperationGroup, VendorGroup } from '../../src/domain/loop/operation-groups.ts';
import { PartnerApiError, type PartnerApiErrorKind, type RateLimit } from '../../src/partner-api/index.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const SAID: RateLimit = { limit: 100, remaining: 7, resetSeconds: 30 };
const NOT_SAID: RateLimit = { limit: null, remaining: null, resetSeconds: null };

function refusal(domain: 'sales' | 'order', kind: PartnerApiErrorKind): PartnerApiError {
  return new PartnerApiError({ kind, domain, sent: 'no', operation: 'x', method: 'GET', template: '/x' });
}

/** A tenant whose remote systems answer, or fail with this error. */
function tenantOf(failure: Error | null = null, pauses: readonly { readonly group: OperationGroup }[] = []) {
  const calls: unknown[][] = [];
  const note =
    (name: string, answer?: unknown) =>
    async (...args: readonly unknown[]) => {
      calls.push([name, ...args.slice(0, 3).filter((arg) => typeof arg === 'string' && arg !== NOW)]);
      return answer;
    };
  const remote = (name: string) => async () => {
    calls.push([name]);
    if (failure !== null) throw failure;
    return { rateLimit: SAID };
  };
  const quotas: unknown[] = [];
  const deps = {
    now: () => NOW,
    startGuard: note('startGuard'),
    publishStatus: note('publishStatus'),
    ledger: {
      pauses: async () => pauses,
      pausesAndCursors: async () => ({ pauses, positions: [] }),
      pause: note('pause', true),
      resume: note('resume'),
      cursor: async () => null,
      cursors: async () => [null],
      saveCursor: async () => {},
      reserveRequest: note('reserveRequest', { allowed: true }),
      reportQuota: async (_tenant: string, quota: string, seen: object) => {
        quotas.push({ quota, ...seen });
      },
    },
    runtime: () => ({
      tenant: { tenant: 'acme' },
      vendor: {
        searchLeadOpportunities: remote('search'),
        readLeadOpportunity: remote('read'),
        updateLeadOpportunity: remote('update'),
        searchOrders: remote('orders'),
      },
      crm: { probe: remote('sign-in') },
    }),
  } as unknown as ActivityDeps;
  return { deps, calls, quotas };
}

const run = <T>(work: () => Promise<T>): Promise<T> => new MockActivityEnvironment().run(work);

describe.each<[VendorGroup, 'sales' | 'order']>([
  ['vendor-sales', 'sales'],
  ['vendor-order', 'order'],
])('a request of %s', (group, domain) => {
  it('is counted against the quota of its group, and tells it what is left', async () => {
    const { deps, calls, quotas } = tenantOf();
    await run(() => vendorRequest(deps, 'acme', group, async () => ({ rateLimit: SAID })));
    expect(calls).toEqual([['reserveRequest', 'acme', group]]);
    expect(quotas).toEqual([{ quota: group, ...SAID, at: NOW }]);
  });

  it('that is throttled without a word of when to come back lets the others of its group wait', async () => {
    const { deps, quotas } = tenantOf();
    const fails = async (): Promise<never> => {
      throw refusal(domain, 'throttled');
    };
    const result = await run(() => vendorRequest(deps, 'acme', group, fails).catch((error: unknown) => error));
    expect(result).toMatchObject({ kind: 'throttled' });
    expect(quotas).toEqual([{ quota: group, limit: null, remaining: 0, resetSeconds: 10, at: NOW }]);
  });

  it('that answers without any numbers tells nothing', async () => {
    const { deps, quotas } = tenantOf();
    await run(() => vendorRequest(deps, 'acme', group, async () => ({ rateLimit: NOT_SAID })));
    expect(quotas).toEqual([]);
  });

  it.each(['authentication', 'scope'] as const)('whose key is refused (%s) puts its group out', (kind) => {
    expect(toFailure(refusal(domain, kind))).toMatchObject({ type: 'SYSTEMIC', details: [{ group }] });
  });
});

describe('a group that is out', () => {
  const asked = (group: string, ...names: readonly string[]): readonly unknown[][] =>
    names.flatMap((name) => [['reserveRequest', 'acme', group], [name]]);

  it.each<[OperationGroup, readonly unknown[][], number]>([
    ['vendor-sales', asked('vendor-sales', 'search', 'read', 'update'), 2],
    ['vendor-order', asked('vendor-order', 'orders'), 2],
    ['salesforce', [['sign-in']], 1],
  ])('%s is probed by what it needs, paused and let go on', async (group, probes, ofFirst) => {
    const out = tenantOf(new Error('out'), [{ group }]);
    const args = { tenant: 'acme', group };
    expect(await run(() => createProbeGroup(out.deps)(args))).toEqual({ recovered: false });
    expect(out.calls).toEqual(probes.slice(0, ofFirst));
    const back = tenantOf(null, [{ group }]);
    expect(await run(() => createProbeGroup(back.deps)(args))).toEqual({ recovered: true });
    await run(() => createReportOutage(back.deps)(args));
    expect(await run(() => createResumeGroup(back.deps)(args))).toEqual({ at: NOW });
    expect(back.calls.slice(probes.length)).toEqual([
      ['pause', 'acme', group, 'refused our sign-in or key'],
      ['startGuard', 'acme', group],
      ['resume', 'acme', group],
    ]);
  });

  it.each<[PartnerApiErrorKind, boolean]>([
    ['out-of-scope', true],
    ['invalid', true],
    ['not-found', true],
    ['server', true],
    ['authentication', false],
    ['scope', false],
    ['throttled', false],
    ['unavailable', false],
    ['timeout', false],
    ['network', false],
    ['aborted', false],
  ])('that answers %s to a write about no record has taken the key: %s', async (kind, recovered) => {
    const group = 'vendor-sales';
    const { deps } = tenantOf(null, [{ group }]);
    const known = deps.runtime('acme');
    const updateLeadOpportunity = () => Promise.reject(refusal('sales', kind));
    const vendor = { ...known.vendor, updateLeadOpportunity };
    const refusing = { ...deps, runtime: () => ({ ...known, vendor }) };
    expect(await run(() => createProbeGroup(refusing)({ tenant: 'acme', group }))).toEqual({ recovered });
  });

  it.each<OperationGroup>(['vendor-sales', 'vendor-order', 'salesforce'])(
    '%s goes on as soon as a person has lifted its pause, whatever its probe would say',
    async (group) => {
      const { deps, calls } = tenantOf(new Error('out'), []);
      const args = { tenant: 'acme', group };
      expect(await run(() => createProbeGroup(deps)(args))).toEqual({ recovered: true });
      expect(calls).toEqual([]);
    },
  );

  it('is let go on by a person where it has no probe, and is not paused again', async () => {
    const args = { tenant: 'acme', group: 'whole-tenant' as const };
    const still = tenantOf(null, [{ group: 'whole-tenant' }]);
    expect(await createProbeGroup(still.deps)(args)).toEqual({ recovered: false });
    await run(() => createReportOutage(still.deps)(args));
    expect(still.calls).toEqual([['startGuard', 'acme', 'whole-tenant']]);
    const lifted = tenantOf(null, [{ group: 'salesforce' }]);
    expect(await createProbeGroup(lifted.deps)(args)).toEqual({ recovered: true });
    await run(() => createReportOutage(lifted.deps)(args));
    await run(() => createResumeGroup(lifted.deps)(args));
    expect(lifted.calls).toEqual([]);
  });
});
