import { describe, expect, test } from 'vitest';
import { baseAfterImport } from '../../../../src/domain/base/after-import.ts';
import { goneLines } from '../../../../src/domain/base/deleted-lines.ts';
import {
  baseOfImportedLead,
  withCrmWritesResolved,
  withImportSavedAgain,
  withInDoubtCrmWrite,
  withInDoubtVendorWrite,
  withLateArrival,
  withVendorWritesResolved,
} from '../../../../src/domain/base/in-doubt-writes.ts';
import { observeCrm } from '../../../../src/domain/mapping/index.ts';
import type { Base } from '../../../../src/domain/record/base.ts';
import { EMPTY_BASE } from '../../../../src/domain/record/base.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import type { CrmFields } from '../../../../src/domain/record/crm-graph.ts';
import type { CrmObservation } from '../../../../src/domain/record/observation.ts';
import { crmGraph, lineRow, mappingConfig, OPPORTUNITY } from '../../../support/mapping/fixtures.ts';
import {
  agreedBase,
  decideOn,
  decideTo,
  usualRecord,
  V1,
  V2,
  vendorReading,
} from '../../../support/value-engine/samples.ts';

const config = mappingConfig();
const usual = usualRecord();
const observe = (opportunity: CrmFields = {}): CrmObservation => observeCrm(crmGraph(opportunity), config);
const stamp = String(OPPORTUNITY['SystemModstamp']);
const LATER = '2026-03-01T15:00:00.000Z';
const LEFT_AT = '2026-03-01T11:00:00.000Z';

describe('an import in doubt', () => {
  const import_ = decideTo('create-in-crm', {
    link: { crmId: null, base: null },
    crm: 'unlinked',
    vendor: vendorReading(usual, { reference: null }),
  });
  const inDoubt = withInDoubtCrmWrite(import_, config);

  test('that has saved the opportunity again keeps that note beside a further attempt', () => {
    const noted = withImportSavedAgain(inDoubt);
    expect(noted).toEqual({ ...inDoubt, inDoubtCrmWrites: { ...inDoubt.inDoubtCrmWrites, isSavedAgain: true } });
    const again = withInDoubtCrmWrite({ ...import_, baseBefore: noted }, config);
    expect(again.inDoubtCrmWrites).toMatchObject({ isSavedAgain: true });
    expect(again.inDoubtCrmWrites?.sent).toHaveLength(2);
  });

  test.each<[string, Base | null]>([
    ['a base without a write in doubt', agreedBase(usual)],
    ['a base with an update in doubt', { ...agreedBase(usual), inDoubtCrmWrites: { basedOnVersion: stamp, sent: [] } }],
    ['no base', null],
  ])('is not noted on %s', (_, base) => {
    expect(withImportSavedAgain(base)).toEqual(base);
  });
});

describe('a lead that an import in doubt may have made', () => {
  const sent = { name: 'a', description: 'b', nextMilestone: 'c' };
  const imported = (...values: readonly string[]): Base => ({
    ...EMPTY_BASE,
    inDoubtCrmWrites: {
      basedOnVersion: null,
      sent: values.map((nextMilestone) => ({ crm: { ...sent, nextMilestone }, vendor: { ...sent, nextMilestone } })),
    },
  });
  const shows = (record: Observed): CrmObservation => ({ graph: crmGraph(), record, issues: [] });

  test('agrees with the vendor on the attempt that the lead shows', () => {
    const base = baseOfImportedLead(imported('c', 'later'), shows(sent), config);
    expect(base?.crm).toMatchObject(sent);
    expect(base?.vendor).toMatchObject(sent);
    expect(base).not.toHaveProperty('inDoubtCrmWrites');
  });

  test.each<[string, Base | null, Observed]>([
    ['shows another deal', imported('c'), { name: 'x', description: 'y', nextMilestone: 'c' }],
    ['belongs to a deal without an import in doubt', agreedBase(usual), sent],
    ['belongs to a deal on which nothing is agreed', null, sent],
  ])('has no agreed values if it %s', (_, base, record) => {
    expect(baseOfImportedLead(base, shows(record), config)).toBeNull();
  });
});

describe('a CRM write uncertain', () => {
  const plan = decideTo('write-crm', { vendor: vendorReading({ ...usual, name: 'Theirs' }) });
  const uncertain = withInDoubtCrmWrite(plan, config);

  test('notes what both sides would agree on, and the version it rests on', () => {
    expect(uncertain.inDoubtCrmWrites).toEqual({
      basedOnVersion: stamp,
      sent: [{ crm: { name: 'Theirs' }, vendor: { name: 'Theirs' } }],
    });
    expect(uncertain.crm.name).toBe(usual.name);
  });

  test('notes which lines were gone where it knows what it rests on, and no more than there is', () => {
    const [sent] = withInDoubtCrmWrite(plan, config, crmGraph()).inDoubtCrmWrites?.sent ?? [];
    expect(sent).toHaveProperty('goneLines', goneLines(crmGraph()));
    const [without] = uncertain.inDoubtCrmWrites?.sent ?? [];
    expect(Object.keys(without ?? {})).toEqual(['crm', 'vendor']);
  });

  test('notes what goes to the CRM alone', () => {
    const both = decideTo('write-crm', {
      vendor: vendorReading({ ...usual, name: 'Theirs', gtmTacticId: 'same', customerContacts: [] }),
      opportunity: { Vendor_GTM_Tactic__c: 'same' },
    });
    expect(both.decisions.map(({ verdict }) => verdict).sort()).toEqual(['ignored', 'same', 'to-crm']);
    expect(withInDoubtCrmWrite(both, config).inDoubtCrmWrites?.sent).toEqual([
      { crm: { name: 'Theirs' }, vendor: { name: 'Theirs' } },
    ]);
  });

  test('is no import, which most of what was sent would tell', () => {
    const sent = [{ crm: { name: 'Theirs' }, vendor: { name: 'Theirs' } }];
    const base: Base = { ...agreedBase(usual), inDoubtCrmWrites: { basedOnVersion: stamp, sent } };
    const settled = withCrmWritesResolved(base, observe({ Name: 'Theirs', SystemModstamp: LATER }), config);
    expect([settled.crm.description, settled.vendor]).toEqual([usual.description, { ...usual, name: 'Theirs' }]);
  });

  test('stays while the version stands', () => {
    expect(withCrmWritesResolved(uncertain, observe({ Name: 'Theirs' }), config)).toEqual(uncertain);
  });

  test('of an opportunity without a version is over with the next look', () => {
    const sent = [{ crm: { name: 'Theirs' }, vendor: { name: 'Theirs' } }];
    const base: Base = { ...agreedBase({ name: 'a' }), inDoubtCrmWrites: { basedOnVersion: null, sent } };
    const settled = withCrmWritesResolved(base, observe({ Name: 'Mine', SystemModstamp: null }), config);
    expect(settled).not.toHaveProperty('inDoubtCrmWrites');
  });

  test('adds to an earlier one of the same version, and replaces one of another', () => {
    const again = (basedOnVersion: string): Base =>
      withInDoubtCrmWrite({ ...plan, baseBefore: earlier(basedOnVersion) }, config);
    const earlier = (basedOnVersion: string): Base => ({
      ...uncertain,
      inDoubtCrmWrites: { basedOnVersion, sent: [{ crm: {}, vendor: {} }] },
    });
    expect(again(stamp).inDoubtCrmWrites?.sent).toHaveLength(2);
    expect(again(LATER).inDoubtCrmWrites?.sent).toHaveLength(1);
  });

  test('has the vendor read before anything else is written', () => {
    expect(decideOn({ link: { base: uncertain }, opportunity: { Name: 'Mine' } })).toMatchObject({
      next: 'read-vendor',
      reason: 'a write to the CRM may have been applied',
    });
  });
});

describe('an import in the CRM', () => {
  const vendor = vendorReading({ ...usual, name: 'Entered' }, { reference: null });
  const plan = decideTo('create-in-crm', { link: { crmId: null, base: null }, crm: 'unlinked', vendor });
  const made: CrmFields = { Name: 'Entered', CreatedById: 'us', LastModifiedById: 'us' };

  test('has lines with the ids that they got, edited or not', () => {
    const lines = [lineRow('L1', 'OFFER-A', 1, 'UPFRONT'), lineRow('L2', 'OFFER-B', 250, null)];
    const crm = observeCrm(crmGraph(made, { lines }), config);
    const base = baseAfterImport(plan, crm, config);
    expect(base.crm.offerLines).toMatchObject([
      { crmLineId: 'L1', amount: vendor.record.offerLines?.[0]?.amount },
      { crmLineId: 'L2', amount: '250' },
    ]);
    expect(base.linePairs).toEqual([
      { crmLineId: 'L1', position: 0 },
      { crmLineId: 'L2', position: 1 },
    ]);
  });

  test('uncertain is recognised by most of what was sent, whatever else was edited', () => {
    const uncertain = withInDoubtCrmWrite(plan, config);
    expect(uncertain).toMatchObject({ ...EMPTY_BASE, inDoubtCrmWrites: { basedOnVersion: null } });
    const base = withCrmWritesResolved(uncertain, observe({ Name: 'Entered', CloseDate: '2031-01-01' }), config);
    expect(base.crm.closeDate).toBe(vendor.record.closeDate);
  });

  test('uncertain of which several left is recognised field by field', () => {
    const first = { name: 'Entered', description: 'x', closeDate: '2027-01-01' };
    const second = { ...first, closeDate: '2027-02-02', nextMilestone: 'entered meanwhile' };
    const sent = [first, second].map((record) => ({ crm: record, vendor: record }));
    const uncertain: Base = { ...EMPTY_BASE, inDoubtCrmWrites: { basedOnVersion: null, sent } };
    const shown = {
      Name: 'Entered',
      Description: 'x',
      CloseDate: '2027-01-01',
      Vendor_Next_Milestone__c: null,
    };
    const base = withCrmWritesResolved(uncertain, observe(shown), config);
    expect([base.crm.nextMilestone, base.vendor.nextMilestone]).toEqual([null, undefined]);
    expect([base.crm.closeDate, base.vendor.closeDate]).toEqual(['2027-01-01', '2027-01-01']);
    const edited = withCrmWritesResolved(uncertain, observe({ ...shown, CloseDate: '2031-01-01' }), config);
    expect([edited.crm.closeDate, edited.vendor.closeDate]).toEqual([undefined, undefined]);
  });
});

describe('an update uncertain', () => {
  test('notes the CRM’s value beside the vendor’s, and no list that also goes to the CRM', () => {
    const seen = vendorReading({
      ...usual,
      offerLines: (usual.offerLines ?? []).map(({ crmLineId, ...line }, at) => ({
        ...line,
        ...(at === 0 ? { amount: '7' } : {}),
      })),
    });
    const lines = [lineRow('00k000000000001AAA', 'OFFER-A', 100.1, 'UPFRONT')];
    const plan = decideTo('update-at-vendor', {
      opportunity: { Name: 'Mine' },
      graph: { lines },
      vendor: seen,
    });
    expect(plan.intent.fields).toEqual(['name', 'offerLines']);
    expect(withInDoubtVendorWrite(plan, LEFT_AT).inDoubtVendorWrites?.sent).toEqual([
      { crm: { name: 'Mine' }, vendor: { name: 'Mine' }, leftAt: LEFT_AT },
    ]);
  });

  test('of a pair that never agreed stands alone', () => {
    const plan = decideTo('update-at-vendor', {
      link: { base: null },
      opportunity: { Name: 'Mine' },
      vendor: vendorReading(usual),
    });
    expect(withInDoubtVendorWrite({ ...plan, baseBefore: null }, LEFT_AT)).toMatchObject(EMPTY_BASE);
    expect(agreedBase(usual)).not.toHaveProperty('inDoubtVendorWrites');
  });

  test('that comes late is one of those of which that is not known already', () => {
    const plan = decideTo('update-at-vendor', { opportunity: { Name: 'Old' }, vendor: vendorReading(usual) });
    const [before, sent] = ['b', 'Old'].map((name) => ({ crm: { name }, vendor: { name } }));
    const base: Base = {
      ...agreedBase(usual),
      inDoubtVendorWrites: { basedOnVersion: null, sent: before ? [before] : [] },
    };
    expect(withLateArrival(base, plan, LEFT_AT).inDoubtVendorWrites).toEqual({
      basedOnVersion: V1,
      sent: [before, { ...sent, leftAt: LEFT_AT }],
    });
  });

  describe('that changed a list', () => {
    const sent = { reasonWon: ['NEW'] };
    const uncertain: Base = {
      ...agreedBase({ ...usual, reasonWon: ['OLD'] }),
      inDoubtVendorWrites: { basedOnVersion: V1, sent: [{ crm: sent, vendor: sent }] },
    };
    const shown = (reasonWon: readonly string[]) =>
      withVendorWritesResolved(uncertain, vendorReading({ ...usual, reasonWon }, { version: V2 }), config);

    test('awaits its echo where the vendor retains what was removed', () => {
      expect(shown(['OLD', 'NEW'])).toMatchObject({
        crm: sent,
        vendor: sent,
        awaitingEcho: ['reasonWon'],
        basedOn: { version: V1, previousValues: { reasonWon: [['OLD']] } },
      });
    });

    test.each([[['NEW']], [['OLD']], [['NEW', 'THEIRS']], [['OLD', 'NEW', 'THEIRS']]])(
      'awaits none where the vendor shows %s',
      (reasonWon) => {
        expect(shown(reasonWon).awaitingEcho).toEqual([]);
      },
    );
  });
});
