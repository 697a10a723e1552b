import { describe, expect, test } from 'vitest';
import { evolve, hasRivals } from '../../../../src/domain/evolve/evolve.ts';
import type { Issue } from '../../../../src/domain/record/issue.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import type { Link } from '../../../../src/domain/record/link.ts';
import { linkSample } from '../../../support/value-engine/samples.ts';

const AT = '2026-03-01T12:00:00.000Z';
const other: Issue = ISSUES.lineNotShared();
const several: Issue = { ...other, code: 'several-candidates' };

const linkWith = (...issues: readonly Issue[]): Link => linkSample({ issues, generation: 7, observedGeneration: 3 });

describe('several vendor records that carry one deal’s reference', () => {
  test('park the deal', () => {
    expect(evolve(linkWith(other), { type: 'rival-found', issue: several }, AT)).toEqual({
      state: 'parked',
      issues: [several],
      plansNothing: true,
      retryAt: '2026-03-02T12:00:00.000Z',
    });
  });

  test('leave one that is not shared where it is, and are remembered', () => {
    const left = linkSample({ state: 'detached', generation: 7, observedGeneration: 3 });
    const change = evolve(left, { type: 'rival-found', issue: several }, AT);
    expect(change).toEqual({ issues: [ISSUES.referenceRepeated()], plansNothing: true });
    expect(hasRivals({ ...left, issues: change.issues ?? [] })).toBe(true);
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
