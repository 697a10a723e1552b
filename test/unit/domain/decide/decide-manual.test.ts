import { describe, expect, test } from 'vitest';
import { dueReport, essential } from '../../../../src/domain/decide/report.ts';
import { evolve } from '../../../../src/domain/evolve/evolve.ts';
import type { Base } from '../../../../src/domain/record/base.ts';
import { sees } from '../../../support/ledger/ledger-samples.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import {
  type AnyPlan,
  baseWith,
  decideOn,
  type Given,
  linkSample,
  REFERENCE,
  usualRecord,
  vendorReading,
} from '../../../support/value-engine/samples.ts';

/** A conflict of a `manual` field is resolved as its message says: by changing it again on the side that is right. */

const usual = usualRecord();
const config = mappingConfig({ rules: { description: 'manual', offerLines: 'manual' } });
const theirs = (description: string) => vendorReading({ ...usual, description });
const ours = (description: string): Given => ({ config, opportunity: { Description: description } });
const first = decideOn({ ...ours('ours'), vendor: theirs('theirs') });
const link = { base: first.baseAfter ?? null, issues: first.issues };

describe('a manual conflict', () => {
  test('is looked for so beside another change too', () => {
    const result = { ...theirs(String(usual.description)), source: 'search' } as const;
    const opportunity = { Description: 'ours', Vendor_Next_Milestone__c: 'ours' };
    expect(decideOn({ config, opportunity, vendor: result }).next).toBe('read-vendor');
  });

  test('waits on where both are changed again, for the one that is changed after that', () => {
    const both = decideOn({ ...ours('ours 2'), vendor: theirs('theirs 2'), link });
    expect(both.stateAfter).toBe('conflict');
    const after = { base: both.baseAfter ?? null, issues: both.issues };
    const plan = decideOn({ ...ours('ours 3'), vendor: theirs('theirs 2'), link: after });
    expect(plan.intent?.record.description).toBe('ours 3');
  });

  test('is over where both say the same, and the next one waits again', () => {
    const same = decideOn({ ...ours('theirs'), vendor: theirs('theirs'), link });
    expect(same.stateAfter).toBe('in-sync');
    expect(same.baseAfter).not.toHaveProperty('held');
    const next = decideOn({
      ...ours('ours'),
      vendor: theirs('other'),
      link: { base: same.baseAfter ?? null },
    });
    expect(next.stateAfter).toBe('conflict');
  });
});

const KEEP = "Keep Salesforce's";
const TAKE = "Take the vendor's";
const picked = (value: string): NonNullable<Given['graph']> => ({ sync: { Id: 'a00', Resolve__c: value } });

describe('a pick on the child record', () => {
  const both = { ...ours('ours'), vendor: theirs('theirs'), link };

  test('keeps the CRM’s', () => {
    const plan = decideOn({ ...both, graph: picked(KEEP) });
    expect(plan).toMatchObject({ stateAfter: 'in-sync', intent: { record: { description: 'ours' } } });
    expect(plan).toMatchObject({ reason: 'picked by a person', baseAfter: { pickTaken: true } });
    expect(plan.decisions).toMatchObject([{ verdict: 'conflict-crm', rule: 'picked by a person' }]);
  });

  test('is nobody’s overruling, and leaves no conflict behind', () => {
    const { baseAfter } = decideOn({ ...both, graph: picked(TAKE) });
    expect(baseAfter).not.toHaveProperty('overruled');
    expect(baseAfter).not.toHaveProperty('held');
  });

  test('does not decide a conflict that nobody was notified of, and is taken off', () => {
    const plan = decideOn({ ...ours('ours'), vendor: theirs('theirs'), graph: picked(TAKE) });
    expect(plan).toMatchObject({ next: 'nothing', stateAfter: 'conflict', baseAfter: { pickTaken: true } });
    expect(plan.baseAfter?.held).toEqual({ description: { crm: 'ours', vendor: 'theirs' } });
  });

  test.each([[TAKE], ['Something else']])('without a conflict changes nothing, and is taken off: %s', (value) => {
    const lost: Base['overruled'] = {
      name: { winner: 'crm', rule: 'newest', crm: 'a', vendor: 'b', crmSavedAt: null, vendorSavedAt: null },
    };
    const given = { link: baseWith({ overruled: lost }), graph: picked(value) };
    const plan = decideOn({ ...given, vendor: vendorReading(usual) });
    expect(plan).toMatchObject({ next: 'nothing', stateAfter: 'in-sync', baseAfter: { pickTaken: true } });
    expect(plan.baseAfter).not.toHaveProperty('overruled');
    expect(decideOn(given).baseAfter).toMatchObject({ pickTaken: true });
  });

  test('that is none of the two decides nothing, and is taken off', () => {
    const plan = decideOn({ ...both, graph: picked('Something else') });
    expect(plan).toMatchObject({ next: 'nothing', stateAfter: 'conflict', baseAfter: { pickTaken: true } });
  });

  test('that was followed is not followed again', () => {
    const base: Base = { ...(first.baseAfter as Base), pickTaken: true };
    const plan = decideOn({ ...both, link: { ...link, base }, graph: picked(TAKE) });
    expect(plan).toMatchObject({ next: 'nothing', stateAfter: 'conflict' });
  });

  test('stands until its half for the CRM is written, too', () => {
    const opportunity = { Description: 'ours', Vendor_Next_Milestone__c: 'our step' };
    const given = { config, opportunity, vendor: theirs('theirs'), graph: picked(TAKE) };
    const plan = decideOn({ ...given, link });
    expect(plan.next).toBe('update-at-vendor');
    expect(plan.baseAfter).not.toHaveProperty('pickTaken');
    const vendor = vendorReading({ ...usual, description: 'theirs', nextMilestone: 'our step' });
    const rest = decideOn({ ...given, vendor, link: { base: plan.baseAfter ?? null, issues: plan.issues } });
    expect(rest).toMatchObject({ next: 'write-crm', baseAfter: { pickTaken: true } });
    expect(rest.write?.opportunity).toEqual({ Description: 'theirs' });
  });

  test.each([
    [KEEP, 'update-at-vendor', 'conflict-crm'],
    [TAKE, 'write-crm', 'conflict-vendor'],
  ])('decides on a deal that only the vendor has closed: %s', (value, next, verdict) => {
    const closed = vendorReading({ ...usual, status: 'WON' });
    const opportunity = { StageName: 'Qualification' };
    const result = decideOn({ opportunity, vendor: closed, link: baseWith({}) });
    expect(result.stateAfter).toBe('closed-at-vendor');
    const after = { base: result.baseAfter ?? null, issues: result.issues };
    const plan: AnyPlan = decideOn({ opportunity, vendor: closed, link: after, graph: picked(value) });
    expect(plan).toMatchObject({ next, stateAfter: 'in-sync', decisions: [{ field: 'status', verdict }] });
    if (value === KEEP) expect(plan.intent?.record.status).toBe('QUALIFIED');
    // The stage stays, as the tenant does not let the vendor close deals.
    else expect(plan.write?.opportunity).toEqual({ Vendor_Status__c: 'WON' });
  });
});

describe('a pick that was followed', () => {
  const input = {
    crmId: REFERENCE,
    vendorId: 'DS-1',
    state: 'in-sync',
    issues: [],
    vendorObservation: null,
    vendorStatus: null,
  } as const;
  const reported = dueReport({ ...input, reported: null })?.shows ?? null;

  test('is taken off the child record, in the report of the essentials too', () => {
    expect(dueReport({ ...input, reported })).toBeNull();
    const due = dueReport({ ...input, reported, isPickTaken: true });
    expect(due?.report.sync).toMatchObject({ Resolve__c: null });
    expect(due && essential(due.report).sync).toMatchObject({ Resolve__c: null });
    expect(dueReport({ ...input, reported: null })?.report.sync).not.toHaveProperty('Resolve__c');
  });

  test('is forgotten once that is reported', () => {
    const taken = linkSample({ base: { ...(first.baseAfter as Base), pickTaken: true } });
    const change = evolve(taken, { type: 'reported', shows: sees('m'), answer: 'reported' }, '2027-01-01T00:00:00Z');
    expect(change.base).toEqual({ ...first.baseAfter });
    expect(evolve(linkSample(), { type: 'reported', shows: sees('m'), answer: 'x' }, 'at')).not.toHaveProperty('base');
  });
});
