import { expect, it } from 'vitest';
import { endsAfter, healthOf, isRemoteHealthy, REMOTE_HEALTH } from '../../../../src/domain/loop/remote-health.ts';
import { STREAM_NAMES } from '../../../../src/domain/streams/streams.ts';

/** `+` a step that ended well, `-` one that a remote failed. */
const standing = (steps: string) =>
  healthOf([...steps].reduce<readonly boolean[]>((ends, step) => endsAfter(ends, step === '+'), []));

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
  expect(standing(steps)?.isHealthy ?? null).toBe(good);
});

it('is kept beside the cursors of streams, of which none is called so', () => {
  expect(STREAM_NAMES).not.toContain(REMOTE_HEALTH);
});

it.each([
  [null, null],
  [{}, null],
  [{ isHealthy: true }, true],
  [{ isHealthy: false }, false],
])('of what the ledger keeps, %j says %s', (kept, good) => {
  expect(isRemoteHealthy(kept)).toBe(good);
});
