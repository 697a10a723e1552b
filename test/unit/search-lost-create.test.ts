import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { createSearchVendor } from '../../activities/opportunity/search-vendor.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { crmGraph, mappingConfig } from '../support/mapping/fixtures.ts';

const START_MS = Date.parse('2026-03-01T12:00:00.000Z');

it('a record that no search shows is looked for soon at first, seldom later, and ten minutes at most', async () => {
  const clock = { ms: START_MS };
  const searchedMs: number[] = [];
  const ended = new Error('the time is over');
  const link = {
    tenant: 'acme',
    key: '006',
    crmId: '006',
    vendorId: null,
    adoptingSince: new Date(START_MS).toISOString(),
    base: null,
    vendorObservation: null,
    state: 'pending',
    generation: 1,
    issues: [],
    failingSince: null,
    retryAt: null,
  };
  const deps = {
    now: () => new Date(clock.ms).toISOString(),
    ledger: {
      findLink: async () => link,
      reserveRequest: async () => ({ allowed: true }),
      reportQuota: async () => {},
      settle: async () => {
        throw ended;
      },
    },
    runtime: () => ({
      tenant: { mapping: mappingConfig(), importFromVendor: true },
      crm: { readGraph: async () => crmGraph() },
      vendor: {
        searchLeadOpportunities: async () => {
          searchedMs.push(clock.ms - START_MS);
          return { data: [], rateLimit: { limit: null, remaining: null, resetSeconds: null } };
        },
      },
    }),
  } as unknown as ActivityDeps;
  const args = { tenant: 'acme', key: '006', reportedMissing: false };
  const search = () => createSearchVendor(deps)(args);
  for (let isOver = false; !isOver; ) {
    const result: unknown = await new MockActivityEnvironment().run(search).catch((error: unknown) => error);
    isOver = result === ended;
    if (!isOver) {
      expect(result).toMatchObject({ type: 'NOT_FOUND_YET', nonRetryable: false });
      clock.ms += (result as { nextRetryDelay: number }).nextRetryDelay;
    }
  }
  expect(searchedMs.slice(0, 6)).toEqual([0, 5_000, 10_000, 20_000, 40_000, 80_000]);
  expect(searchedMs.at(-1)).toBeGreaterThanOrEqual(600_000);
  expect(searchedMs.at(-1)).toBeLessThanOrEqual(660_000);
  expect(searchedMs.length).toBeLessThan(20);
});
