import { describe, expect, test } from 'vitest';
import { evolve, hasRivals } from '../../../../src/domain/evolve/evolve.ts';
import type { Issue } from '../../../../src/domain/record/issue.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import type { Link } from '../../../../src/domain/record/link.ts';

const AT = '2026-03-01T12:00:00.000Z';
const other: Issue = ISSUES.lineNotShared();
const several: Issue = { ...other, code: 'several-candidates' };

const linkWith = (...issues: readonly Issue[]): Link => ({
  tenant: 'acme',
  key: '006000000000001AAA',
  crmId: '006000000000001AAA',
  vendorId: 'DS-1',
  state: 'in-sync',
  base: null,
  vendorObservation: null,
  vendorUncertain: 'no',
  adoptingSince: null,
  dueSeq: 7,
  doneSeq: 3,
  vendorDue: false,
  issues,
  refusedFingerprint: null,
  crmRefusedFingerprint: null,
  waitingSince: null,
  waitingFor: null,
  reported: null,
  updatedAt: AT,
});

describe('several vendor records that carry one deal’s reference', () => {
  test('park the deal', () => {
    expect(evolve(linkWith(other), { type: 'rival-found', issue: several }, AT)).toEqual({
      state: 'parked',
      issues: [several],
    });
  });

  test('take their issue with them when they are gone, and no other', () => {
    expect(evolve(linkWith(several, other), { type: 'rivals-gone' }, AT)).toEqual({ issues: [other] });
  });

  test.each([
    [[], false],
    [[other], false],
    [[other, several], true],
  ])('are known by the issues %j: %s', (issues, expected) => {
    expect(hasRivals(linkWith(...issues))).toBe(expected);
  });
});
