import { ServiceError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { toFailure } from '../../activities/support/to-failure.ts';
import { LedgerError } from '../../src/ledger/ledger-error.ts';
import { PartnerApiError } from '../../src/partner-api/index.ts';

const RECORD = { tenant: 'acme', key: '006000000000001AAA' };

/** Activities over a ledger that answers nothing but this error. */
function activitiesOver(error: Error) {
  const ledger = new Proxy({}, { get: () => async () => Promise.reject(error) });
  return createActivities({ ledger, now: () => '2026-03-01T00:00:00.000Z' } as unknown as ActivityDeps);
}

/** The first thing that each of these asks is the ledger. */
const BY_RECORD = ['planSync', 'readVendor', 'searchVendor', 'reportToCrm'] as const;
const BY_PLAN = ['createAtVendor', 'updateAtVendor', 'writeCrm', 'createInCrm'] as const;

describe('what leaves an activity', () => {
  it.each([...BY_RECORD, ...BY_PLAN])('%s: a ledger that is out is transient', async (name) => {
    const activities = activitiesOver(new LedgerError('ECONNREFUSED', 'out', true)) as unknown as Readonly<
      Record<string, (args: object) => Promise<unknown>>
    >;
    const result = await activities[name]?.({ ...RECORD, planId: '1' }).catch((error: unknown) => error);
    expect(result).toBeInstanceOf(ApplicationFailure);
    expect(result).toMatchObject({ type: 'TRANSIENT', nonRetryable: false });
  });

  it('a Temporal that does not take a wake-up is transient', async () => {
    const result = await activitiesOver(new ServiceError('Failed to signalWithStart'))
      .planSync({ ...RECORD, vendor: 'unread' })
      .catch((error: unknown) => error);
    expect(result).toMatchObject({ type: 'TRANSIENT' });
  });

  it('an answer of the vendor that is no JSON passes by itself, one that breaks its contract does not', () => {
    const search = {
      domain: 'sales',
      method: 'POST',
      operation: 'searchLeadOpportunities',
      template: '/leads-opportunities/search',
    } as const;
    const result = (code: string) =>
      toFailure(new PartnerApiError({ ...search, kind: 'protocol', sent: 'unknown', status: 200, code }));
    expect(result('BODY_NOT_JSON')).toMatchObject({ type: 'TRANSIENT', nonRetryable: false });
    expect(result('CONTRACT')).toMatchObject({ type: 'CONTRACT', nonRetryable: true });
  });

  it('a bug stays what it is', async () => {
    const bug = new TypeError('bug');
    await expect(activitiesOver(bug).planSync({ ...RECORD, vendor: 'unread' })).rejects.toMatchObject({
      name: 'TypeError',
      message: 'bug',
      stack: bug.stack,
    });
  });

  it('a result that Temporal does not take fails once, in a sentence with its size', async () => {
    const pair = { key: '006000000000001AAA', crmId: '006000000000001AAA', vendorId: 'LO-00000001' };
    const ledger = { unauditedPairs: async () => Array.from({ length: 30_000 }, () => pair) };
    const activities = createActivities({ ledger } as unknown as ActivityDeps);
    const run = { tenant: 'acme', startedAt: '2026-03-01T00:00:00.000Z', room: 0 };
    const failed = await activities.listUnproven({ run, after: '' }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ type: 'BUG', nonRetryable: true });
    expect(String(failed)).toMatch(/listUnproven returned 2\d{6} bytes and Temporal takes at most 1500000/);
  });
});
