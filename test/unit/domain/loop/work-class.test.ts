import { expect, test } from 'vitest';
import { afterStep, afterWake, isBulk, treatmentOf, type WorkClass } from '../../../../src/domain/loop/work-class.ts';

const [bulk, other] = [{ bulk: 0.5 }, { bulk: 0.1 }] as const;

test.each<[WorkClass | undefined, boolean, string, object]>([
  [undefined, true, 'no', {}],
  ['interactive', true, 'no', {}],
  ['burst', false, 'many', {}],
  [bulk, false, 'always', { share: 0.5 }],
  ['echo', false, 'many', { onlySpare: true }],
])('work of the class %j is first: %s; goes to the lane: %s; may use: %j', (work, isFirst, lane, claim) => {
  expect(treatmentOf(work)).toEqual({ isFirst, lane, claim });
  expect(isBulk(work)).toBe(work === bulk);
});

test.each<[WorkClass, WorkClass | undefined, boolean, WorkClass]>([
  ['interactive', 'burst', true, 'interactive'],
  ['interactive', bulk, true, 'interactive'],
  ['interactive', 'echo', false, 'interactive'],
  ['interactive', 'echo', true, 'echo'],
  ['burst', undefined, false, 'interactive'],
  ['burst', bulk, false, 'burst'],
  [bulk, 'interactive', false, 'interactive'],
  [bulk, 'burst', false, 'burst'],
  [bulk, other, true, bulk],
  ['echo', bulk, false, bulk],
])(
  'work of the class %j, after a wake of the class %j (idle: %s), has the class %j',
  (work, wake, isIdle, expected) => {
    expect(afterWake(work, wake, isIdle)).toEqual(expected);
  },
);

test.each<[WorkClass | undefined, WorkClass]>([
  [undefined, 'interactive'],
  ['interactive', 'interactive'],
  ['burst', 'burst'],
  [bulk, bulk],
  ['echo', 'interactive'],
])('work of the class %j has after its first step the class %j', (work, expected) => {
  expect(afterStep(work)).toEqual(expected);
});
