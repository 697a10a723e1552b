import { expect, test } from 'vitest';
import { nodeTooOld } from '../../src/cli/node-too-old.ts';

test.each([
  ['>=24', '24.21.0'],
  ['>=24', '26.0.0'],
  ['>=20', '24.0.0'],
])('%s is held by Node %s', (engines, version) => {
  expect(nodeTooOld(engines, version)).toBeNull();
});

test('the answer to an older Node names the one that is needed', () => {
  expect(nodeTooOld('>=24', '20.20.2')).toBe('Lockstep needs Node 24 or newer; this is Node 20.20.2.');
});
