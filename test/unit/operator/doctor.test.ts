import { describe, expect, it } from 'vitest';
import type { CrmLimits, FieldLimit } from '../../../src/domain/record/crm-limits.ts';
import { NO_ASSIGNMENT } from '../../../src/domain/record/import-assignment.ts';
import { type DoctorPorts, offlineChecks, onlineChecks } from '../../../src/operator/doctor/checks.ts';
import { type Check, examine } from '../../../src/operator/doctor/finding.ts';
import {
  judgeLedgerSize,
  judgeNode,
  judgeTemporal,
  type TemporalFacts,
} from '../../../src/operator/doctor/judge-installation.ts';
import { judgePoReference } from '../../../src/operator/doctor/judge-orders.ts';
import { judgeRoundTrip, type RoundTrip } from '../../../src/operator/doctor/judge-receiver.ts';
import { judgeAllowance, judgeChanges, judgeClock, judgeFields } from '../../../src/operator/doctor/judge-remotes.ts';
import { registryCheck } from '../../../src/operator/doctor/registry-check.ts';
import { PartnerApiError } from '../../../src/partner-api/index.ts';
import type { Tenant } from '../../../src/platform/tenant.ts';
import type { CrmSetup } from '../../../src/salesforce/setup.ts';
import { mappingConfig } from '../../support/mapping/fixtures.ts';
import { NO_ROWS, org } from '../../support/mapping/org-schema.ts';

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
  routing: { 'lockstep-sync': { to: null, polled: [null] }, 'lockstep-vendor': { to: null, polled: [null] } },
  vendorRate: 5,
  vendorPartitions: 1,
};

describe('Temporal', () => {
  it.each<[string, Partial<TemporalFacts>, string, RegExp]>([
    ['LockstepTenant', { missingAttributes: ['LockstepTenant'] }, 'fails', /as Keyword/],
    ['acme/poll-vendor', { missingSchedules: ['acme/poll-vendor'] }, 'fails', /start a worker/],
    ['acme/poll-vendor', { pausedSchedules: ['acme/poll-vendor'] }, 'warns', /unpause/],
    ['lockstep-vendor', { pollers: { 'lockstep-sync': 1, 'lockstep-vendor': 0 } }, 'fails', /lockstep worker/],
    [
      'lockstep-sync go to lockstep:7',
      { routing: { 'lockstep-sync': { to: 'lockstep:7', polled: [null, 'lockstep:6'] } } },
      'fails',
      /workers of this version/,
    ],
    [
      'lockstep-sync go to workers without a version',
      { routing: { 'lockstep-sync': { to: null, polled: ['lockstep:6'] } } },
      'fails',
      /set-current-version/,
    ],
    ['no rate limit', { vendorRate: null }, 'warns', /restart a worker/],
    ['the vendor queue has 4 partitions', { vendorPartitions: 4 }, 'warns', /numTaskqueueReadPartitions/],
    ['10 requests a second; its file says 5', { vendorRate: 10 }, 'warns', /restart a worker/],
  ])('names %s and its repair where it is not as it should be', (name, facts, verdict, repair) => {
    const [judgment, ...others] = judgeTemporal({ ...TEMPORAL, ...facts }, 5);
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
  [null, 'skipped', /reports no time/],
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

  it.each([
    [['Vendor_Next_Milestone__c'], /^deploy the package, and assign the permission set Lockstep_Integration to/],
    [['Tactic__c'], /^let a permission set of the org show it to .*does not include it$/],
    [['Vendor_Id__c', 'Tactic__c'], /^deploy the package, and let a permission set of the org show it/],
    [['Description', 'Tactic__c'], /^deploy the package, and assign .* show Tactic__c to/],
  ])('name the permission set that shows %j', (reads, repair) => {
    const [judgment] = judgeFields([{ object: 'Opportunity', reads, essential: [], writes: [] }], {
      Opportunity: {},
    });
    expect(judgment).toMatchObject({ verdict: 'warns', repair: expect.stringMatching(repair) });
  });

  it.each<[string, CrmLimits, string, RegExp]>([
    ['an object', {}, 'fails', /^Opportunity is not there/],
    [
      'an essential field',
      { Opportunity: { Name: field() } },
      'fails',
      /^Opportunity\.Id: cannot be read, and nothing/,
    ],
    ['a field', { Opportunity: { Id: field() } }, 'warns', /^Opportunity\.Name: cannot be read, so it does not/],
    ['a right', { Opportunity: { Id: field(), Name: field(false) } }, 'warns', /^Opportunity\.Name: cannot be written/],
  ])('are reported where %s is missing', (_, described, verdict, what) => {
    const [judgment, ...others] = judged(described);
    expect(others).toEqual([]);
    expect(judgment?.verdict).toBe(verdict);
    expect(judgment?.what).toMatch(what);
    expect(judgment?.repair).toContain('permission set');
  });
});

it.each([
  [true, { limit: 10_000, remaining: 9_000 }, ['ok', 'ok']],
  [true, { limit: 10_000, remaining: 900 }, ['ok', 'warns']],
  [false, null, ['fails', 'skipped']],
])('change events, where we may subscribe: %s, and the org still delivers %o', (may, left, verdicts) => {
  const found = judgeChanges('/data/Own__chn', may, left);
  expect(found.map(({ verdict }) => verdict)).toEqual(verdicts);
  expect(found[0]?.what).toContain('/data/Own__chn');
});

const SETUP: CrmSetup = { flows: new Map(), sendingSets: [], duplicateRules: [], validationRules: [] };

it.each<[RoundTrip, string, RegExp]>([
  [{ kind: 'acknowledged' }, 'ok', /acknowledged/],
  [{ kind: 'unreachable' }, 'fails', /cannot be reached/],
  [{ kind: 'no-path' }, 'skipped', /no path/],
  [{ kind: 'refused', status: 404, code: 'unknown-path' }, 'fails', /unknown-path \(404\)/],
  [{ kind: 'refused', status: 302, code: null }, 'fails', /not the receiver answered 302/],
])('a round trip of %j %s', (trip, verdict, what) => {
  const [judgment] = judgeRoundTrip(trip);
  expect(judgment?.verdict).toBe(verdict);
  expect(judgment?.what).toMatch(what);
  expect(judgment?.repair === null).toBe(verdict === 'ok');
});

const TENANT = {
  tenant: 'acme',
  salesforce: { apiVersion: '67.0', allowDuplicates: false, apiShare: 0.25 },
  vendor: { ratePerSecond: 5 },
  mapping: mappingConfig(),
  imports: NO_ASSIGNMENT,
  notify: { owner: 'none' },
  orders: { notifyOwner: 'none' },
} as Tenant;
const RATE = { limit: 100, remaining: 90, resetSeconds: 60 };
const ANSWER = { data: [], info: { timestamp: NOW }, date: null, rateLimit: RATE };

function vendorError(kind: 'out-of-scope' | 'scope'): PartnerApiError {
  const endpoint = { operation: 'x', domain: 'sales', method: 'GET', template: '' } as const;
  return new PartnerApiError({ ...endpoint, kind, sent: 'no' });
}

type Given = {
  readonly read?: Error;
  readonly ledger?: Error;
  readonly tenants?: Error;
  /** Of 250 calls to the org that are ours. */
  readonly calls?: number;
};

function ports(given: Given = {}) {
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
        cursor: async () => null,
        notedCodes: async () => [],
        crmUse: async () => new Map([['acme', { own: given.calls ?? 1, orgUse: { used: 400, limit: 1_000 } }]]),
      },
    ),
    temporal: call('temporal', TEMPORAL),
    remotes: () => ({
      crm: {
        probe: call('probe', { organizationId: '00D', now: NOW }),
        limits: call('limits', { Opportunity: {} }),
        schema: call('schema', org()),
        setup: call('setup', SETUP),
        ...NO_ROWS,
        productsWithoutOffer: call('offers', []),
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
    roundTrip: async () => ({ kind: 'no-address' }),
    now: () => NOW,
  };
  return { ports: all as unknown as DoctorPorts, calls };
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.name : 'unknown');
const verdicts = async (checks: readonly Check[]) =>
  Object.fromEntries((await examine(checks, reasonOf)).findings.map(({ check, verdict }) => [check, verdict]));

describe('an examination', () => {
  it('looks at every part, and a question about no record proves that the key may ask', async () => {
    const { ports: given } = ports();
    expect(await verdicts(onlineChecks(given, TENANT))).toEqual({
      ledger: 'ok',
      'ledger.key': 'ok',
      temporal: 'ok',
      receiver: 'skipped',
      'receiver.message': 'skipped',
      'salesforce.sign-in': 'ok',
      'salesforce.fields': 'ok',
      'salesforce.mapping': 'ok',
      'salesforce.offers': 'ok',
      'salesforce.setup': 'ok',
      'salesforce.requests': 'ok',
      'salesforce.share': 'ok',
      'vendor.search': 'ok',
      'vendor.read': 'ok',
      'vendor.orders': 'ok',
      'vendor.codes': 'ok',
    });
  });

  it('says where our calls to the org have come to their share, and what waits for that', async () => {
    const { ports: given } = ports({ calls: 200 });
    const { findings } = await examine(onlineChecks(given, TENANT), reasonOf);
    expect(findings.find(({ check }) => check === 'salesforce.share')).toMatchObject({
      verdict: 'warns',
      what: expect.stringMatching(/200 of 250; sweeps come half-hourly, backfill.* wait/),
      repair: expect.stringContaining('salesforce.apiShare'),
    });
  });

  it('goes on where one part cannot be looked at, and names the repair', async () => {
    const { ports: given } = ports({ read: vendorError('scope'), ledger: new TypeError('out') });
    const { findings } = await examine(onlineChecks(given, TENANT), reasonOf);
    const failed = findings.filter(({ verdict }) => verdict === 'fails');
    expect(failed.map(({ check }) => check)).toEqual([
      'ledger',
      'ledger.key',
      'salesforce.share',
      'vendor.search',
      'vendor.read',
      'vendor.orders',
      'vendor.codes',
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

describe('the registry of tenants', () => {
  const REASON = 'vendor.apiKey has no value';
  const ports = {
    ledger: async () => ({
      unavailableTenants: async () =>
        ['worker 1', 'worker 2'].map((process) => ({ tenant: 'bad', process, reason: REASON, at: NOW })),
    }),
    now: () => NOW,
  };
  const looked = async (name: string | null) => (await examine([registryCheck(ports, name)], reasonOf)).findings;

  it('fails for each process that cannot serve a tenant, with the reason', async () => {
    expect((await looked(null)).map(({ verdict, what }) => [verdict, what])).toEqual([
      ['fails', `worker 1 cannot serve bad: ${REASON}`],
      ['fails', `worker 2 cannot serve bad: ${REASON}`],
    ]);
    expect(await looked('bad')).toHaveLength(2);
  });

  it('is well for the others', async () => {
    expect(await looked('good')).toMatchObject([{ check: 'tenants', tenant: null, verdict: 'ok' }]);
  });
});

it.each([
  ['the integration user can read', { Customer_PO__c: {} }, ['site-id'], 'ok'],
  ['is hidden or missing', {}, ['site-id'], 'warns'],
  ['is of no use, because no order has a customer', { Customer_PO__c: {} }, [], 'warns'],
] as const)('a field with the purchase order number that %s', (_, fields, soldTo, verdict) => {
  const described = { Opportunity: fields } as unknown as Parameters<typeof judgePoReference>[2];
  expect(judgePoReference('Customer_PO__c', { soldTo }, described)).toMatchObject([{ verdict }]);
});
