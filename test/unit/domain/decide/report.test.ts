import { describe, expect, test } from 'vitest';
import {
  dueReport,
  essential,
  type ReportInput,
  refreshedSync,
  reportInput,
  vendorStatusOf,
  waitingReport,
} from '../../../../src/domain/decide/report.ts';
import { NO_SIDES } from '../../../../src/domain/decide/report-fields.ts';
import { isGone, TO_EMPTY, withGone, withRowUnknown, withWait } from '../../../../src/domain/decide/reported.ts';
import { emptySyncFields } from '../../../../src/domain/mapping/index.ts';
import type { Issue } from '../../../../src/domain/record/issue.ts';
import { shownState, stateOf } from '../../../../src/domain/record/link-state.ts';
import { referenceKind } from '../../../../src/domain/record/reference.ts';
import type { Reported } from '../../../../src/domain/record/reported.ts';
import { scopeOf } from '../../../../src/domain/record/scope.ts';
import { fingerprint } from '../../../../src/domain/values/fingerprint.ts';
import { sees } from '../../../support/ledger/ledger-samples.ts';
import { agreedBase, linkSample, usualRecord, V1, V2, vendorReading } from '../../../support/value-engine/samples.ts';

const issue = (code: Issue['code'], message = code as string): Issue => ({ code, field: null, message });
const NO_VALUES = { Vendor_Filled__c: null, Conflict_Values__c: null };
const usual: ReportInput = {
  crmId: '006000000000001AAA',
  vendorId: 'DS-1',
  state: 'in-sync',
  issues: [],
  vendorObservation: null,
  vendorStatus: 'OPPY_OPEN',
  reported: null,
};
const reported = dueReport(usual)?.shows ?? null;

describe('what the CRM’s users are shown', () => {
  test('first all of it, then nothing as long as nothing changes', () => {
    expect(dueReport(usual)?.report).toEqual({
      opportunityId: usual.crmId,
      opportunity: { Vendor_Id__c: 'DS-1', Vendor_Status__c: 'OPPY_OPEN' },
      sync: { Sync_State__c: 'In sync', Message__c: null, Conflict_Values__c: null },
    });
    expect(dueReport({ ...usual, reported })).toBeNull();
  });

  test('only the sync row while an import is in doubt, and the opportunity’s fields after it', () => {
    const base = agreedBase(usualRecord(), { inDoubtCrmWrites: { basedOnVersion: null, sent: [] } });
    const link = linkSample({ base, reported: null });
    const inDoubt = dueReport(reportInput(link));
    expect(inDoubt?.report.opportunity).toEqual({});
    const { inDoubtCrmWrites: _, ...resolved } = base;
    const after = dueReport(reportInput({ ...link, base: resolved, reported: inDoubt?.shows ?? null }));
    expect(after?.report.opportunity).toMatchObject({ Vendor_Id__c: link.vendorId });
  });

  test('what is filled in hides no other news', () => {
    const filled = { ...usual, vendorObservation: vendorReading({}), filled: 'A__c: a' };
    const before = dueReport(filled)?.shows ?? null;
    expect(dueReport({ ...filled, reported: before })).toBeNull();
    expect(dueReport({ ...filled, reported: before, state: 'pending' })?.report.sync).toMatchObject({
      Sync_State__c: 'Pending',
    });
  });

  test('of more than the field holds, the beginning', () => {
    const issues = [issue('conflict', 'x'.repeat(40_000))];
    expect(dueReport({ ...usual, issues })?.report.sync['Message__c']).toBe('x'.repeat(32_768));
  });

  test.each<[string, Partial<ReportInput>, object, object]>([
    ['a state alone leaves the opportunity', { state: 'pending' }, {}, { Sync_State__c: 'Pending' }],
    [
      'issues',
      { state: 'parked', issues: [issue('conflict', 'a'), issue('conflict', 'b')] },
      {},
      { Message__c: 'a\nb' },
    ],
    ['a status', { vendorStatus: 'WON' }, { Vendor_Status__c: 'WON' }, { Sync_State__c: 'In sync' }],
    [
      'read-only fields',
      { vendorObservation: vendorReading({}, { readOnly: { poNumber: '7' } }) },
      {},
      { PO_Number__c: '7', Vendor_Filled__c: null },
    ],
    [
      'what the vendor has filled in',
      { vendorObservation: vendorReading({}), filled: 'A__c: a' },
      {},
      { Vendor_Filled__c: 'A__c: a' },
    ],
  ])('%s', (_, change, opportunity, sync) => {
    const { report } = dueReport({ ...usual, reported, ...change }) ?? {};
    expect(Object.keys(report?.opportunity ?? {}).length > 0).toBe(Object.keys(opportunity).length > 0);
    expect(report).toMatchObject({ opportunity, sync });
  });

  test.each<[ReportInput['state'], string]>([
    ['new', 'Pending'],
    ['pending', 'Pending'],
    ['in-sync', 'In sync'],
    ['conflict', 'Conflict'],
    ['parked', 'Parked'],
    ['detached', 'Detached'],
    ['vendor-missing', 'Vendor missing'],
    ['superseded', 'Detached'],
  ])('the state %s as %s', (state, label) => {
    const before = sees('before');
    expect(dueReport({ ...usual, reported: before, state })?.report.sync['Sync_State__c']).toBe(label);
  });

  test('of a record that is not yet at the vendor, nothing that the vendor has', () => {
    const { report } = dueReport({ ...usual, vendorId: null, vendorStatus: null }) ?? {};
    expect(report?.opportunity).toEqual({});
  });

  test('that a record left the scope, and then nothing of what goes on at the vendor', () => {
    const left = dueReport({ ...usual, reported, state: 'detached', vendorStatus: 'WON' });
    expect(left?.report).toEqual({
      opportunityId: usual.crmId,
      opportunity: {},
      sync: { Sync_State__c: 'Detached', Message__c: null, Conflict_Values__c: null, ...NO_SIDES },
    });
    const result = {
      ...usual,
      reported: left?.shows ?? null,
      vendorObservation: vendorReading({ status: 'WON' }),
    };
    expect(dueReport({ ...result, state: 'detached', vendorStatus: 'LOST' })).toBeNull();
    expect(dueReport({ ...result, vendorStatus: 'WON' })?.report.opportunity).toMatchObject({
      Vendor_Status__c: 'WON',
    });
    expect(dueReport({ ...usual, reported: result.reported })?.report).toEqual({
      opportunityId: usual.crmId,
      opportunity: {},
      sync: { Sync_State__c: 'In sync', Message__c: null, Conflict_Values__c: null },
    });
  });

  test('what a side said of its refusals: each text once, apart from the message, until it is gone', () => {
    const said = (text: string): Issue => ({ ...issue('vendor-refused', `refused ${text}`), said: text });
    const link = (issues: readonly Issue[], shows: Reported | null) =>
      linkSample({ crmId: usual.crmId, vendorId: 'DS-1', issues, reported: shows });
    const first = dueReport(reportInput(link([said('a'), said('a'), said('b')], null)));
    expect(first?.report.sync).toMatchObject({ Conflict_Values__c: 'a\nb' });
    expect(first?.report.sync['Message__c']).not.toContain('\na');
    const after = dueReport(reportInput(link([], first?.shows ?? null)));
    expect(after?.report.sync).toMatchObject({ Message__c: null, Conflict_Values__c: null });
  });

  test.each<[string, Partial<ReportInput>]>([
    ['of a record that is not in the CRM', { crmId: null }],
    ['of one that was never shared', { state: 'detached' }],
  ])('nothing %s', (_, change) => {
    expect(dueReport({ ...usual, ...change })).toBeNull();
  });
});

describe('what goes along with a write of the deal', () => {
  const vendorObservation = vendorReading({}, { readOnly: { modifiedDate: V2 } });
  test.each<[string, Partial<ReportInput>, object | null]>([
    [
      'the times, where the rest is known',
      { reported, vendorObservation },
      { Sync_State__c: 'In sync', Message__c: null, ...NO_VALUES, Vendor_Modified__c: V2 },
    ],
    ['nothing, before anything was told', { vendorObservation }, null],
    ['nothing, of a record that was never shared', { vendorObservation, state: 'detached' }, null],
    ['nothing, where there is news to tell', { reported, vendorObservation, state: 'pending' }, null],
  ])('%s', (_, change, expected) => {
    expect(refreshedSync({ ...usual, ...change })).toEqual(expected);
  });
});

describe('the vendor’s status as it is reported', () => {
  const base = agreedBase({ status: 'QUALIFIED' });
  const pending = {
    ...base,
    awaitingEcho: ['status' as const],
    basedOn: { version: V1, previousValues: { status: ['LEAD_OPEN'] } },
  };
  const shows = (status: string, version: string | null): ReturnType<typeof vendorReading> =>
    vendorReading({ status }, { version });
  test.each<[string, Parameters<typeof vendorStatusOf>, string | null]>([
    ['nothing is known', [null, null], null],
    ['as agreed, when never read', [base, null], 'QUALIFIED'],
    ['as shown last, though the CRM cannot follow', [base, shows('X_NEW', V2)], 'X_NEW'],
    ['as shown, before anything is agreed', [null, shows('X_NEW', V2)], 'X_NEW'],
    ['as agreed, when the reading does not show it', [base, vendorReading({})], 'QUALIFIED'],
    ['as agreed, when the reading is older', [base, shows('OLD', '2026-03-01T08:00:00.000Z')], 'QUALIFIED'],
    [
      'as agreed, when the reading is older than one that was read while a field waits',
      [{ ...base, highestSeenVersion: '2026-03-01T12:00:00.000Z' }, shows('OLD', V2)],
      'QUALIFIED',
    ],
    ['as sent, until a reading can show it', [pending, shows('LEAD_OPEN', V1)], 'QUALIFIED'],
    [
      'as shown by the reading that we wrote over, when the status was not sent',
      [{ ...pending, awaitingEcho: ['name'] }, shows('X_NEW', V1)],
      'X_NEW',
    ],
    [
      'as shown after a create, which was sent over no reading',
      [agreedBase({ status: 'QUALIFIED' }, { awaitingEcho: ['status'], vendorVersion: null }), shows('NEW', V1)],
      'NEW',
    ],
    ['as shown, when it was not taken', [pending, shows('LEAD_OPEN', V2)], 'LEAD_OPEN'],
  ])('%s', (_, [from, seen], expected) => {
    expect(vendorStatusOf(from, seen)).toBe(expected);
  });
});

test.each<[Issue['code'][], string]>([
  [[], 'in-sync'],
  [['contact-incomplete', 'line-not-shared'], 'in-sync'],
  [['line-not-shared', 'unknown-offer'], 'parked'],
  [['vendor-refused', 'conflict'], 'conflict'],
  [['cannot-be-cleared'], 'parked'],
])('issues %j make the state %s', (codes, state) => {
  expect(stateOf(codes.map((code) => issue(code)))).toBe(state);
});

test.each([
  [{ Vendor_Share__c: true, IsDeleted: false }, null],
  [{ Vendor_Share__c: true, IsDeleted: true }, 'deleted in the CRM'],
  [{ Vendor_Share__c: false }, 'Vendor_Share__c is not ticked'],
  [{}, 'Vendor_Share__c cannot be seen by the integration user'],
])('scope of %j: %s', (opportunity, reason) => {
  expect(scopeOf(opportunity)).toEqual(reason === null ? { inScope: true } : { inScope: false, reason });
});

test.each([
  [null, 'none'],
  ['', 'none'],
  ['006000000000001AAA', 'ours'],
  ['006000000000001', 'ours'],
  ['00600000000001', 'foreign'],
  ['006000000000001AAAA', 'foreign'],
  ['X006000000000001AAA', 'foreign'],
  ['001000000000001AAA', 'foreign'],
  ['DEAL-7', 'foreign'],
])('reference %j is %s', (reference, kind) => {
  expect(referenceKind(reference, {})).toBe(kind);
});

test.each<[string, unknown, unknown]>([
  ['a list and an object of its members', ['a'], { 0: 'a' }],
  ['an empty list and an empty object', [], {}],
  ['members that run together', [1, 12], [11, 2]],
])('a fingerprint tells %s apart', (_, one, other) => {
  expect(fingerprint(one)).not.toBe(fingerprint(other));
});

test('a member that is undefined counts as null, as in JSON', () => {
  expect(fingerprint(['a', undefined])).toBe(fingerprint(['a', null]));
});

test('what every record is shown, whatever the CRM refuses, is its state and why', () => {
  const opportunityId = '006000000000001AAA';
  const result = { Sync_State__c: 'Parked', Message__c: 'why', PO_Number__c: '7' };
  expect(essential({ opportunityId, opportunity: { Vendor_Id__c: 'DS-1' }, sync: result })).toEqual({
    opportunityId,
    opportunity: {},
    sync: { Sync_State__c: 'Parked', Message__c: 'why' },
  });
  expect(essential({ opportunityId, opportunity: {}, sync: {} }).sync).toEqual({
    Sync_State__c: null,
    Message__c: null,
  });
});

describe('a record whose change is on its way', () => {
  const waiting = {
    crmId: '006000000000001AAA',
    reported,
    since: '2026-03-01T12:00:07.123Z',
    waitsFor: 'vendor-unavailable',
  } as const;

  test('is pending, since when and for what', () => {
    expect(waitingReport({ ...waiting, reported: null })?.shows).toEqual(withWait(null, waiting.waitsFor));
    expect(waitingReport(waiting)?.report).toEqual({
      opportunityId: usual.crmId,
      opportunity: {},
      sync: {
        Sync_State__c: 'Pending',
        Message__c: 'A change is on its way since 2026-03-01 12:00:07 UTC. It waits for the vendor to answer again.',
      },
    });
  });

  test('is reported once of the same, and again of something else', () => {
    const shows = waitingReport(waiting)?.shows ?? null;
    expect(waitingReport({ ...waiting, reported: shows })).toBeNull();
    expect(waitingReport({ ...waiting, reported: shows, waitsFor: 'vendor-throttled' })).not.toBeNull();
  });

  test('is reported again, and so is what follows, where it may not have arrived', () => {
    const unsure = { reported: withRowUnknown(reported) };
    expect(waitingReport({ ...waiting, ...unsure })).not.toBeNull();
    expect(dueReport({ ...usual, ...unsure })?.report.opportunity).toEqual({});
  });

  test('gets nothing more out of scope where it was gone, and all of it when it is there', () => {
    const gone = { ...usual, state: 'detached', reported: withGone(reported) } as const;
    expect(dueReport(gone)).toBeNull();
    expect(dueReport({ ...gone, reported: withRowUnknown(gone.reported) })?.report.sync).toMatchObject({
      Sync_State__c: 'Detached',
    });
    expect([TO_EMPTY, gone.reported, reported, null].map(isGone)).toEqual([false, true, false, false]);
  });

  test.each([
    ['that was told of before: nothing of the opportunity is written again', reported, {}],
    ['that is new: all of it is told once it is done', null, { Vendor_Id__c: 'DS-1', Vendor_Status__c: 'OPPY_OPEN' }],
  ])('%s', (_, before, opportunity) => {
    const shows = waitingReport({ ...waiting, reported: before })?.shows ?? null;
    expect(shows?.row).toEqual({ is: 'waiting', for: 'vendor-unavailable' });
    expect(dueReport({ ...usual, reported: shows })?.report).toMatchObject({
      opportunity,
      sync: { Sync_State__c: 'In sync' },
    });
    expect(dueReport({ ...usual, state: 'detached', reported: shows })).not.toBeNull();
  });

  test.each([
    ['in-sync', true, 'pending'],
    ['in-sync', false, 'in-sync'],
    ['parked', true, 'parked'],
  ] as const)('%s, due %s: shown as %s', (state, isDue, shown) => {
    expect(shownState(state, isDue)).toBe(shown);
  });
});

describe('an opportunity that was separated from its vendor record', () => {
  const EMPTIED = { Vendor_Id__c: null, Vendor_Status__c: null };
  const alone: ReportInput = {
    ...usual,
    vendorId: null,
    vendorStatus: null,
    state: 'new',
    reported: TO_EMPTY,
  };

  test('shows nothing of it any more, and is reported so once', () => {
    const due = dueReport(alone);
    expect(due?.report).toEqual({
      opportunityId: usual.crmId,
      opportunity: EMPTIED,
      sync: { ...emptySyncFields(), ...NO_VALUES, ...NO_SIDES, Sync_State__c: 'Pending', Message__c: null },
    });
    expect(dueReport({ ...alone, reported: due?.shows ?? null })).toBeNull();
  });

  test('shows the next one where it has that already', () => {
    expect(dueReport({ ...usual, reported: TO_EMPTY })?.report.opportunity).toEqual({
      Vendor_Id__c: 'DS-1',
      Vendor_Status__c: 'OPPY_OPEN',
    });
  });

  test('shows nothing of it where it is shared no more, and is reported so once', () => {
    const due = dueReport({ ...alone, state: 'detached' });
    expect(due?.report).toEqual({
      opportunityId: usual.crmId,
      opportunity: EMPTIED,
      sync: { ...emptySyncFields(), ...NO_VALUES, ...NO_SIDES, Sync_State__c: 'Detached', Message__c: null },
    });
    expect(dueReport({ ...alone, state: 'detached', reported: due?.shows ?? null })).toBeNull();
    expect(dueReport({ ...alone, reported: due?.shows ?? null })).not.toBeNull();
  });
});
