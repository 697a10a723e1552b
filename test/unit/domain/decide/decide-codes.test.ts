import { expect, test } from 'vitest';
import { LINES } from '../../../support/mapping/fixtures.ts';
import { agreedBase, decideOn, usualRecord, V1, vendorReading } from '../../../support/value-engine/samples.ts';

/** A value that has no code at the vendor changes nothing there, and users are notified as long as the two differ. */

const usual = usualRecord();
const result = { code: 'no-code-for-value', field: 'offerLines' };

test('whichever line it is', () => {
  const typed = LINES.map((row) => ({ ...row, Vendor_Revenue_Type__c: 'Upfront' }));
  const agreed = usualRecord({}, { lines: typed });
  const odd = typed.map((row, at) => (at === 1 ? { ...row, Vendor_Revenue_Type__c: 'Barter' } : row));
  const given = { vendor: vendorReading(agreed), link: { base: agreedBase(agreed) } };
  expect(decideOn({ ...given, graph: { lines: odd } }).issues).toMatchObject([result]);
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
