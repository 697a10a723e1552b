import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../src/domain/record/issue.ts';
import { ISSUES } from '../../../src/domain/record/issues.ts';
import type { JournalEntry } from '../../../src/domain/record/journal.ts';
import type { Link } from '../../../src/domain/record/link.ts';
import type { Plan } from '../../../src/domain/record/plan.ts';
import type { ObservedDeal } from '../../../src/observe/observe-deal.ts';
import { QuotaUsedUp } from '../../../src/observe/quota-gate.ts';
import { unseenLink } from '../../../src/observe/unseen-link.ts';
import { type ExplainPorts, explainRecord } from '../../../src/operator/explain/explain-record.ts';
import { type GateInput, gatesOf } from '../../../src/operator/explain/gates.ts';
import { UnknownRecord } from '../../../src/operator/records/remote-records.ts';
import { mappingConfig } from '../../support/mapping/fixtures.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const CRM_ID = '006000000000001AAA';
const LINK: Link = {
  ...unseenLink('acme', { crmId: CRM_ID, vendorId: 'V1' }, NOW),
  state: 'in-sync',
  base: {
    crm: { name: 'Deal', description: 'Old' },
    vendor: { name: 'Deal', description: 'Old' },
    defaulted: [],
    awaitingEcho: [],
    linePairs: [],
    crmVersion: '2026-03-01T10:00:00.000Z',
    vendorVersion: '2026-03-01T10:00:01.000Z',
  },
};

function plan(next: Plan['next'], more: object = {}): Plan {
  const usual = { reason: 'a reason', decisions: [], issues: [], stateAfter: 'in-sync' };
  return { next, ...usual, ...more } as unknown as Plan;
}

const GATES: GateInput = {
  link: LINK,
  plan: plan('nothing'),
  pauses: [],
  quotaUntil: null,
  sweepEveryMs: 300_000,
  isVendorOlder: false,
  id: CRM_ID,
  tenant: 'acme',
  withValues: false,
};

const issue = (one: Issue) => ({ plan: plan('nothing', { issues: [one] }) });
const waits = (waitingFor: Link['waitingFor']) => ({
  link: { ...LINK, generation: 1, waitingSince: NOW, waitingFor },
});

describe('a gate', () => {
  const detached = (reason: string) => ({ plan: plan('detached', { reason }) });
  const toVendorAlone = { field: 'currency', verdict: 'ignored', rule: 'to the vendor only' };
  const paused = (group: GateInput['pauses'][number]['group']) => ({
    pauses: [{ group, reason: 'refused', since: NOW }],
  });
  const HIDDEN = 'Vendor_Share__c cannot be seen by the integration user';
  const NO_IMPORT = 'import of vendor-created records is off for this tenant';
  it.each<[gate: string, given: Partial<GateInput>, opens: RegExp, needsSomebody: boolean]>([
    ['scope detached', detached('Vendor_Share__c is not ticked'), /tick Vendor_Share__c/, false],
    ['scope detached', detached(HIDDEN), /permission set/, false],
    ['scope detached', detached(NO_IMPORT), /importFromVendor/, false],
    ['direction ignored', { plan: plan('nothing', { decisions: [toVendorAlone] }) }, /direction/, false],
    ['translation currency-differs', issue(ISSUES.currenciesDiffer()), /same currency/, true],
    [
      'park conflict',
      issue(ISSUES.conflict('description')),
      new RegExp(`lockstep conflicts resolve ${CRM_ID} description --take`),
      true,
    ],
    ['pause vendor-sales', paused('vendor-sales'), /lockstep resume acme/, true],
    ['pause whole-tenant', paused('whole-tenant'), /check the org/, true],
    ['quota vendor-throttled', { quotaUntil: '2026-03-01T12:05:00.000Z' }, /12:05:00/, false],
    ['quota crm-throttled', waits('crm-throttled'), /reset/, false],
    ['answer vendor-unavailable', waits('vendor-unavailable'), /automatically/, false],
    [
      'not-yet-seen update-at-vendor',
      { plan: plan('update-at-vendor') },
      new RegExp(`every 300 s.*lockstep sync ${CRM_ID}`),
      false,
    ],
    ['not-yet-seen create-at-vendor', { link: null, plan: plan('create-at-vendor') }, /lockstep sync/, false],
    ['not-yet-seen vendor-older', { isVendorOlder: true }, /lockstep audit --repair --tenant acme/, false],
  ])('of %s names itself and what opens it: %j', (name, given, opens, needsSomebody) => {
    const gates = gatesOf({ ...GATES, ...given });
    expect(gates.map(({ gate, code }) => `${gate} ${code}`)).toEqual([name]);
    expect(gates).toMatchObject([{ opens: expect.stringMatching(opens), needsSomebody }]);
  });

  it('is none where everything flows, or a write is on its way', () => {
    expect(gatesOf(GATES)).toEqual([]);
    expect(gatesOf({ ...GATES, link: { ...LINK, generation: 1 }, plan: plan('update-at-vendor') })).toEqual([]);
  });
});

const LOOK: ObservedDeal = {
  link: LINK,
  crm: {
    kind: 'observed',
    observation: {
      graph: {
        opportunity: {
          Id: CRM_ID,
          SystemModstamp: '2026-03-01T11:00:00.000Z',
          LastModifiedById: '005000000000002AAA',
        },
        account: null,
        lines: [],
        contacts: [],
        owner: null,
        sync: null,
        readAt: NOW,
        readBy: '005000000000001AAA',
      },
      record: { name: 'Deal', description: 'From the CRM' },
      issues: [],
    },
  },
  vendor: {
    kind: 'observed',
    observation: {
      record: { name: 'Deal', description: 'Old' },
      vendorId: 'V1',
      reference: CRM_ID,
      readOnly: {},
      unknownFields: [],
      version: '2026-03-01T10:00:01.000Z',
      readAt: NOW,
    },
  },
  plan: plan('update-at-vendor', {
    intent: { body: {}, fields: ['description'], record: {} },
    decisions: [
      {
        field: 'description',
        verdict: 'to-vendor',
        rule: 'changed in the CRM',
        base: { crm: 'Old', vendor: 'Old' },
        crm: 'From the CRM',
        vendor: 'Old',
      },
    ],
  }),
  proof: 'linked',
};

const JOURNAL: readonly JournalEntry[] = [
  {
    at: '2026-03-01T10:00:02.000Z',
    kind: 'remote-write',
    summary: { next: 'update-at-vendor', fields: 'name description', answer: 'updated', traceId: 'T1' },
    decisions: [],
  },
];

function ports(given: { link?: Link | null; look?: ObservedDeal | Error } = {}) {
  const added: unknown[] = [];
  const looked: Link[] = [];
  const { link = LINK, look = LOOK } = given;
  const all = {
    observer: {
      observeDeal: async (one: Link) => {
        looked.push(one);
        if (look instanceof Error) throw look;
        return look;
      },
    },
    crm: { fieldChanges: async () => [] },
    ledger: {
      findLink: async () => link,
      findLinkByIds: async () => link,
      journal: async () => JOURNAL,
      addToJournal: async (...line: unknown[]) => void added.push(line),
      pauses: async () => [],
      quotas: async () => [],
    },
    addresses: { crm: 'https://org', vendor: 'https://vendor/v1', temporal: 'https://ui/namespaces/default' },
    runs: async (_: string, at: readonly string[]) =>
      at.length === 0 ? [] : [{ url: 'https://ui/namespaces/default/workflows/acme/run' }],
    now: () => NOW,
  };
  return { ports: all as unknown as ExplainPorts, added, looked };
}

const TENANT = {
  tenant: 'acme',
  mapping: mappingConfig(),
  salesforce: { sweep: { everyMs: 300_000 } },
} as unknown as Parameters<typeof explainRecord>[1];
const ORDER = { id: CRM_ID, field: null, withValues: false } as const;

describe('an explanation', () => {
  it('names the leads that the deal was before', async () => {
    const former = { ...LINK, formerIds: ['00Q000000000001AAA'] };
    const { ports: given } = ports({ link: former, look: { ...LOOK, link: former } });
    expect((await explainRecord(given, TENANT, ORDER)).formerLeads).toEqual(['00Q000000000001AAA']);
    expect((await explainRecord(ports().ports, TENANT, ORDER)).formerLeads).toEqual([]);
  });

  it('tells of each field who changed it when, what was decided by which rule, and what was sent and answered', async () => {
    const result = await explainRecord(ports().ports, TENANT, ORDER);
    expect(result).toMatchObject({
      shape: 'explain/1',
      state: 'in-sync',
      linkedBy: 'linked',
      sentence: 'The vendor lacks description; nothing has reported the change yet (update-at-vendor).',
      next: { step: 'update-at-vendor', reason: 'a reason' },
      links: {
        crm: `https://org/${CRM_ID}`,
        vendor: 'https://vendor/v1/V1',
        temporal: 'https://ui/namespaces/default/workflows/acme/run',
      },
    });
    expect(result.fields.find(({ field }) => field === 'description')).toEqual({
      field: 'description',
      crmField: 'Description',
      direction: 'both',
      conflictRule: 'newest',
      crm: {
        changed: true,
        after: '2026-03-01T10:00:00.000Z',
        until: '2026-03-01T11:00:00.000Z',
        by: '005000000000002AAA',
      },
      vendor: { changed: false, after: null, until: null, by: null },
      verdict: 'to-vendor',
      decidedBy: 'changed in the CRM',
      lastDecision: null,
      lastWrite: {
        at: '2026-03-01T10:00:02.000Z',
        step: 'update-at-vendor',
        answer: 'updated',
        traceId: 'T1',
      },
    });
    expect(result.fields.find(({ field }) => field === 'closeDate')?.lastWrite).toBeNull();
  });

  it('says of a deal that is created in the CRM which fields are sent', async () => {
    const link = { ...LINK, crmId: null, state: 'new' as const, base: null };
    const create = {
      ...{ vendorId: 'V1', opportunity: { Name: 'Deal', Description: 'From the vendor' }, account: null },
      ...{ lines: [{ UnitPrice: '10' }], contacts: [] },
    };
    const created = { ...LOOK, link, plan: plan('create-in-crm', { create }) };
    const { fields } = await explainRecord(ports({ link, look: created }).ports, TENANT, { ...ORDER, id: 'V1' });
    const sent = fields.filter(({ verdict }) => verdict === 'sent');
    expect(sent.map(({ field, decidedBy }) => [field, decidedBy])).toEqual([
      ['name', 'a reason'],
      ['description', 'a reason'],
      ['offerLines', 'a reason'],
    ]);
  });

  it('names nobody: what an org shows as a user and is no id is left out', async () => {
    const { ports: given } = ports();
    const jane = { field: 'Description', at: '2026-03-01T11:30:00.000Z', by: 'Jane Roe\n  gate none' };
    const crm = { fieldChanges: async () => [jane] };
    const result = await explainRecord({ ...given, crm }, TENANT, ORDER);
    expect(result.fields.find(({ field }) => field === 'description')?.crm).toEqual({
      ...{ changed: true, after: jane.at, until: jane.at, by: null },
    });
  });

  it('holds no value and notes nobody, unless values are asked for', async () => {
    const { ports: given, added } = ports();
    expect(JSON.stringify(await explainRecord(given, TENANT, ORDER))).not.toMatch(/From the CRM|Old/);
    expect(added).toEqual([]);
    const result = await explainRecord(given, TENANT, { ...ORDER, field: 'description', withValues: true });
    expect(result.fields.map(({ values }) => values)).toEqual([
      { base: { crm: 'Old', vendor: 'Old' }, crm: 'From the CRM', vendor: 'Old' },
    ]);
    expect(added).toEqual([
      ['acme', CRM_ID, { at: NOW, kind: 'view', summary: { verb: 'explain', fields: 'description' }, decisions: [] }],
    ]);
  });

  it('shows no value of which the journal cannot be read', async () => {
    const { ports: given } = ports();
    const ledger = { ...given.ledger, addToJournal: () => Promise.reject(new Error('the ledger is out')) };
    const order = { ...ORDER, withValues: true };
    await expect(explainRecord({ ...given, ledger }, TENANT, order)).rejects.toThrow('the ledger is out');
  });

  it('tells what the ledger knows where a side cannot be read', async () => {
    const look = new QuotaUsedUp('2026-03-01T12:05:00.000Z', 300_000);
    const result = await explainRecord(ports({ look }).ports, TENANT, ORDER);
    expect(result).toMatchObject({ observedAt: null, next: null });
    expect(result.notObserved).toContain('used up until 2026-03-01T12:05:00.000Z');
    expect(result.sentence).toContain('the ledger says in-sync');
    expect(result.fields.every(({ verdict }) => verdict === null)).toBe(true);
  });

  it('passes on an error that is no remote’s', async () => {
    const { ports: given } = ports({ look: new TypeError('a mistake of ours') });
    await expect(explainRecord(given, TENANT, ORDER)).rejects.toThrow('a mistake of ours');
  });

  it('takes the id of a record that the ledger has not seen', async () => {
    const { ports: given, looked } = ports({ link: null });
    expect((await explainRecord(given, TENANT, ORDER)).state).toBe('unseen');
    await explainRecord(given, TENANT, { ...ORDER, id: 'V1' });
    expect(looked).toMatchObject([
      { crmId: CRM_ID, vendorId: null, base: null },
      { crmId: null, vendorId: 'V1', base: null },
    ]);
  });

  it('refuses an id that neither side shows', async () => {
    const look: ObservedDeal = { ...LOOK, crm: { kind: 'missing' }, plan: plan('detached') };
    await expect(explainRecord(ports({ link: null, look }).ports, TENANT, ORDER)).rejects.toThrow(UnknownRecord);
  });
});
