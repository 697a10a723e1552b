import { describe, expect, it } from 'vitest';
import type { CrmLimits, FieldLimit } from '../../../src/domain/record/crm-limits.ts';
import { type DoctorPorts, offlineChecks, onlineChecks } from '../../../src/operator/doctor/checks.ts';
import { type Check, examine } from '../../../src/operator/doctor/finding.ts';
import {
  judgeLedgerSize,
  judgeNode,
  judgeTemporal,
  type TemporalFacts,
} from '../../../src/operator/doctor/judge-installation.ts';
import { judgeAllowance, judgeClock, judgeFields } from '../../../src/operator/doctor/judge-remotes.ts';
import { PartnerApiError } from '../../../src/partner-api/index.ts';
import type { Tenant } from '../../../src/platform/tenant.ts';

const NOW = '2026-03-01T12:00:00.000Z';

it.each([
  ['24.1.0', 'ok'],
  ['25.0.0', 'ok'],
  ['22.18.0', 'fails'],
])('Node %s %s', (version, verdict) => expect(judgeNode(version)).toMatchObject([{ verdict }]));

const TEMPORAL: TemporalFacts = {
  address: 'temporal:7233',
  namespace: 'default',
  missingAttributes: [],
  missingSchedules: [],
  pausedSchedules: [],
  pollers: { 'lockstep-sync': 2, 'lockstep-vendor': 1 },
};

describe('Temporal', () => {
  it('is well with attributes, schedules and workers', () => {
    expect(judgeTemporal(TEMPORAL)).toMatchObject([{ verdict: 'ok' }]);
  });

  it.each<[string, Partial<TemporalFacts>, string, RegExp]>([
    ['LockstepTenant', { missingAttributes: ['LockstepTenant'] }, 'fails', /as Keyword/],
    ['acme/poll-vendor', { missingSchedules: ['acme/poll-vendor'] }, 'fails', /start a worker/],
    ['acme/poll-vendor', { pausedSchedules: ['acme/poll-vendor'] }, 'warns', /unpause/],
    [
      'lockstep-vendor',
      { pollers: { 'lockstep-sync': 1, 'lockstep-vendor': 0 } },
      'fails',
      /lockstep worker/,
    ],
  ])('names %s and its repair where it is not as it should be', (name, facts, verdict, repair) => {
    const [judgment, ...others] = judgeTemporal({ ...TEMPORAL, ...facts });
    expect(others).toEqual([]);
    expect(judgment).toMatchObject({ verdict, what: expect.stringContaining(name) });
    expect(judgment?.repair).toMatch(repair);
  });
});

it.each([
  ['a small ledger', 10 * 1024 ** 2, 'ok'],
  ['a large ledger', 60 * 1024 ** 3, 'warns'],
])('%s', (_, bytes, verdict) => expect(judgeLedgerSize(bytes)).toMatchObject([{ verdict }]));

it.each([
  ['2026-03-01T12:00:59.000Z', 'ok', /59 s off/],
  ['2026-03-01T12:01:01.000Z', 'warns', /61 s ahead of ours/],
  ['2026-03-01T11:58:00.000Z', 'warns', /120 s behind ours/],
  [null, 'skipped', /tells no time/],
])('a clock that tells %s %s', (theirs, verdict, what) => {
  const [judgment] = judgeClock('the vendor', theirs, NOW);
  expect(judgment?.verdict).toBe(verdict);
  expect(judgment?.what).toMatch(what);
});

it.each([
  [{ limit: 100, remaining: 11 }, 'ok'],
  [{ limit: 100, remaining: 10 }, 'warns'],
  [{ limit: 100, remaining: 0 }, 'warns'],
  [null, 'skipped'],
])('an allowance of %j %s', (allowance, verdict) => {
  expect(judgeAllowance('requests', allowance)).toMatchObject([{ verdict }]);
});

describe('fields', () => {
  const field = (updateable = true): FieldLimit => ({
    length: null,
    values: null,
    isMulti: false,
    createable: true,
    updateable,
  });
  const NEEDS = [{ object: 'Opportunity', reads: ['Id', 'Name'], essential: ['Id'], writes: ['Name'] }];
  const judged = (described: CrmLimits) => judgeFields(NEEDS, described);

  it('are well where all are there and ours', () => {
    expect(judged({ Opportunity: { Id: field(), Name: field() } })).toMatchObject([{ verdict: 'ok' }]);
  });

  it.each<[string, CrmLimits, string, RegExp]>([
    ['an object', {}, 'fails', /^Opportunity is not there/],
    [
      'an essential field',
      { Opportunity: { Name: field() } },
      'fails',
      /^Opportunity\.Id: cannot be read, and nothing/,
    ],
    [
      'a field',
      { Opportunity: { Id: field() } },
      'warns',
      /^Opportunity\.Name: cannot be read, so it does not/,
    ],
    [
      'a right',
      { Opportunity: { Id: field(), Name: field(false) } },
      'warns',
      /^Opportunity\.Name: cannot be written/,
    ],
  ])('are told where %s is missing', (_, described, verdict, what) => {
    const [judgment, ...others] = judged(described);
    expect(others).toEqual([]);
    expect(judgment?.verdict).toBe(verdict);
    expect(judgment?.what).toMatch(what);
    expect(judgment?.repair).toContain('permission set');
  });
});

const TENANT = { tenant: 'acme', salesforce: { apiVersion: '67.0' } } as Tenant;
const RATE = { limit: 100, remaining: 90, resetSeconds: 60 };
const ANSWER = { data: [], info: { timestamp: NOW }, date: null, rateLimit: RATE };

function vendorError(kind: 'out-of-scope' | 'scope'): PartnerApiError {
  const endpoint = { operation: 'x', domain: 'sales', method: 'GET', template: '' } as const;
  return new PartnerApiError({ ...endpoint, kind, sent: 'no' });
}

function ports(given: { readonly read?: Error; readonly ledger?: Error; readonly tenants?: Error } = {}) {
  const calls: string[] = [];
  const call =
    <T>(name: string, answer: T | Error) =>
    async (): Promise<T> => {
      calls.push(name);
      if (answer instanceof Error) throw answer;
      return answer;
    };
  const all = {
    nodeVersion: '24.0.0',
    tenants: () => {
      if (given.tenants !== undefined) throw given.tenants;
      return [TENANT];
    },
    sealingKeys: async () => 1,
    ledger: call(
      'ledger',
      given.ledger ?? {
        sizeBytes: async () => 1,
        listLinks: async () => [],
        reserveRequest: async () => ({ allowed: true }),
        reportQuota: async () => {},
      },
    ),
    temporal: call('temporal', TEMPORAL),
    remotes: () => ({
      crm: {
        probe: call('probe', { organizationId: '00D', now: NOW }),
        limits: call('limits', { Opportunity: {} }),
      },
      vendor: {
        searchLeadOpportunities: call('search', ANSWER),
        readLeadOpportunity: call('read', given.read ?? vendorError('out-of-scope')),
        searchOrders: call('orders', ANSWER),
      },
      apiRequests: () => ({ used: 10, limit: 100 }),
    }),
    fieldNeeds: () => [{ object: 'Opportunity', reads: [], essential: [], writes: [] }],
    receiver: async () => null,
    now: () => NOW,
  };
  return { ports: all as unknown as DoctorPorts, calls };
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.name : 'unknown');
const verdicts = async (checks: readonly Check[]) =>
  Object.fromEntries(
    (await examine(checks, reasonOf)).findings.map(({ check, verdict }) => [check, verdict]),
  );

describe('an examination', () => {
  it('looks at every part, and a question about no record proves that the key may ask', async () => {
    const { ports: given } = ports();
    expect(await verdicts(onlineChecks(given, TENANT))).toEqual({
      ledger: 'ok',
      'ledger.key': 'ok',
      temporal: 'ok',
      receiver: 'skipped',
      'salesforce.sign-in': 'ok',
      'salesforce.fields': 'ok',
      'salesforce.requests': 'ok',
      'vendor.search': 'ok',
      'vendor.read': 'ok',
      'vendor.orders': 'ok',
    });
  });

  it('goes on where one part cannot be looked at, and names the repair', async () => {
    const { ports: given } = ports({ read: vendorError('scope'), ledger: new TypeError('out') });
    const { findings } = await examine(onlineChecks(given, TENANT), reasonOf);
    const failed = findings.filter(({ verdict }) => verdict === 'fails');
    expect(failed.map(({ check }) => check)).toEqual([
      'ledger',
      'ledger.key',
      'vendor.search',
      'vendor.read',
      'vendor.orders',
    ]);
    for (const { repair } of failed) expect(repair).toMatch(/\w/);
  });

  it('asks nobody offline, and tells of bad tenant files', async () => {
    const { ports: given, calls } = ports();
    expect(await verdicts(offlineChecks(given))).toEqual({
      node: 'ok',
      'tenant-files': 'ok',
      'sealing-key': 'ok',
    });
    const bad = ports({ tenants: new TypeError('line 3') });
    expect(await verdicts(offlineChecks(bad.ports))).toEqual({
      node: 'ok',
      'tenant-files': 'fails',
      'sealing-key': 'ok',
    });
    expect([calls, bad.calls]).toEqual([[], []]);
  });
});
