import { describe, expect, test } from 'vitest';
import { evolve } from '../../../../src/domain/evolve/evolve.ts';
import type { Outcome } from '../../../../src/domain/evolve/outcome.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import type { Link } from '../../../../src/domain/record/link.ts';
import { sees } from '../../../support/ledger/ledger-samples.ts';
import { decideOn, linkSample } from '../../../support/value-engine/samples.ts';

const AT = '2026-03-01T12:00:00.000Z';
const TOMORROW = '2026-03-02T12:00:00.000Z';
const waiting = ISSUES.crmRefused('RULE', []);
const unanswered = (failingSince: string): Outcome => ({ type: 'unanswered', failingSince, reason: '500' });

describe('a record that nothing but failures came of', () => {
  test.each([
    ['an hour', '2026-03-01T11:00:00.000Z', '2026-03-01T13:00:00.000Z'],
    ['a moment', '2026-03-01T11:59:00.000Z', '2026-03-01T13:00:00.000Z'],
    ['three hours', '2026-03-01T09:00:00.000Z', '2026-03-01T15:00:00.000Z'],
    ['a week', '2026-02-22T12:00:00.000Z', '2026-03-01T20:00:00.000Z'],
  ])('for %s is tried after as long again, between one hour and eight', (_, since, retryAt) => {
    expect(evolve(linkSample(), unanswered(since), AT)).toMatchObject({ failingSince: since, retryAt });
  });

  test('is parked with the cause, beside what else is open, and done for now', () => {
    const link = linkSample({ generation: 7, issues: [waiting, ISSUES.noAnswer('503')] });
    expect(evolve(link, unanswered('2026-03-01T11:00:00.000Z'), AT)).toMatchObject({
      state: 'parked',
      issues: [waiting, ISSUES.noAnswer('500')],
      vendorReadGeneration: 7,
      observedGeneration: 7,
      plansNothing: true,
      journal: [{ at: AT, kind: 'state', summary: { state: 'parked', answer: '500' }, decisions: [] }],
    });
  });
});

describe('when a record is looked at again by itself', () => {
  const decided = (issues: Link['issues']): Outcome => ({
    type: 'decided',
    plan: { ...decideOn(), next: 'parked', stateAfter: 'parked', issues },
    trigger: 'crm',
    generation: 1,
  });
  const later = '2026-03-01T13:00:00.000Z';
  const past = '2026-03-01T11:00:00.000Z';

  test.each<[string, Partial<Link>, Link['issues'], object]>([
    ['never, where nothing waits', {}, [], {}],
    ['never, where it only informs', {}, [ISSUES.lineNotShared()], {}],
    ['never any more', { retryAt: later, issues: [waiting] }, [], { retryAt: null }],
    ['never, where a grant of the field wakes it', {}, [ISSUES.hiddenFromUser('name', ['Name'])], {}],
    [
      'as before, where a grant of the field is to wake it',
      { retryAt: later, issues: [ISSUES.hiddenFromUser('name', ['Name'])] },
      [ISSUES.hiddenFromUser('name', ['Name'])],
      {},
    ],
    ['a day later', {}, [waiting], { retryAt: TOMORROW }],
    ['when it was to be before', { retryAt: later, issues: [waiting] }, [waiting], {}],
    ['a day after it was', { retryAt: past, issues: [waiting] }, [waiting], { retryAt: TOMORROW }],
    ['a day after this moment', { retryAt: AT, issues: [waiting] }, [waiting], { retryAt: TOMORROW }],
    ['a day later, where nothing was open', { retryAt: later }, [waiting], { retryAt: TOMORROW }],
    [
      'a day later, where there was no answer before',
      { retryAt: later, issues: [ISSUES.noAnswer('500')], failingSince: past },
      [waiting],
      { failingSince: null, retryAt: TOMORROW },
    ],
    [
      'never, once it was answered',
      { retryAt: later, issues: [ISSUES.noAnswer('500')], failingSince: past },
      [],
      { failingSince: null, retryAt: null },
    ],
  ])('%s', (_, before, issues, expected) => {
    const { failingSince, retryAt } = evolve(linkSample(before), decided(issues), AT);
    expect({
      ...(failingSince === undefined ? {} : { failingSince }),
      ...(retryAt === undefined ? {} : { retryAt }),
    }).toEqual(expected);
  });

  test('is left as it is by what says nothing of where the record stands', () => {
    const link = linkSample({ retryAt: past, issues: [waiting] });
    const reported = evolve(link, { type: 'reported', shows: sees('m'), answer: 'reported' }, AT);
    expect(Object.keys(reported)).toEqual(['reported', 'journal']);
  });
});
