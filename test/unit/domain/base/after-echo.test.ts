import { describe, expect, test } from 'vitest';
import { baseAfterEcho } from '../../../../src/domain/base/after-echo.ts';
import { recogniseEcho } from '../../../../src/domain/base/recognise-echo.ts';
import { isNormalised } from '../../../../src/domain/merge/normalised.ts';
import type { Base } from '../../../../src/domain/record/base.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import { FIELD_NAMES } from '../../../../src/domain/record/fields.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import { agreedBase, V1, V2, vendorReading } from '../../../support/value-engine/samples.ts';

const config = mappingConfig();
const agreed: Observed = { name: 'a', description: 'd' };
const sent: Base = {
  ...agreedBase({ ...agreed, name: 'b' }),
  awaitingEcho: ['name'],
  basedOn: { version: V1, previousValues: { name: ['a'] } },
};

describe('a reading that brings no news', () => {
  test('moves the version and confirms what was sent', () => {
    const base = baseAfterEcho(sent, vendorReading({ ...agreed, name: 'b' }), config);
    expect(base).toMatchObject({ awaitingEcho: [], vendorVersion: V2 });
    expect(base).not.toHaveProperty('basedOn');
  });

  test('notes defaults that stay at the vendor', () => {
    const base = { ...agreedBase(agreed), awaitingEcho: FIELD_NAMES };
    const echo = baseAfterEcho(base, vendorReading({ ...agreed, forecastCategory: 'UPSIDE' }), config);
    expect(echo).toMatchObject({ defaulted: ['forecastCategory'], vendor: { forecastCategory: 'UPSIDE' } });
  });

  test.each([
    ['keeps a default that is still shown', 'UPSIDE', ['forecastCategory']],
    ['ends a default that a vendor user has changed, though the field is not synced', 'COMMIT', []],
  ])('%s', (_, shown, defaulted) => {
    const base: Base = { ...agreedBase({ ...agreed, forecastCategory: 'UPSIDE' }), defaulted: ['forecastCategory'] };
    const oneWay = mappingConfig({ directions: { forecastCategory: 'to-vendor' } });
    const echo = baseAfterEcho(base, vendorReading({ ...agreed, forecastCategory: shown }), oneWay);
    expect(echo).toMatchObject({ defaulted, vendor: { forecastCategory: shown } });
  });

  test('is none where the currencies come to differ, for somebody has to be notified', () => {
    const echo = baseAfterEcho(agreedBase({ currency: 'EUR' }), vendorReading({ currency: 'USD' }), config);
    expect(echo).toBeNull();
  });
});

test.each<[string, Base, Parameters<typeof vendorReading>]>([
  ['an edit', agreedBase(agreed), [{ ...agreed, name: 'c' }]],
  ['a reference that is missing', agreedBase(agreed), [agreed, { reference: null }]],
  ['a value that was not taken', sent, [agreed]],
])('%s is news', (_, base, reading) => {
  expect(baseAfterEcho(base, vendorReading(...reading), config)).toBeNull();
});

describe('a reading that shows an update of which it was not known whether it had arrived', () => {
  const left = (crm: string): Base => ({
    ...agreedBase(agreed),
    inDoubtVendorWrites: { basedOnVersion: V1, sent: [{ crm: { name: crm }, vendor: { name: 'b' } }] },
  });
  const shown = vendorReading({ ...agreed, name: 'b' });

  test('tells of the CRM as it was then, which has to be looked at', () => {
    expect(baseAfterEcho(left('b'), shown, config)).toBeNull();
  });
});

describe('what a reading says once our own writes are taken out of it', () => {
  test.each<[string, Observed, string | null, string | undefined, string[], string[]]>([
    ['shows what was sent', { name: 'b' }, V2, 'b', [], []],
    ['shows the version we wrote over', { name: 'a' }, V1, undefined, ['name'], []],
    ['shows what was there before, later', { name: 'a' }, V2, undefined, ['name'], ['name']],
    ['shows an edit', { name: 'c' }, V2, 'c', [], []],
    ['does not show the field', {}, V2, undefined, ['name'], []],
    ['has no version', { name: 'a' }, null, undefined, ['name'], ['name']],
    ['is older than what is known', { name: 'x' }, '2026-03-01T08:00:00.000Z', undefined, ['name'], []],
  ])('%s', (_, record, version, name, awaitingEcho, ignoredBySide) => {
    const result = recogniseEcho(sent, vendorReading(record, { version }), config);
    expect(result.news.record.name).toBe(name);
    expect(result).toMatchObject({ awaitingEcho, ignoredBySide });
  });
});

describe('the vendor’s normalised form of what it was sent', () => {
  const long = 'A text that is a good deal longer than forty characters, so that it may be cut off';
  const address = 'an.address.that.is.longer.than.forty.characters@partner.example';
  const line = (amount: string | null, revenueType: string | null = null, offerNameId = 'A'): object[] => [
    { offerNameId, amount, revenueType },
  ];
  test.each<[Parameters<typeof isNormalised>[0], unknown, unknown, boolean]>([
    ['name', ' a  b ', 'a b', true],
    ['name', 'a b', 'a c', false],
    ['name', 'a b', 'ab', false],
    ['name', '  ', null, true],
    ['name', 'short text', 'short', false],
    ['description', long, long.slice(0, 50), true],
    ['description', long, long.slice(0, 40), true],
    ['description', long, long.slice(0, 39), false],
    ['description', long, `${long.slice(0, 50)}…`, false],
    ['description', long, null, false],
    ['dsOwnerEmail', address, address.slice(0, 50), false],
    ['closeDate', '2026-01-01', '2026-01-02', false],
    ['offerLines', line('10.55'), line('10.6'), true],
    ['offerLines', line('10.55'), line('11'), true],
    ['offerLines', line('10.55'), line('10'), true],
    ['offerLines', line('-10.55'), line('-10'), true],
    ['offerLines', line('10.45'), line('11'), false],
    ['offerLines', line('10.55'), line('10.4'), false],
    ['offerLines', line('10'), line('10.4'), false],
    ['offerLines', line('10.6'), line('10.5'), false],
    ['offerLines', line('10.6'), line(null), false],
    ['offerLines', line('10', 'X'), line('10'), true],
    ['offerLines', line('10'), line('10', 'X'), false],
    ['offerLines', line('10'), line('10', null, 'B'), false],
    ['offerLines', line(null), line('0'), false],
    ['offerLines', line('10'), [], false],
  ])('%s %j shown as %j: %s', (field, given, shown, expected) => {
    expect(isNormalised(field, given, shown)).toBe(expected);
  });
});
