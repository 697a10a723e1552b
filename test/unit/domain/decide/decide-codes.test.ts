import { expect, test } from 'vitest';
import { isOpen } from '../../../../src/domain/record/issue.ts';
import { LINES } from '../../../support/mapping/fixtures.ts';
import {
  agreedBase,
  decideOn,
  usualRecord,
  V1,
  vendorReading,
} from '../../../support/value-engine/samples.ts';

/** A value that has no code at the vendor changes nothing there, and people are told as long as the two differ. */

const usual = usualRecord();
const vendor = vendorReading(usual);
const lines = LINES.map((row, at) => (at === 0 ? { ...row, Vendor_Revenue_Type__c: 'Barter' } : row));
const result = { code: 'no-code-for-value', field: 'offerLines' };

test('a revenue type without a code does not clear the vendor’s', () => {
  const plan = decideOn({ vendor, graph: { lines } });
  expect(plan).toMatchObject({ next: 'nothing', stateAfter: 'parked', issues: [result] });
});

test('whichever line it is', () => {
  const typed = LINES.map((row) => ({ ...row, Vendor_Revenue_Type__c: 'Upfront' }));
  const agreed = usualRecord({}, { lines: typed });
  const odd = typed.map((row, at) => (at === 1 ? { ...row, Vendor_Revenue_Type__c: 'Barter' } : row));
  const given = { vendor: vendorReading(agreed), link: { base: agreedBase(agreed) } };
  expect(decideOn({ ...given, graph: { lines: odd } }).issues).toMatchObject([result]);
});

test('what else changed of the line goes', () => {
  const dearer = lines.map((row, at) => (at === 0 ? { ...row, TotalPrice: 7 } : row));
  const plan = decideOn({ vendor, graph: { lines: dearer } });
  expect(plan.intent?.body['offerLines']).toMatchObject([
    { offerNameId: 'OFFER-A', amount: 7, revenueType: 'UPFRONT' },
    { offerNameId: 'OFFER-B' },
  ]);
  expect(plan.issues).toMatchObject([result]);
});

test('it is told at every look while the two differ, and no longer', () => {
  const first = decideOn({ vendor, graph: { lines } });
  const base = first.baseAfter ?? null;
  expect(decideOn({ vendor, graph: { lines }, link: { base } }).issues).toMatchObject([result]);
  expect(decideOn({ vendor, link: { base } }).issues.filter(isOpen)).toEqual([]);
});

test('a type that the vendor never showed is not told: its silence clears nothing', () => {
  const silent = LINES.map((row, at) => (at === 1 ? { ...row, Vendor_Revenue_Type__c: 'Barter' } : row));
  expect(decideOn({ vendor, graph: { lines: silent } })).toMatchObject({ next: 'nothing', issues: [] });
});

test('a line that the vendor retains beside it waits for the type: to change the list again would help nobody', () => {
  const ours = usual.offerLines ?? [];
  const shown = ours.map(({ crmLineId: _, ...line }) => line);
  const offerLines = [...shown, { offerNameId: 'OFFER-OLD', amount: '3', revenueType: null }];
  const sent = { version: V1, previousValues: { offerLines: [offerLines] } };
  const codesOf = (revenueType: string | null) => {
    const inCrm = ours.map((line, at) => (at === 0 ? { ...line, revenueType } : line));
    const base = {
      ...agreedBase(usual, { awaitingEcho: ['offerLines'], basedOn: sent }),
      crm: { ...usual, offerLines: inCrm },
    };
    const graph = {
      lines: LINES.map((row, at) => (at === 0 ? { ...row, Vendor_Revenue_Type__c: revenueType } : row)),
    };
    const plan = decideOn({ vendor: vendorReading({ ...usual, offerLines }), link: { base }, graph });
    return plan.issues.map(({ code }) => code);
  };
  expect(codesOf('Barter')).toEqual(['no-code-for-value']);
  expect(codesOf(null)).toEqual(['vendor-refused']);
});
