import { describe, expect, test } from 'vitest';
import { fingerprintOf, isRefused, refusedBefore, withRefusals } from '../../../../src/domain/decide/withheld.ts';
import type { Issue } from '../../../../src/domain/record/issue.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import { fingerprint } from '../../../../src/domain/values/fingerprint.ts';
import { linkSample, V1, V2 } from '../../../support/value-engine/samples.ts';

/** What one value was refused for says nothing of a whole request, and the other way round. */

const ofAll = ISSUES.vendorRefused('ERR803', []);
const ofValue = {
  ...ISSUES.valueRefusedByVendor('description', 'ERR803'),
  fingerprint: fingerprintOf('ours', V1),
};
const link = (...issues: readonly Issue[]) => ({
  ...linkSample({ issues, refusedFingerprint: fingerprint('request') }),
  reference: null,
});

describe('a whole request', () => {
  test.each([
    ['that the vendor refused', [ofAll], true],
    ['of which the vendor refused one value', [ofValue], false],
    ['of which nobody is told any more', [], false],
  ])('%s is held back: %s', (_, issues, expected) => {
    const given = { link: link(...issues), sendsRefusedAgain: false };
    expect(isRefused('request', 'vendor-refused', given)).toBe(expected);
    expect(isRefused('another', 'vendor-refused', given)).toBe(false);
  });

  test('stays reported, and what was refused by itself is reported again', () => {
    expect(withRefusals([], link(ofAll, ofValue, ISSUES.conflict('name')))).toEqual([ofAll]);
  });
});

describe('one value', () => {
  const crmRefusal = {
    ...ISSUES.valueRefusedByCrm('description', 'Description', 'X'),
    fingerprint: ofValue.fingerprint,
  };
  test.each<[string, Issue, string, string, number]>([
    ['as it was', ofValue, 'ours', V1, 1],
    ['another', ofValue, 'other', V1, 0],
    ['of an opportunity saved since', ofValue, 'ours', V2, 0],
    ['that the other side refused', crmRefusal, 'ours', V1, 0],
    ['that no field names', ofAll, 'ours', V1, 0],
  ])('%s is held back', (_, issue, description, savedAt, count) => {
    const given = { link: link(issue), sendsRefusedAgain: false };
    expect(refusedBefore('vendor-refused', { description }, savedAt, given)).toHaveLength(count);
    expect(refusedBefore('vendor-refused', {}, savedAt, given)).toEqual([]);
  });
});
