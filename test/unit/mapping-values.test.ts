import { expect, test } from 'vitest';
import { amountNumber, readAmount } from '../../src/domain/values/amount.ts';
import { isCurrency, minorUnits } from '../../src/domain/values/currency.ts';
import { calendarDate, dateInstant } from '../../src/domain/values/date.ts';
import { readForecast } from '../../src/domain/values/forecast.ts';
import { readReason, reasonDefault, unsendableReasons } from '../../src/domain/values/reasons.ts';
import { isRevenueCode, REVENUE_TYPES_V0, readRevenueType } from '../../src/domain/values/revenue-type.ts';
import { bareConfig, mappingConfig } from '../support/mapping-fixtures.ts';

test.each([
  ['2026-06-30', 'Pacific/Kiritimati', '2026-06-30'],
  ['2026-06-30T00:00:00.000Z', 'America/Los_Angeles', '2026-06-30'],
  ['2026-06-30T00:00:00Z', 'America/Los_Angeles', '2026-06-30'],
  ['2026-06-30T00:00:00.001Z', 'America/Los_Angeles', '2026-06-29'],
  ['2026-06-30T22:30:00.000Z', 'Europe/Paris', '2026-07-01'],
  ['2026-06-30T22:30:00.000Z', 'UTC', '2026-06-30'],
  ['2026-12-31T23:30:00.000Z', 'Europe/Paris', '2027-01-01'],
  ['2026-06-30T00:00:00+02:00', 'Europe/Paris', '2026-06-30'],
  ['2026-06-30T00:00:00+0200', 'UTC', '2026-06-29'],
  ['2026-06-30T12:00', 'UTC', '2026-06-30'],
  ['2024-02-29', 'UTC', '2024-02-29'],
  ['2026-02-29', 'UTC', null],
  ['2026-02-30T10:00:00.000Z', 'UTC', null],
  ['2026-06-30T25:00:00.000Z', 'UTC', null],
  ['30.06.2026', 'UTC', null],
  ['1782777600000', 'UTC', null],
  ['', 'UTC', null],
])('%s in %s is the date %s', (text, zone, date) => {
  expect(calendarDate(text, zone)).toBe(date);
});

test('a date is sent as midnight UTC', () => {
  expect(dateInstant('2026-06-30')).toBe('2026-06-30T00:00:00.000Z');
});

test.each([
  [100, 'EUR', '100'],
  [100.1, 'EUR', '100.1'],
  ['100.10', 'EUR', '100.1'],
  [0.1 + 0.2, 'EUR', '0.3'],
  [1.005, 'EUR', '1.01'],
  [-1.005, 'EUR', '-1.01'],
  [-0.001, 'EUR', '0'],
  [99.5, 'JPY', '100'],
  [1.0005, 'KWD', '1.001'],
  [1e21, 'EUR', '1000000000000000000000'],
  ['1e3', 'EUR', '1000'],
  ['12,50', 'EUR', null],
  ['0x10', 'EUR', null],
  ['', 'EUR', null],
  [Number.NaN, 'EUR', null],
  [Number.POSITIVE_INFINITY, 'EUR', null],
  [null, 'EUR', null],
  [true, 'EUR', null],
])('amount %s in %s is %s', (value, currency, amount) => {
  expect(readAmount(value, currency)).toBe(amount);
});

test('an amount is sent as a number only when that loses nothing', () => {
  expect(amountNumber('0.1')).toBe(0.1);
  expect(amountNumber('9007199254740.91')).toBe(9007199254740.91);
  expect(amountNumber('12345678901234567890.12')).toBeNull();
});

test('currencies have their minor units, two unless told', () => {
  expect(['EUR', 'JPY', 'KWD', 'CLF', 'XXX'].map(minorUnits)).toEqual([2, 0, 3, 4, 2]);
  expect(['EUR', 'eur', 'EURO', 'E1R', ''].map(isCurrency)).toEqual([true, false, false, false, false]);
});

test('reasons: a name without code is not sendable, an unknown code is', () => {
  const lost = ['FUNC_GAP', 'NO_PROJECT', 'X_NEW'];
  expect(unsendableReasons('reasonLost', lost, bareConfig())).toEqual(['NO_PROJECT']);
  expect(readReason('reasonLost', 'NO_PROJECT', mappingConfig())).toBe('NO_PROJ');
  expect(unsendableReasons('reasonLost', ['NO_PROJ'], mappingConfig())).toEqual([]);
  expect(unsendableReasons('reasonWon', ['constructor'], bareConfig())).toEqual([]);
  const values = { ...mappingConfig().values, reasonLost: { NO_PROJECT: 'NO_PROJECT' } };
  expect(unsendableReasons('reasonLost', ['NO_PROJECT'], mappingConfig({ values }))).toEqual([]);
});

test.each(['constructor', 'toString', '__proto__'])(
  'a value spelled %s finds nothing in a table',
  (value) => {
    expect(readReason('reasonLost', value, mappingConfig())).toBe(value);
    expect(readRevenueType(value, mappingConfig())).toBe(value);
    expect(readForecast(value, mappingConfig())).toBe(value);
  },
);

test('the vendor’s defaults for reasons', () => {
  expect(reasonDefault('reasonWon', bareConfig())).toBe('STRNG_VAL_PROP');
  expect(reasonDefault('reasonLost', bareConfig())).toBeNull();
  expect(reasonDefault('reasonLost', mappingConfig())).toBe('NO_PROJ');
});

test('no v0 revenue type is a v1 code until the tenant file or the vendor says so', () => {
  for (const type of REVENUE_TYPES_V0) expect(isRevenueCode(type, bareConfig(), new Set())).toBe(false);
  expect(isRevenueCode('UPFRONT', mappingConfig(), new Set())).toBe(true);
  expect(isRevenueCode('RENTAL_Q', bareConfig(), new Set(['RENTAL_Q']))).toBe(true);
  expect(readRevenueType('Rental, yearly', mappingConfig())).toBe('RENTAL_Y');
});
