import { describe, expect, test } from 'vitest';
import { withReading } from '../../../../src/domain/base/recognise-echo.ts';
import { agreedBase, V1, V2, vendorReading } from '../../../support/value-engine/samples.ts';

const NEWER = '2026-03-01T15:00:00.000Z';

describe('the stamp of our own update', () => {
  const basedOn = { version: V1, previousValues: {}, answeredAt: V2 };
  const first = withReading({ ...agreedBase({}), basedOn }, vendorReading({}, { version: V2 }));
  const { basedOn: _, ...echoed } = first;

  test('is known for ours after its echo too, until a reading shows another', () => {
    expect(first.versionOfOwnWrite).toBe(V2);
    expect(withReading(echoed, vendorReading({}, { version: V2 })).versionOfOwnWrite).toBe(V2);
    expect(withReading(echoed, null).versionOfOwnWrite).toBe(V2);
    expect(withReading(echoed, vendorReading({}, { version: null }))).not.toHaveProperty('versionOfOwnWrite');
    expect(withReading(echoed, vendorReading({}, { version: NEWER }))).not.toHaveProperty('versionOfOwnWrite');
  });

  test.each([
    ['is none that the update rested on', { ...basedOn, version: V2 }],
    ['is none that came after its answer', { ...basedOn, answeredAt: V1 }],
    ['is not known where it was not answered', { version: V1, previousValues: {} }],
  ])('%s', (_, basedOnVersion) => {
    const base = withReading({ ...agreedBase({}), basedOn: basedOnVersion }, vendorReading({}, { version: V2 }));
    expect(base).not.toHaveProperty('versionOfOwnWrite');
  });
});
