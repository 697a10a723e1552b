import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { createMatchVendorRecord, createMatchVendorRecords } from '../../activities/backfill/match-vendor-records.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { PartnerApiError } from '../../src/partner-api/index.ts';

const REQUEST = { operation: 'readLeadOpportunity', domain: 'sales', method: 'GET', template: '/' } as const;
const ANSWERED_500 = { ...REQUEST, kind: 'server', sent: 'unknown', status: 500 } as const;
const NO_LIMIT = { limit: null, remaining: null, resetSeconds: null };

/** The vendor records of a backfill, of which some are linked already, and the others must be read at the vendor. */
function backfillOf(ids: readonly string[], vendor: { readonly bad: readonly string[]; readonly isOut?: boolean }) {
  const left = [...ids];
  const skipped: string[] = [];
  const asked: string[] = [];
  const fail = () => Promise.reject(new PartnerApiError(ANSWERED_500));
  const answer = () => (vendor.isOut ? fail() : Promise.resolve({ data: [], rateLimit: NO_LIMIT }));
  const deps = {
    now: () => '2026-03-01T12:00:00.000Z',
    ledger: {
      pauses: async () => [],
      quotas: async () => [],
      reserveRequest: async () => ({ allowed: true }),
      cursor: async () => ({ order: { share: 0.5 } }),
      toMatch: async (_: string, limit: number) => left.slice(0, limit),
      findLinkByIds: async (_: string, { vendorId }: { readonly vendorId: string }) =>
        vendor.bad.includes(vendorId) || vendor.isOut ? null : { crmId: `crm of ${vendorId}` },
      matchLater: async (_: string, later: readonly string[]) => {
        for (const id of later) left.push(...left.splice(left.indexOf(id), 1));
      },
      noteMatched: async (_: string, id: string, { crmIds }: { readonly crmIds: readonly string[] }) => {
        left.splice(left.indexOf(id), 1);
        if (crmIds.length === 0) skipped.push(id);
      },
    },
    runtime: () => ({
      tenant: { tenant: 'acme', vendor: { ratePerSecond: 5 }, mapping: {}, matching: { keys: [] } },
      vendor: {
        readLeadOpportunity: ({ id }: { readonly id: string }) => {
          asked.push(id);
          return vendor.bad.includes(id) ? fail() : answer();
        },
        searchLeadOpportunities: answer,
        updateLeadOpportunity: answer,
      },
    }),
  } as unknown as ActivityDeps;
  return { deps, left, skipped, asked };
}

/** Runs an activity as Temporal does: again after each failure, at most `attempts` times. Returns the number of attempts. */
async function tried(activity: (args: never) => Promise<void>, args: object, attempts: number): Promise<number> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const run = new MockActivityEnvironment({ attempt }).run(activity as never, args as never);
    if (
      await run.then(
        () => true,
        () => false,
      )
    )
      return attempt;
  }
  return attempts + 1;
}

const IDS = Array.from({ length: 200 }, (_, n) => `V${n}`);

it('matches all others first if the vendor always fails for one record', async () => {
  const { deps, left, skipped } = backfillOf(IDS, { bad: ['V0'] });
  const matchVendorRecords = createMatchVendorRecords(deps);
  expect(await tried(matchVendorRecords, { tenant: 'acme' }, 1)).toBe(1);
  expect(await tried(matchVendorRecords, { tenant: 'acme' }, 1)).toBe(1);
  expect([left, skipped]).toEqual([['V0'], []]);
});

it('goes on without a record that the vendor does not answer in many attempts', async () => {
  const { deps, left, skipped } = backfillOf(['V0'], { bad: ['V0'] });
  expect(await tried(createMatchVendorRecords(deps), { tenant: 'acme' }, 40)).toBe(20);
  expect([left, skipped]).toEqual([[], ['V0']]);
});

it('leaves no record out while the vendor answers nothing, and asks about few', async () => {
  const { deps, left, skipped, asked } = backfillOf(IDS, { bad: [], isOut: true });
  expect(await tried(createMatchVendorRecords(deps), { tenant: 'acme' }, 30)).toBe(31);
  expect([left.length, skipped]).toEqual([200, []]);
  expect(asked.length).toBeLessThan(30 * 25);
});

it.each([
  ['the record alone', { bad: ['V0'] }, 20, ['V0']],
  ['all requests', { bad: [], isOut: true }, 31, []],
])('alone: goes on without the record if the vendor does not answer %s', async (_, vendor, attempts, out) => {
  const { deps, skipped } = backfillOf(['V0'], vendor);
  expect(await tried(createMatchVendorRecord(deps), { tenant: 'acme', vendorId: 'V0' }, 30)).toBe(attempts);
  expect(skipped).toEqual(out);
});
