import { describe, expect, test } from 'vitest';
import { holdOf, holdOfContact, holdOfField, holdOfVendorLine } from '../../../../src/domain/decide/holds.ts';
import { goesOnAfterRefusal, holdsAfterRefusal } from '../../../../src/domain/evolve/after-refusal.ts';
import { evolve } from '../../../../src/domain/evolve/evolve.ts';
import type { CrmWriteOutcome, VendorWriteOutcome } from '../../../../src/domain/evolve/outcome.ts';
import type { OfferLine } from '../../../../src/domain/record/canonical.ts';
import type { Issue } from '../../../../src/domain/record/issue.ts';
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
/** The fields of the issues about parts; empty where the whole write is held back. */
const fieldsOf = (issues: readonly Issue[]) =>
  issues.filter(({ hold }) => hold?.part !== 'record').map(({ field }) => field);

describe('values that the vendor refused by themselves', () => {
  test.each<[string, Partial<ByVendor>, readonly string[]]>([
    ['those of its paths', { fields: ['leadOpportunity.nextMilestone'] }, ['nextMilestone']],
    ['those that its words name', { named: ['nextMilestone', 'description'] }, ['description', 'nextMilestone']],
    ['none that was not sent', { named: ['gtmTacticId'] }, []],
    ['none, where it names none', {}, []],
    [
      'one that a create needs, of an update',
      { named: ['name'], plan: decideTo('update-at-vendor', { opportunity: { Name: 'Ours' }, vendor: seen }) },
      ['name'],
    ],
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
    expect(fieldsOf(holdsAfterRefusal(byVendor(change)))).toEqual(fields);
  });

  test.each<[string, Partial<ByVendor>]>([
    ['by its offer', { named: ['offerLines'], offers: ['OFFER-3'] }],
    ['by its place', { fields: ['offerLines[2].amount'] }],
  ])('are a line that it names %s', (_, change) => {
    const [line, ...more] = holdsAfterRefusal(byVendor({ plan: lines, ...change }));
    expect(more).toEqual([]);
    const sent = lines.intent.record.offerLines?.[2] ?? ({} as OfferLine);
    expect(line).toMatchObject({
      code: 'vendor-refused',
      field: 'offerLines',
      ...holdOfVendorLine(sent, lines.savedAt),
    });
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
          ...holdOfField('vendor', 'nextMilestone', 'call', update.savedAt),
        },
      ],
    });
    expect(change).not.toHaveProperty('observedGeneration');
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
    expect(fieldsOf(holdsAfterRefusal(byCrm(change)))).toEqual(fields);
  });

  test('are reported each with its mark, and leave the rest due', () => {
    const change = evolve(linkSample(), byCrm(), AT);
    expect(change).toMatchObject({
      state: 'parked',
      issues: [
        {
          code: 'crm-refused',
          field: 'nextMilestone',
          ...holdOfField('crm', 'nextMilestone', 'x'.repeat(300), write.write.ifUnmodifiedSince),
        },
      ],
    });
    expect(change).not.toHaveProperty('observedGeneration');
  });
});

describe('lines and contacts that the CRM refused', () => {
  const added = decideTo('write-crm', {
    vendor: vendorReading({
      ...usual,
      offerLines: [...(usual.offerLines ?? []), { offerNameId: 'OFFER-C', amount: '7', revenueType: null }],
    }),
  });
  const savedAt = added.write.ifUnmodifiedSince;
  const [row] = added.write.lines.create;
  const allLines = holdOfField('crm', 'offerLines', added.write.lines, savedAt);
  const contact = holdOfContact(usual.customerContacts?.[0]?.email);
  const of = (of: 'account' | 'line' | 'contact', created: number | null) => ({
    part: { of, created },
    fields: ['Name'],
  });
  const whole = { hold: { part: 'record' } };

  test.each<[string, Partial<ByCrm>, object]>([
    ['a new line waits alone', { plan: added, ...of('line', 0) }, holdOf('crm', 'line', row, savedAt)],
    ['an existing line waits with all changes of lines', { plan: added, ...of('line', null) }, allLines],
    ['a line that the write does not create waits with all', { plan: added, ...of('line', 5) }, allLines],
    ['an unknown line of an import holds back all', { plan: made, ...of('line', null) }, whole],
    ['a contact of an import waits alone', { plan: made, ...of('contact', 0) }, contact],
    ['an unknown contact of an import holds back all', { plan: made, ...of('contact', null) }, whole],
    ['a contact that the import does not create holds back all', { plan: made, ...of('contact', 9) }, whole],
    ['a contact of an update holds back all', { plan: added, ...of('contact', 0) }, whole],
    [
      'an account holds back all, whatever its fields are called',
      { plan: write, part: { of: 'account', created: 0 } },
      whole,
    ],
  ])('%s', (_, change, expected) => {
    const outcome = byCrm(change);
    const issues = holdsAfterRefusal(outcome);
    expect(issues).toMatchObject([expected]);
    expect(goesOnAfterRefusal(outcome)).toBe(issues[0]?.hold?.part !== 'record');
  });

  test('name the line', () => {
    const outcome = byCrm({ plan: added, code: 'REFUSED', part: { of: 'line', created: 0 }, fields: ['TotalPrice'] });
    expect(holdsAfterRefusal(outcome)[0]?.message).toContain('line OFFER-C (REFUSED at "Total Price")');
  });
});

describe('a whole write that was refused', () => {
  const unsent = { fields: ['leadOpportunity.gtmTacticId'] };
  test.each<[string, Partial<ByVendor> | Partial<ByCrm>, string]>([
    ['the paths in the vendor’s error', byVendor({ ...unsent, named: ['competitors'] }), 'gtmTacticId'],
    ['else the fields that its message names', byVendor({ named: ['competitors'] }), 'competitors'],
    ['an account', byCrm({ plan: made, fields: [], part: { of: 'account', created: 0 } }), 'create an account'],
    [
      'an account by its code',
      byCrm({ plan: made, fields: [], code: 'UNKNOWN_ACCOUNT_RECORD_TYPE' }),
      'create an account',
    ],
    ['an opportunity', byCrm({ plan: made, fields: [] }), 'create an opportunity'],
    ['a change', byCrm({ fields: [] }), 'refused a change'],
  ])('names %s', (_, outcome, words) => {
    expect(holdsAfterRefusal(outcome as ByVendor | ByCrm)[0]?.message).toContain(words);
    expect(goesOnAfterRefusal(outcome as ByVendor | ByCrm)).toBe(false);
  });

  test('goes on only with the CRM’s half of a merge', () => {
    const vendor = vendorReading({ ...usual, description: 'theirs' });
    const both = decideTo('update-at-vendor', { opportunity: { Name: 'Ours' }, vendor });
    expect(goesOnAfterRefusal(byVendor({ plan: both }))).toBe(true);
    expect(evolve(linkSample(), byVendor({ plan: both }), AT)).not.toHaveProperty('observedGeneration');
    expect(evolve(linkSample(), byVendor(), AT)).toMatchObject({ observedGeneration: 1 });
  });
});

describe('what was refused by itself', () => {
  const vendorIssues = holdsAfterRefusal(byVendor({ named: ['nextMilestone'] }));

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
    const refused = holdsAfterRefusal(byVendor({ plan: create, named: ['nextMilestone'] }));
    const next = decideOn({ opportunity: edited.opportunity, link: { ...link, issues: refused } });
    expect(next.next).toBe('create-at-vendor');
    expect(next.intent?.fields).not.toContain('nextMilestone');
    expect(next.issues).toEqual(refused);
    expect(next.baseAfter?.crm.nextMilestone).toBeNull();
  });

  describe('a line', () => {
    const change = { graph: { lines: [...LINES, lineRow('00k000000000003AAA', 'OFFER-3', 7, null)] } };
    const [line] = holdsAfterRefusal(byVendor({ plan: lines, offers: ['OFFER-3'] }));
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
    const refused = holdsAfterRefusal(byCrm({ plan: made }));
    const next = decideOn({ ...fresh, link: { ...fresh.link, issues: refused } });
    expect(next).toMatchObject({ next: 'create-in-crm', issues: refused, stateAfter: 'parked' });
    expect(next.create?.opportunity).not.toHaveProperty('Vendor_Next_Milestone__c');
    expect(next.baseAfter?.vendor).not.toHaveProperty('nextMilestone');
  });
});

function verdictOf(plan: AnyPlan): string | undefined {
  return plan.decisions.find(({ field }) => field === 'nextMilestone')?.verdict;
}
