import { describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../../../src/domain/decide/withheld.ts';
import { evolve } from '../../../../src/domain/evolve/evolve.ts';
import type { CrmWriteOutcome, VendorWriteOutcome } from '../../../../src/domain/evolve/outcome.ts';
import { valuesRefusedByCrm, valuesRefusedByVendor } from '../../../../src/domain/evolve/refusal-issues.ts';
import { LINES, lineRow } from '../../../support/mapping/fixtures.ts';
import {
  type AnyPlan,
  decideOn,
  decideTo,
  linkSample,
  usualRecord,
  vendorReading,
} from '../../../support/value-engine/samples.ts';

const AT = '2026-03-01T12:00:00.000Z';
const usual = usualRecord();
const seen = vendorReading(usual);
const edited = { opportunity: { Description: 'ours', Vendor_Next_Milestone__c: 'call' }, vendor: seen };
const update = decideTo('update-at-vendor', edited);
const lines = decideTo('update-at-vendor', {
  graph: { lines: [...LINES, lineRow('00k000000000003AAA', 'OFFER-3', 7, null)] },
  vendor: seen,
});
const theirs = { vendor: vendorReading({ ...usual, description: 'theirs', nextMilestone: 'x'.repeat(300) }) };
const write = decideTo('write-crm', theirs);
const fresh = {
  crm: 'unlinked',
  link: { crmId: null, base: null },
  vendor: vendorReading({ ...usual, nextMilestone: 'long' }, { reference: null }),
} as const;
const made = decideTo('create-in-crm', fresh);

type ByVendor = Extract<VendorWriteOutcome, { type: 'vendor-refused' }>;
type ByCrm = Extract<CrmWriteOutcome, { type: 'crm-refused' }>;
const byVendor = (change: Partial<ByVendor> = {}): ByVendor => ({
  type: 'vendor-refused',
  plan: update,
  generation: 1,
  code: 'ERR_NEW',
  fields: [],
  named: [],
  offers: [],
  traceId: null,
  ...change,
});
const byCrm = (change: Partial<ByCrm> = {}): ByCrm => ({
  type: 'crm-refused',
  plan: write,
  generation: 1,
  code: 'STRING_TOO_LONG',
  fields: ['Vendor_Next_Milestone__c'],
  ...change,
});
const fieldsOf = (issues: readonly { readonly field: string | null }[]) => issues.map(({ field }) => field);

describe('values that the vendor refused by themselves', () => {
  test.each<[string, Partial<ByVendor>, readonly string[]]>([
    ['those of its paths', { fields: ['leadOpportunity.nextMilestone'] }, ['nextMilestone']],
    ['those that its words name', { named: ['nextMilestone', 'description'] }, ['description', 'nextMilestone']],
    ['none that was not sent', { named: ['gtmTacticId'] }, []],
    ['none, where it names none', {}, []],
    ['all lines of an update, where it says no more', { plan: lines, named: ['offerLines'] }, ['offerLines']],
    [
      'no lines of a create, which goes with none or not at all',
      { named: ['offerLines'], plan: decideTo('create-at-vendor', { link: { vendorId: null, base: null } }) },
      [],
    ],
    ['no dates, where it sent none', { code: 'ERR805' }, []],
    [
      'no dates, where none was bad',
      { plan: decideTo('update-at-vendor', { opportunity: { CloseDate: '2026-12-01' }, vendor: seen }) },
      [],
    ],
    [
      'all dates, of a bad one',
      {
        code: 'ERR805',
        plan: decideTo('update-at-vendor', {
          opportunity: { CloseDate: '2026-12-01', Description: 'ours' },
          vendor: seen,
        }),
      },
      ['closeDate'],
    ],
    [
      'the named one, of a bad date',
      {
        code: 'ERR805',
        named: ['description'],
        plan: decideTo('update-at-vendor', {
          opportunity: { CloseDate: '2026-12-01', Description: 'ours' },
          vendor: seen,
        }),
      },
      ['description'],
    ],
  ])('are %s', (_, change, fields) => {
    expect(fieldsOf(valuesRefusedByVendor(byVendor(change)))).toEqual(fields);
  });

  test.each<[string, Partial<ByVendor>]>([
    ['by its offer', { named: ['offerLines'], offers: ['OFFER-3'] }],
    ['by its place', { fields: ['offerLines[2].amount'] }],
  ])('are a line that it names %s', (_, change) => {
    const [line, ...more] = valuesRefusedByVendor(byVendor({ plan: lines, ...change }));
    expect(more).toEqual([]);
    expect(line).toMatchObject({ code: 'vendor-refused', field: 'offerLines' });
    expect(line?.message).toContain('the product line OFFER-3 (ERR_NEW)');
  });

  test('are reported each with its mark, and leave the rest due', () => {
    const change = evolve(linkSample(), byVendor({ named: ['nextMilestone'] }), AT);
    expect(change).toMatchObject({
      state: 'parked',
      issues: [
        {
          code: 'vendor-refused',
          field: 'nextMilestone',
          fingerprint: fingerprintOf('call', update.savedAt),
        },
      ],
    });
    expect(change).not.toHaveProperty('observedGeneration');
    expect(change).not.toHaveProperty('refusedFingerprint');
  });
});

describe('values that the CRM refused by themselves', () => {
  test.each<[string, Partial<ByCrm>, readonly string[]]>([
    ['those that it names', {}, ['nextMilestone']],
    ['none that was not written', { fields: ['Vendor_GTM_Tactic__c', 'Name'] }, []],
    ['none, where it names none', { fields: [] }, []],
    ['those of an import', { plan: made }, ['nextMilestone']],
    ['none that an import cannot be without', { plan: made, fields: ['Name', 'CloseDate', 'StageName'] }, []],
    [
      'any, of a write',
      {
        plan: decideTo('write-crm', { vendor: vendorReading({ ...usual, name: 'Theirs' }) }),
        fields: ['Name'],
      },
      ['name'],
    ],
  ])('are %s', (_, change, fields) => {
    expect(fieldsOf(valuesRefusedByCrm(byCrm(change)))).toEqual(fields);
  });

  test('are reported each with its mark, and leave the rest due', () => {
    const change = evolve(linkSample(), byCrm(), AT);
    expect(change).toMatchObject({
      state: 'parked',
      issues: [
        {
          code: 'crm-refused',
          field: 'nextMilestone',
          fingerprint: fingerprintOf('x'.repeat(300), write.write.ifUnmodifiedSince),
        },
      ],
    });
    expect(change).not.toHaveProperty('observedGeneration');
    expect(change).not.toHaveProperty('crmRefusedFingerprint');
  });
});

describe('what was refused by itself', () => {
  const vendorIssues = valuesRefusedByVendor(byVendor({ named: ['nextMilestone'] }));

  test('is left out of the next update, and reported', () => {
    const next = decideOn({ ...edited, link: { issues: vendorIssues } });
    expect(next).toMatchObject({ next: 'update-at-vendor', issues: vendorIssues, stateAfter: 'parked' });
    expect(next.intent?.fields).toEqual(['description']);
    expect(verdictOf(next)).toBe('withheld');
    expect(next.baseAfter?.crm.nextMilestone).toBe(usual.nextMilestone);
  });

  test('is sent again once it is changed, saved, or long ago', () => {
    const changed = { Description: 'ours', Vendor_Next_Milestone__c: 'mail' };
    const saved = { ...edited.opportunity, SystemModstamp: '2026-03-01T11:30:00.000Z' };
    for (const given of [{ opportunity: changed }, { opportunity: saved }, { sendsRefusedAgain: true }])
      expect(decideOn({ ...edited, ...given, link: { issues: vendorIssues } }).intent?.fields).toEqual([
        'description',
        'nextMilestone',
      ]);
  });

  test('is left out of a create, and reported', () => {
    const link = { vendorId: null, base: null };
    const create = decideTo('create-at-vendor', { opportunity: edited.opportunity, link });
    const refused = valuesRefusedByVendor(byVendor({ plan: create, named: ['nextMilestone'] }));
    const next = decideOn({ opportunity: edited.opportunity, link: { ...link, issues: refused } });
    expect(next.next).toBe('create-at-vendor');
    expect(next.intent?.fields).not.toContain('nextMilestone');
    expect(next.issues).toEqual(refused);
    expect(next.baseAfter?.crm.nextMilestone).toBeNull();
  });

  describe('a line', () => {
    const change = { graph: { lines: [...LINES, lineRow('00k000000000003AAA', 'OFFER-3', 7, null)] } };
    const [line] = valuesRefusedByVendor(byVendor({ plan: lines, offers: ['OFFER-3'] }));
    const link = { issues: line === undefined ? [] : [line] };
    const offersOf = (plan: AnyPlan) => plan.intent?.record.offerLines?.map((row) => row.offerNameId);

    test('is left out of the next update, and stays open', () => {
      const graph = {
        lines: [LINES[0], lineRow('00k000000000002AAA', 'OFFER-B', 300, null), change.graph.lines[2]],
      };
      const next = decideOn({ graph: graph as typeof change.graph, vendor: seen, link });
      expect(next).toMatchObject({ next: 'update-at-vendor', issues: [line], stateAfter: 'parked' });
      expect(offersOf(next)).toEqual(['OFFER-A', 'OFFER-B']);
      expect(next.baseAfter?.crm.offerLines).toHaveLength(2);
    });

    test('keeps the others back where the vendor has one of its offer', () => {
      const vendor = vendorReading({
        ...usual,
        offerLines: [...(usual.offerLines ?? []), { offerNameId: 'OFFER-3', amount: '1', revenueType: null }],
      });
      expect(offersOf(decideOn({ ...change, vendor, link }))).toBeUndefined();
    });
  });

  test('is left out of the next try of an import, reported, and no part of what both sides agree on', () => {
    const refused = valuesRefusedByCrm(byCrm({ plan: made }));
    const next = decideOn({ ...fresh, link: { ...fresh.link, issues: refused } });
    expect(next).toMatchObject({ next: 'create-in-crm', issues: refused, stateAfter: 'parked' });
    expect(next.create?.opportunity).not.toHaveProperty('Vendor_Next_Milestone__c');
    expect(next.baseAfter?.vendor).not.toHaveProperty('nextMilestone');
  });
});

function verdictOf(plan: AnyPlan): string | undefined {
  return plan.decisions.find(({ field }) => field === 'nextMilestone')?.verdict;
}
