import { describe, expect, it } from 'vitest';
import {
  areNewToVendor,
  fingerprintOfVendorLine,
  withoutHeld,
  withoutRefusedLines,
} from '../../../../src/domain/decide/withheld.ts';
import type { OfferLine } from '../../../../src/domain/record/canonical.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import { linkSample, V1, V2 } from '../../../support/value-engine/samples.ts';

const line = (offerNameId: string, amount = '1', crmLineId = `L ${offerNameId}`): OfferLine => ({
  offerNameId,
  amount,
  revenueType: null,
  crmLineId,
});
const [a, b] = [line('A'), line('B')];
const refused = { ...ISSUES.lineRefusedByVendor('A', 'ERR803'), fingerprint: fingerprintOfVendorLine(a, V1) };
const bySide = { ...ISSUES.lineRefusedByCrm('A', 'X', []), fingerprint: refused.fingerprint };
const ofAll = ISSUES.vendorRefused('ERR803', []);
const input = (issue: typeof refused | typeof bySide | typeof ofAll, sendsRefusedAgain = false) => ({
  link: { ...linkSample({ issues: [issue, ISSUES.conflict('name')] }), reference: null },
  sendsRefusedAgain,
});

describe('a line that the vendor refused by itself', () => {
  it.each([
    ['is held back', [a, b], V1, input(refused), ['A']],
    ['goes with another amount', [line('A', '2'), b], V1, input(refused), []],
    ['goes once the opportunity was saved', [a, b], V2, input(refused), []],
    ['goes where all is sent again', [a, b], V1, input(refused, true), []],
    ['was not refused by the CRM', [a, b], V1, input(bySide), []],
    ['was not refused with all the request', [a, b], V1, input(ofAll), []],
    ['is not there', [b], V1, input(refused), []],
  ] as const)('%s', (_, lines, savedAt, given, held) => {
    const found = withoutRefusedLines(lines, savedAt, given);
    expect(found.held.map(({ offerNameId }) => offerNameId)).toEqual(held);
    expect(found.lines).toEqual(lines.filter((one) => !found.held.includes(one)));
    expect(found.issues).toEqual(held.length === 0 ? [] : [refused]);
  });
});

describe('a record without lines that are held back', () => {
  it.each([
    ['has the others', [a, b], [a], [b]],
    ['tells lines of one offer apart', [a, line('A', '1', 'L2')], [a], [line('A', '1', 'L2')]],
    ['has all, where none is', [a, b], [], [a, b]],
  ])('%s', (_, offerLines, held, expected) => {
    expect(withoutHeld({ name: 'Deal', offerLines }, held)).toEqual({ name: 'Deal', offerLines: expected });
  });

  it('shows no lines, where it showed none', () => {
    expect(withoutHeld({ name: 'Deal' }, [a])).toEqual({ name: 'Deal' });
  });
});

it.each([
  ['has neither', [a, b], [line('C')], true],
  ['has another of one offer', [a, b], [line('B', '9')], false],
  ['shows none', [a, b], undefined, true],
])('the lines are new to a vendor that %s', (_, lines, present, expected) => {
  expect(areNewToVendor(lines, present)).toBe(expected);
});
