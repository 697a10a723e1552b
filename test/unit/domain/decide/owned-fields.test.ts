import { describe, expect, it } from 'vitest';
import { changedByOthers, restoredNote } from '../../../../src/domain/decide/owned-fields.ts';
import { dueReport, type ReportInput } from '../../../../src/domain/decide/report.ts';
import { withChanged } from '../../../../src/domain/decide/reported.ts';

const REPORTED: ReportInput = {
  crmId: '006000000000001AAA',
  vendorId: 'DS-1',
  state: 'in-sync',
  issues: [],
  vendorObservation: null,
  vendorStatus: 'OPPY_OPEN',
  reported: null,
};
const reported = dueReport(REPORTED)?.shows ?? null;
const TOLD = { ...REPORTED, reported };
const SHOWN = { Vendor_Id__c: 'DS-1', Vendor_Status__c: 'OPPY_OPEN' };

describe('what Lockstep owns of an opportunity', () => {
  it.each([
    ['as it was told', SHOWN, []],
    ['another id', { ...SHOWN, Vendor_Id__c: 'DS-2' }, ['Vendor_Id__c']],
    ['no id', { ...SHOWN, Vendor_Id__c: null }, ['Vendor_Id__c']],
    ['another status', { ...SHOWN, Vendor_Status__c: 'WON' }, ['Vendor_Status__c']],
    ['neither', { Vendor_Id__c: null, Vendor_Status__c: null }, ['Vendor_Id__c', 'Vendor_Status__c']],
    ['a hidden status', { Vendor_Id__c: 'DS-1' }, []],
  ])('is compared with what the CRM shows: %s', (_, opportunity, fields) => {
    expect(changedByOthers(TOLD, opportunity)).toEqual(fields);
  });

  it('was changed by nobody where the CRM was not sent it yet', () => {
    expect(changedByOthers(REPORTED, {})).toEqual([]);
    expect(changedByOthers(REPORTED, { Vendor_Id__c: null })).toEqual([]);
    expect(changedByOthers({ ...TOLD, vendorStatus: 'WON' }, SHOWN)).toEqual([]);
    expect(changedByOthers({ ...TOLD, vendorId: null }, SHOWN)).toEqual([]);
  });

  it('knows no status before the vendor has shown one', () => {
    const unread = { ...REPORTED, vendorStatus: null };
    const result = { ...unread, reported: dueReport(unread)?.shows ?? null };
    expect(changedByOthers(result, { Vendor_Id__c: 'DS-1', Vendor_Status__c: 'WON' })).toEqual([]);
    expect(changedByOthers(result, { Vendor_Id__c: null })).toEqual(['Vendor_Id__c']);
  });
});

describe('a field that is put back', () => {
  const again = { ...TOLD, reported: withChanged(['Vendor_Id__c', 'Vendor_Status__c']) };
  const NOTE = 'Lockstep owns Vendor_Id__c, Vendor_Status__c of the opportunity; it was changed, and was put back.';

  it('is written again with a note, after what users are notified of besides', () => {
    expect(dueReport(again)?.report).toMatchObject({ opportunity: SHOWN, sync: { Message__c: NOTE } });
    const issues = [{ code: 'line-not-shared', field: null, message: 'Not shared.' }] as const;
    expect(dueReport({ ...again, issues })?.report.sync['Message__c']).toBe(`Not shared.\n${NOTE}`);
  });

  it('is reported once: the note is no news of its own', () => {
    expect(dueReport(again)?.shows).toEqual(reported);
    expect(dueReport(TOLD)).toBeNull();
  });

  it('is noted in nothing else', () => {
    expect([restoredNote(null), restoredNote(reported)]).toEqual([null, null]);
  });
});
