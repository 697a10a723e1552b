import { describe, expect, it } from 'vitest';
import { holdOf } from '../../../../src/domain/decide/holds.ts';
import { restoredNote } from '../../../../src/domain/decide/owned-fields.ts';
import { dueReport, reportInput, whileReporting } from '../../../../src/domain/decide/report.ts';
import {
  isToEmpty,
  NOTHING_KNOWN,
  TO_EMPTY,
  withChanged,
  withRowUnknown,
} from '../../../../src/domain/decide/reported.ts';
import { afterLateReport, isVendorIdTaken } from '../../../../src/domain/evolve/after-report.ts';
import type { LinkChange } from '../../../../src/domain/evolve/change.ts';
import { evolve } from '../../../../src/domain/evolve/evolve.ts';
import type { CrmReport } from '../../../../src/domain/record/crm-graph.ts';
import type { Issue } from '../../../../src/domain/record/issue.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import type { Link } from '../../../../src/domain/record/link.ts';
import type { LinkState } from '../../../../src/domain/record/link-state.ts';
import type { Waiting } from '../../../../src/domain/record/plan.ts';
import type { Reported } from '../../../../src/domain/record/reported.ts';
import { sees } from '../../../support/ledger/ledger-samples.ts';
import { linkSample, usualRecord, V2, vendorReading } from '../../../support/value-engine/samples.ts';

const AT = '2026-03-01T10:00:00.000Z';
const retryAt = '2026-03-02T10:00:00.000Z';
const link = (state: LinkState, issues: readonly Issue[] = []): Link => linkSample({ state, issues });
const result = (state: string, answer: string) => [
  { at: AT, kind: 'state', summary: { state, answer }, decisions: [] },
];

describe('what the CRM’s users were notified of', () => {
  it('is remembered by its mark', () => {
    expect(evolve(link('in-sync'), { type: 'reported', shows: sees('m'), answer: 'reported' }, AT)).toEqual({
      reported: sees('m'),
      journal: result('in-sync', 'reported'),
    });
  });

  it('is reported again where somebody changed it, and the journal says so', () => {
    const fields = ['Vendor_Id__c', 'Vendor_Status__c'];
    expect(evolve(link('in-sync'), { type: 'owned-changed', fields, tried: null }, AT)).toEqual({
      reported: withChanged(fields),
      journal: result('in-sync', 'changed by others: Vendor_Id__c Vendor_Status__c'),
    });
    const [tried, other, taken] = [
      holdOf('crm', 'vendor-id', 'DS-1', V2),
      ISSUES.lineNotShared(),
      ISSUES.vendorIdTaken(),
    ];
    const { issues } = evolve(link('parked', [other, taken]), { type: 'owned-changed', fields, tried }, AT);
    expect(issues).toEqual([other, { ...taken, ...tried }]);
    const again = evolve(link('parked', issues), { type: 'vendor-id-reported', taken: true }, AT);
    expect(again.issues).toEqual(issues);
  });
});

describe('a report that comes late', () => {
  const reportedAfter = (reported: Reported | null) =>
    afterLateReport({ ...link('parked'), reported }).reported ?? null;
  const input = { ...linkSample({ state: 'parked' }), vendorStatus: 'OPPY_OPEN' };

  it.each([null, sees('since'), NOTHING_KNOWN])('has users notified of all once more, over %j', (before) => {
    const due = dueReport({ ...input, reported: reportedAfter(before) });
    expect(due?.report.sync).toMatchObject({ Sync_State__c: 'Parked' });
    expect(due?.report.opportunity).toMatchObject({ Vendor_Status__c: 'OPPY_OPEN' });
  });

  it('has nothing forgotten that is to be put right on the opportunity', () => {
    expect(isToEmpty(reportedAfter(TO_EMPTY))).toBe(true);
    const put = withChanged(['Vendor_Id__c', 'Vendor_Status__c']);
    expect(restoredNote(reportedAfter(put))).toBe(restoredNote(put));
  });
});

describe('what users are about to be notified of', () => {
  const known = linkSample();
  const result = dueReport(reportInput(known))?.shows as Reported;
  const parked = { ...known, state: 'parked', issues: [ISSUES.vendorIdTaken()], reported: result } as const;
  const telling = (link: Link) => whileReporting(result, dueReport(reportInput(link))?.report as CrmReport);
  const shown = vendorReading({ ...usualRecord(), status: 'OPPY_WON' }, { version: V2 });

  it('leaves it open what they see, and of the opportunity only where that is reported too', () => {
    expect(telling(parked)).toEqual(withRowUnknown(result));
    expect(telling({ ...known, reported: result, vendorObservation: shown })).toEqual(NOTHING_KNOWN);
  });

  it('has them notified though the record is by then as they were notified at first', () => {
    const { reported } = evolve(parked, { type: 'reporting', shows: telling(parked) }, AT);
    const again = dueReport(reportInput({ ...known, reported: reported ?? null }));
    expect(again?.report).toMatchObject({ opportunity: {}, sync: { Sync_State__c: 'In sync' } });
    expect(dueReport(reportInput({ ...known, reported: result }))).toBeNull();
  });
});

describe('a record that is separated', () => {
  const plan = { next: 'detached', decisions: [], stateAfter: 'detached', issues: [] } as unknown as Waiting;
  const separated = (before: Partial<Link>): LinkChange =>
    evolve(linkSample(before), { type: 'decided', plan, generation: 1, trigger: 'crm' }, AT);

  it.each<LinkState>(['in-sync', 'pending', 'conflict', 'parked', 'vendor-missing'])(
    'is due to be reported so where nobody knows whether its first report got through: %s',
    (state) => {
      const { reported } = separated({ state });
      expect(reported).toEqual(NOTHING_KNOWN);
      const after = { ...linkSample({ state: 'detached' }), vendorStatus: null, reported: reported ?? null };
      expect(dueReport(after)?.report.sync).toMatchObject({ Sync_State__c: 'Detached' });
    },
  );

  it.each<[string, Partial<Link>]>([
    ['nothing was ever decided on it', { state: 'new' }],
    ['it was separated before', { state: 'detached' }],
    ['it is known what its users see', { reported: sees('known') }],
  ])('changes nothing of that where %s', (_, before) => {
    expect(separated(before)).not.toHaveProperty('reported');
  });
});

describe('a vendor id that another opportunity has', () => {
  const [taken, other] = [ISSUES.vendorIdTaken(), ISSUES.lineNotShared()];

  it('parks the record, once', () => {
    expect(isVendorIdTaken(link('in-sync', [other]))).toBe(false);
    const change = evolve(link('in-sync', [other]), { type: 'vendor-id-reported', taken: true }, AT);
    expect(change).toEqual({ state: 'parked', issues: [other, taken], retryAt });
    expect(evolve(link('parked', [taken, other]), { type: 'vendor-id-reported', taken: true }, AT)).toEqual(change);
    expect(isVendorIdTaken(link('parked', [other, taken]))).toBe(true);
  });

  it.each<LinkState>(['new', 'pending', 'vendor-missing', 'detached', 'superseded'])('changes no state %s', (state) => {
    expect(evolve(link(state), { type: 'vendor-id-reported', taken: true }, AT)).toEqual({
      issues: [taken],
    });
  });
});
