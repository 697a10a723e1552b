import { expect, test } from 'vitest';
import { evolve } from '../../../../src/domain/evolve/evolve.ts';
import { agreedBase, linkSample, usualRecord, vendorReading } from '../../../support/value-engine/samples.ts';

const usual = usualRecord();

test.each([
  ['create', true, true],
  ['create', undefined, false],
  ['update', true, false],
  ['no', true, false],
] as const)(
  'what a create that may have been applied would have agreed on is forgotten where a person entered the reference: %s, %s',
  (vendorUncertain, entered, isForgotten) => {
    const observation = {
      ...vendorReading(usual),
      ...(entered === undefined ? {} : { isReferenceEntered: entered }),
    };
    const link = linkSample({ vendorUncertain, base: agreedBase(usual) });
    const change = evolve(link, { type: 'vendor-read', observation }, '2026-03-01T12:00:00.000Z');
    expect([change.base, 'base' in change]).toEqual(isForgotten ? [null, true] : [undefined, false]);
  },
);
