import { expect, it } from 'vitest';
import {
  areGood,
  endsAfter,
  REMOTES_STANDING,
  standingOf,
} from '../../../../src/domain/loop/remotes-standing.ts';
import { STREAM_NAMES } from '../../../../src/domain/streams/streams.ts';

/** `+` a step that ended well, `-` one that a remote failed. */
const standing = (steps: string) =>
  standingOf([...steps].reduce<readonly boolean[]>((ends, step) => endsAfter(ends, step === '+'), []));

it.each([
  ['', null],
  ['++++', null],
  ['----', null],
  ['+++++', true],
  ['-----', false],
  ['+++--', true],
  ['++---', false],
  ['++++++++++-', true],
  ['++++++++++-----', true],
  ['++++++++++------', false],
  ['-------------------++++', false],
  ['-------------------+++++', true],
])('after %s the remotes are good: %s', (steps, good) => {
  expect(standing(steps)?.areGood ?? null).toBe(good);
});

it('is kept beside the cursors of streams, of which none is called so', () => {
  expect(STREAM_NAMES).not.toContain(REMOTES_STANDING);
});

it.each([
  [null, null],
  [{}, null],
  [{ areGood: true }, true],
  [{ areGood: false }, false],
])('of what the ledger keeps, %j says %s', (kept, good) => {
  expect(areGood(kept)).toBe(good);
});
