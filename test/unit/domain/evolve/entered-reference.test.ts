import { expect, test } from 'vitest';
import { evolve } from '../../../../src/domain/evolve/evolve.ts';
import { type Base, EMPTY_BASE } from '../../../../src/domain/record/base.ts';
import { agreedBase, linkSample, usualRecord, V1, vendorReading } from '../../../support/value-engine/samples.ts';

const usual = usualRecord();

test.each([
  ['create', true, true],
  ['create', undefined, false],
  ['update', true, false],
  ['no', true, false],
] as const)(
  'what a create that may have been applied would have agreed on is forgotten where a person entered the reference: %s, %s',
  (vendorInDoubt, entered, isForgotten) => {
    const observation = {
      ...vendorReading(usual),
      ...(entered === undefined ? {} : { isReferenceEntered: entered }),
    };
    const link = linkSample({ vendorInDoubt, base: agreedBase(usual) });
    const change = evolve(link, { type: 'vendor-read', observation }, '2026-03-01T12:00:00.000Z');
    expect([change.base, 'base' in change]).toEqual(isForgotten ? [null, true] : [undefined, false]);
  },
);

const lost: Base = {
  ...EMPTY_BASE,
  crm: usual,
  vendor: usual,
  basedOn: { version: null, previousValues: {} },
};

test.each<[string, Base, boolean]>([
  ['has no answer', lost, true],
  ['was answered', { ...lost, basedOn: { version: null, previousValues: {}, answeredAt: V1 } }, false],
  ['was read since', { ...lost, highestSeenVersion: V1 }, false],
  ['was read and agreed on', { ...lost, vendorVersion: V1 }, false],
  ['was followed by an update', { ...lost, basedOn: { version: V1, previousValues: {} } }, false],
])('so is what a creation would have that a search has not found, where it %s', (_, base, isForgotten) => {
  const observation = { ...vendorReading(usual), isReferenceEntered: true } as const;
  const link = linkSample({ vendorInDoubt: 'no', base });
  const change = evolve(link, { type: 'vendor-read', observation }, '2026-03-01T12:00:00.000Z');
  expect(change.base).toEqual(isForgotten ? null : undefined);
});
