import { describe, expect, it } from 'vitest';
import { ISSUES } from '../../../src/domain/record/issues.ts';
import type { Plan } from '../../../src/domain/record/plan.ts';
import { askWithinQuota } from '../../../src/observe/ask-within-quota.ts';
import type { ObservedDeal, Proof } from '../../../src/observe/observe-deal.ts';
import { unseenLink } from '../../../src/observe/unseen-link.ts';
import { foreseenLinks } from '../../../src/operator/plan/foreseen-links.ts';
import { makePlan, type PlannedChange, type PlanPorts } from '../../../src/operator/plan/make-plan.ts';
import { costOf, type QuotaLeft } from '../../../src/operator/plan/plan-cost.ts';
import { counted, NO_RECORDS } from '../../../src/operator/plan/plan-totals.ts';
import { plannedRecord } from '../../../src/operator/plan/planned-record.ts';
import { idsByPeriod } from '../../../src/operator/plan/vendor-windows.ts';
import { PartnerApiError } from '../../../src/partner-api/index.ts';
import { mappingConfig } from '../../support/mapping/fixtures.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const DAY_MS = 86_400_000;

function look(next: Plan['next'], more: object = {}, proof: Proof | null = 'linked'): ObservedDeal {
  const usual = { reason: 'a reason', decisions: [], issues: [], stateAfter: 'in-sync' };
  return {
    link: unseenLink('acme', { crmId: '006A', vendorId: 'V1' }, NOW),
    crm: { kind: 'missing' },
    vendor: { kind: 'unread' },
    plan: { next, ...usual, ...more } as unknown as Plan,
    proof,
  };
}

const decided = (field: string, verdict: string) => ({
  field,
  verdict,
  rule: 'r',
  crm: 'secret',
  vendor: 'secret',
});
const update = (fields: readonly string[], ...decisions: readonly object[]) =>
  ({ intent: { fields, body: { name: 'secret' }, record: {} }, decisions }) as const;

describe('a planned record', () => {
  it.each<[string, ObservedDeal, string]>([
    ['a create at the vendor', look('create-at-vendor', {}, null), 'create-at-vendor'],
    ['a create in the CRM', look('create-in-crm', {}, null), 'create-in-crm'],
    [
      'an update at the vendor',
      look('update-at-vendor', update(['name'], decided('name', 'to-vendor'))),
      'update-at-vendor',
    ],
    [
      'changes of both sides',
      look('update-at-vendor', update(['name'], decided('name', 'to-vendor'), decided('closeDate', 'to-crm'))),
      'update-both',
    ],
    ['merged lines', look('update-at-vendor', update(['offerLines'], decided('offerLines', 'merged'))), 'update-both'],
    ['our reference alone, for a new pair', look('update-at-vendor', update([]), 'keys'), 'link'],
    ['our reference alone', look('update-at-vendor', update([])), 'update-at-vendor'],
    ['a write to the CRM', look('write-crm', { decisions: [decided('name', 'conflict-vendor')] }), 'update-in-crm'],
    ['what is not shared', look('detached'), 'not-shared'],
    ['what waits as a whole', look('parked'), 'park'],
    ['what waits in a field', look('nothing', { issues: [ISSUES.currenciesDiffer()] }), 'park'],
    ['what needs nobody', look('nothing', { issues: [ISSUES.lineNotShared()] }), 'nothing'],
    [
      'a conflict',
      look('nothing', { issues: [ISSUES.conflict('name')], decisions: [decided('name', 'conflict-held')] }),
      'conflict',
    ],
    ['a new pair that agrees', look('nothing', {}, 'reference'), 'link'],
    ['a pair that agrees', look('nothing'), 'nothing'],
    ['what cannot be told yet', look('read-vendor'), 'unknown'],
  ])('of %s says so, without a value', (_, given, action) => {
    const record = plannedRecord(given);
    expect(record.action).toBe(action);
    expect(JSON.stringify(record)).not.toContain('secret');
  });

  it('names ways and rules of what is written or waits, and not of what is settled', () => {
    const decisions = [
      decided('name', 'to-vendor'),
      decided('closeDate', 'conflict-vendor'),
      decided('description', 'conflict-held'),
      decided('currency', 'ignored'),
      decided('nextMilestone', 'same'),
    ];
    const { fields } = plannedRecord(look('update-at-vendor', update(['name'], ...decisions)));
    expect(fields.map(({ field, way }) => [field, way])).toEqual([
      ['name', 'to-vendor'],
      ['closeDate', 'to-crm'],
      ['description', 'held'],
    ]);
  });
});

it('totals count records, proofs, ways and reasons, a reason once a record', () => {
  const issues = [ISSUES.conflict('name'), ISSUES.conflict('closeDate')];
  const records = [
    plannedRecord(look('nothing', { issues, decisions: [decided('name', 'conflict-held')] })),
    plannedRecord(look('update-at-vendor', update(['name'], decided('name', 'to-vendor')), 'keys')),
  ];
  expect(records.reduce(counted, NO_RECORDS)).toEqual({
    records: 2,
    actions: { conflict: 1, 'update-at-vendor': 1 },
    linkBy: { keys: 1 },
    matched: { records: 1, byKeys: 1 },
    fields: { held: 1, 'to-vendor': 1 },
    issues: { conflict: 1 },
  });
});

describe('the cost', () => {
  const cost = (creates: number, quota: QuotaLeft) =>
    costOf({ actions: { 'create-at-vendor': creates } }, quota, { ratePerSecond: 5, now: NOW });
  const until = '2026-03-01T12:00:30.000Z';

  it.each<[string, number, QuotaLeft, number, string]>([
    ['no quota is known', 50, null, 20, 'rate'],
    ['the quota is enough', 50, { limit: 1000, remaining: 500, until, seconds: 60 }, 20, 'rate'],
    ['some of it is left', 50, { limit: 40, remaining: 20, until, seconds: 60 }, 30 + 60, 'quota'],
    ['none is left', 20, { limit: 40, remaining: 0, until, seconds: 60 }, 30, 'quota'],
    ['its window is over', 30, { limit: 40, remaining: 0, until: NOW, seconds: 60 }, 60, 'quota'],
    ['the vendor tells a limit of 0', 50, { limit: 0, remaining: 0, until, seconds: 60 }, 20, 'rate'],
  ])('in time where %s', (_, creates, quota, seconds, boundBy) => {
    expect(cost(creates, quota)).toMatchObject({ vendorCalls: 2 * creates, seconds, boundBy });
  });

  it('has the readings in it by which records of the vendor are matched first', () => {
    const actions = { link: 10 };
    const at = { ratePerSecond: 5, now: NOW };
    const linked = costOf({ actions, matched: { records: 0, byKeys: 0 } }, null, at);
    const matched = costOf({ actions, matched: { records: 10, byKeys: 4 } }, null, at);
    expect(matched.vendorCalls - linked.vendorCalls).toBe(10);
    expect(matched.crmCalls - linked.crmCalls).toBe(4);
    expect(matched.seconds).toBeGreaterThan(linked.seconds);
  });

  it('counts the change events of our own writes', () => {
    const actions = { 'create-in-crm': 2, 'update-in-crm': 3, 'update-at-vendor': 5 };
    expect(costOf({ actions }, null, { ratePerSecond: 5, now: NOW }).changeEvents).toBe(2 * 6 + 3);
  });
});

it.each([
  ['pubsub', 24_000],
  ['both', 24_000],
  ['outbound', undefined],
] as const)('a plan of a tenant with %s shows how many events the org still delivers: %s', async (changes, left) => {
  const { ports } = manyDeals(() => {}, { limit: 50_000, remaining: 24_000 });
  const tenant = {
    tenant: 'acme',
    mapping: mappingConfig(),
    vendor: { ratePerSecond: 5 },
    salesforce: { changes },
    orders: {},
  };
  const order = { since: '2026-02-28T12:00:00.000Z', mapping: null };
  expect((await makePlan(ports, tenant as Parameters<typeof makePlan>[1], order)).eventsLeft).toBe(left);
});

describe('the opportunities of renewals', () => {
  const rules = { daysBefore: 120, stage: 'Qualification', share: false };
  const notice = (order: string, more: object = {}) => ({
    ...{ Id: `a0O-${order}`, Vendor_Order_Id__c: order, Status__c: 'FRST', Start_Date__c: '2026-04-01' },
    ...{ Sold_To_Account__c: '001', Opportunity__c: null, Renewal_Created__c: null, ...more },
  });
  const rows = [
    notice('RN-1'),
    notice('RN-2', { Opportunity__c: '006-closed' }),
    notice('has an open deal', { Opportunity__c: '006-open' }),
    notice('has its own deal'),
    notice('too early', { Start_Date__c: '2027-04-01' }),
    notice('withdrawn', { Status__c: 'CAN' }),
  ];
  const crm = {
    renewalNotices: async (_: unknown, { after }: { readonly after: string | null }) => (after === null ? rows : []),
    rowsWith: async ({ key }: { readonly key: string }) =>
      key === 'Id'
        ? [
            { Id: '006-closed', IsClosed: true },
            { Id: '006-open', IsClosed: false },
          ]
        : [{ Id: '006-own', Vendor_Renewal_Id__c: 'has its own deal' }],
  };

  it('are counted as they would be created today', async () => {
    const { ports } = manyDeals(() => {});
    const remotes = { ...ports.remotes, crm: { ...ports.remotes.crm, ...crm } } as unknown as PlanPorts['remotes'];
    const orders = { renewalOpportunities: rules };
    const tenant = { tenant: 'acme', mapping: mappingConfig(), vendor: { ratePerSecond: 5 }, salesforce: {}, orders };
    const order = { since: '2026-02-28T12:00:00.000Z', mapping: null };
    const of = tenant as unknown as Parameters<typeof makePlan>[1];
    const summary = await makePlan({ ...ports, remotes }, of, order);
    expect(summary.renewals).toEqual({ opportunities: 2 });
    const ofFields = await makePlan({ ...ports, remotes }, of, { ...order, fields: [] });
    expect(ofFields.renewals).toBeUndefined();
  });
});

describe('periods of the vendor’s changes', () => {
  async function periods(since: string, counts: (n: number) => number) {
    const asked: { readonly fromDate: string; readonly toDate: string }[] = [];
    const search = async (period: (typeof asked)[number]) => {
      asked.push(period);
      return Array.from({ length: counts(asked.length) }, (_, n) => `V${n}`);
    };
    for await (const _ of idsByPeriod(search, since, NOW));
    return asked;
  }

  it('become shorter where much happens', async () => {
    const asked = await periods('2026-02-20T12:00:00.000Z', (n) => (n === 1 ? 2_001 : 0));
    const [first, second] = asked.map(({ fromDate, toDate }) => Date.parse(toDate) - Date.parse(fromDate));
    expect([first, second]).toEqual([DAY_MS, DAY_MS / 2]);
  });
});

describe('what is foreseen', () => {
  const none = {
    findLinkByIds: async () => null,
    waitingFor: async () => new Map(),
    barredFrom: async () => [],
  };

  it('links what was planned as a pair, so that nothing else becomes it', async () => {
    const { ledger, note } = foreseenLinks(none, () => NOW);
    expect(await ledger.findLinkByIds('acme', { crmId: '006A' })).toBeNull();
    note(look('update-at-vendor', {}, 'reference'));
    expect(await ledger.findLinkByIds('acme', { crmId: '006A' })).toMatchObject({ vendorId: 'V1' });
    expect(await ledger.findLinkByIds('acme', { crmId: '006B' })).toBeNull();
  });

  it('has a record wait for the opportunities that it may be', async () => {
    const { ledger, note } = foreseenLinks(none, () => NOW);
    const parked = look('parked', { issues: [ISSUES.mayBeOpportunity('V1', ['006C'])] }, null);
    note({ ...parked, link: unseenLink('acme', { crmId: null, vendorId: 'V1' }, NOW) });
    expect(await ledger.waitingFor('acme', ['006A', '006C'])).toEqual(
      new Map([['006C', [{ vendorId: 'V1', rivals: [] }]]]),
    );
  });

  it('takes keys for a proof once no other record is known to have them', async () => {
    const { ledger, note, claimed } = foreseenLinks(none, () => NOW);
    note(look('update-at-vendor', {}, 'keys'));
    expect(await ledger.findLinkByIds('acme', { crmId: '006A' })).toBeNull();
    expect(claimed('006A', 'V1')).toBe('alone');
    expect(await ledger.findLinkByIds('acme', { crmId: '006A' })).toMatchObject({ vendorId: 'V1' });
    expect(claimed('006A', 'V2')).toBe('taken');
  });

  it('gives an opportunity to none of several records that agree with it', () => {
    const { note, claimed } = foreseenLinks(none, () => NOW);
    const parked = look('parked', { issues: [ISSUES.mayBeOpportunity('V2', ['006A'])] }, null);
    note(look('update-at-vendor', {}, 'keys'));
    note({ ...parked, link: unseenLink('acme', { crmId: null, vendorId: 'V2' }, NOW) });
    expect(claimed('006A', 'V1')).toBe('contested');
  });

  it('names to each of several shared opportunities the others that the record may be', async () => {
    const { ledger, note } = foreseenLinks(none, () => NOW);
    const rivals = ['006C', '006D'];
    const parked = look('parked', { issues: [ISSUES.severalOpportunities('V1', rivals)] }, null);
    note({ ...parked, link: unseenLink('acme', { crmId: null, vendorId: 'V1' }, NOW) });
    expect(await ledger.waitingFor('acme', ['006D'])).toEqual(new Map([['006D', [{ vendorId: 'V1', rivals }]]]));
  });
});

describe('a patient question', () => {
  const limits = { limit: null, remaining: null, resetSeconds: null };

  function asking(allowed: readonly boolean[]) {
    const waits: number[] = [];
    let nowMs = Date.parse(NOW);
    const verdicts = [...allowed];
    const ledger = {
      reserveRequest: async () =>
        verdicts.shift() === false
          ? ({ allowed: false, until: new Date(nowMs + 30_000).toISOString() } as const)
          : ({ allowed: true } as const),
      reportQuota: async () => {},
    };
    const pause = async (ms: number) => {
      waits.push(ms);
      nowMs += ms;
    };
    const now = () => new Date(nowMs).toISOString();
    const gate = { ledger, tenant: 'acme', group: 'vendor-sales', now } as const;
    return { ...askWithinQuota(gate, { ratePerSecond: 5, pause }), waits };
  }

  it('goes at the tenant’s rate', async () => {
    const { ask, sent, waits } = asking([]);
    for (let n = 0; n < 3; n += 1) await ask(async () => ({ rateLimit: limits }));
    expect([sent(), waits]).toEqual([3, [200, 200]]);
  });

  it('waits until the reset where the quota is used up, and then sends', async () => {
    const { ask, sent, waits } = asking([false, true]);
    await ask(async () => ({ rateLimit: limits }));
    expect(sent()).toBe(1);
    expect(waits).toContain(31_000);
  });

  it('passes on what is no throttling', async () => {
    const { ask } = asking([]);
    const endpoint = { operation: 'x', domain: 'sales', method: 'GET', template: '' } as const;
    const error = new PartnerApiError({ ...endpoint, kind: 'authentication', sent: 'no' });
    await expect(ask(async () => Promise.reject(error))).rejects.toBe(error);
  });
});

const EMPTY = { account: null, lines: [], contacts: [], owner: null, sync: null, readAt: NOW };
const PAGES = 5;
const SIZE = 2_000;

/** Thousands of unshared CRM deals; each page is made when it is requested. */
function manyDeals(emit: (record: PlannedChange) => void, allowance: unknown = null) {
  const positions: string[] = [];
  const graphsAfter = async ({ id }: { readonly id: string }) => {
    positions.push(id);
    const graphs = Array.from({ length: SIZE }, (_, n) => ({
      opportunity: { Id: `006${positions.length}-${n}`, Vendor_Share__c: false, Filler: 'x'.repeat(2_000) },
      ...EMPTY,
    }));
    const position = { systemModstamp: NOW, id: `page ${positions.length}` };
    return { graphs, position, more: positions.length < PAGES };
  };
  const searches: unknown[] = [];
  const ports = {
    remotes: {
      tenant: { tenant: 'acme', mapping: mappingConfig(), importFromVendor: true, matching: { keys: [] } },
      crm: { graphsAfter, eventAllowance: async () => allowance },
      vendor: {
        searchLeadOpportunities: async (input: unknown) => {
          searches.push(input);
          return { data: [], rateLimit: { limit: null, remaining: null, resetSeconds: null } };
        },
      },
    },
    ledger: {
      findLinkByIds: async () => null,
      waitingFor: async () => new Map(),
      barredFrom: async () => [],
      cursor: async () => null,
      quotas: async () => [],
      reserveRequest: async () => ({ allowed: true }),
      reportQuota: async () => {},
    },
    emit,
    pause: async () => {},
    now: () => NOW,
  };
  return { ports: ports as unknown as PlanPorts, positions, searches };
}

it('a plan of 10,000 records asks for them 2,000 at a time, and hands each on once', async () => {
  let emitted = 0;
  const { ports, positions, searches } = manyDeals(() => {
    emitted += 1;
  });
  const tenant = { tenant: 'acme', mapping: mappingConfig(), vendor: { ratePerSecond: 5 }, salesforce: {}, orders: {} };
  const since = '2026-02-28T12:00:00.000Z';
  const summary = await makePlan(ports, tenant as Parameters<typeof makePlan>[1], { since, mapping: null });
  expect(emitted).toBe(PAGES * SIZE);
  expect(positions).toEqual(['', 'page 1', 'page 2', 'page 3', 'page 4']);
  expect(searches).toHaveLength(1);
  expect(summary.totals.actions).toEqual({ 'not-shared': PAGES * SIZE });
  expect(summary.asked).toEqual({ vendorCalls: 1, crmPages: PAGES });
});
