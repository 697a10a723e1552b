import { afterEach, expect, test, vi } from 'vitest';
import type { FieldName } from '../../../../src/domain/record/canonical.ts';
import { oneLine } from '../../../../src/domain/record/shown-text.ts';
import { amountNumber, readAmount } from '../../../../src/domain/values/amount.ts';
import { isCurrency, minorUnits } from '../../../../src/domain/values/currency.ts';
import { calendarDate, dateInstant, dayEnd, dayStart } from '../../../../src/domain/values/date.ts';
import { documentedDefault } from '../../../../src/domain/values/defaults.ts';
import { readForecast } from '../../../../src/domain/values/forecast.ts';
import { readReason, reasonDefault, unsendableReasons } from '../../../../src/domain/values/reasons.ts';
import { isRevenueCode, readRevenueType } from '../../../../src/domain/values/revenue-type.ts';
import { bareConfig, mappingConfig } from '../../../support/mapping/fixtures.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

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
  ['2026-06-30T00:00:00.123456789+0230', 'UTC', '2026-06-29'],
  ['2026-06-30T22:00:00-02:30', 'UTC', '2026-07-01'],
  ['0250-06-30T12:00:00.000Z', 'UTC', '0250-06-30'],
  ['2024-02-29', 'UTC', '2024-02-29'],
  ['2000-02-29', 'UTC', '2000-02-29'],
  ['1900-02-29', 'UTC', null],
  ['2026-02-29', 'UTC', null],
  ['2026-12-31', 'UTC', '2026-12-31'],
  ['2026-13-01', 'UTC', null],
  ['2026-00-10', 'UTC', null],
  ['2026-04-00', 'UTC', null],
  ['2026-02-30T10:00:00.000Z', 'UTC', null],
  ['2026-06-30T25:00:00.000Z', 'UTC', null],
  ['30.06.2026', 'UTC', null],
  ['2026-06-31', 'UTC', null],
  ['on 2026-06-30', 'UTC', null],
  ['+002026-06-30T12:00:00.000Z', 'UTC', null],
  ['2026-06-30T12:00:00.000Z or so', 'UTC', null],
  ['2026-06-30T12', 'UTC', null],
  ['1782777600000', 'UTC', null],
  ['', 'UTC', null],
])('%s in %s is the date %s', (text, zone, date) => {
  expect(calendarDate(text, zone)).toBe(date);
});

test.each(['America/Los_Angeles', 'Asia/Tokyo'])(
  'a date-time without an offset is UTC, on a machine in %s too',
  (machine) => {
    vi.stubEnv('TZ', machine);
    for (const time of ['00:30', '23:30']) {
      expect(calendarDate(`2026-06-30T${time}`, 'UTC')).toBe('2026-06-30');
    }
  },
);

test('a zone gets one formatter, which is costly to make', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat');
  for (const day of ['01', '02', '03']) {
    expect(calendarDate(`2026-06-${day}T12:00:00.000Z`, 'Asia/Kathmandu')).toBe(`2026-06-${day}`);
  }
  expect(made).toHaveBeenCalledTimes(1);
});

test.each([
  ['2026-11-01', 'UTC', '2026-11-01T00:00:00.000Z'],
  ['2026-11-01', 'America/Los_Angeles', '2026-11-01T07:00:00.000Z'],
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ['2026-11-01', 'Pacific/Kiritimati', '2026-10-31T10:00:00.000Z'],
])('%s begins in %s at %s, also where clocks skip midnight', (date, zone, instant) => {
  expect(new Date(dayStart(date, zone)).toISOString()).toBe(instant);
});

test('a period that ends with a date includes it', () => {
  expect(dayEnd('2026-11-07')).toBe('2026-11-07T23:59:59Z');
  expect(dayEnd('2026-11-07T10:00:00Z')).toBe('2026-11-07T10:00:00Z');
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
  ['1E-1', 'EUR', '0.1'],
  ['+7', 'EUR', '7'],
  ['5.', 'EUR', '5'],
  ['.25', 'EUR', '0.25'],
  [' 12.50 ', 'EUR', '12.5'],
  ['EUR 12', 'EUR', null],
  ['12 EUR', 'EUR', null],
  ['12,50', 'EUR', null],
  ['0x10', 'EUR', null],
  ['', 'EUR', null],
  [Number.NaN, 'EUR', null],
  [Number.POSITIVE_INFINITY, 'EUR', null],
  [null, 'EUR', null],
  [true, 'EUR', null],
  [['5'], 'EUR', null],
])('amount %s in %s is %s', (value, currency, amount) => {
  expect(readAmount(value, currency)).toBe(amount);
});

test('an amount is sent as a number only when that loses nothing', () => {
  expect(amountNumber('0.1')).toBe(0.1);
  expect(amountNumber('9007199254740.91')).toBe(9007199254740.91);
  expect(amountNumber('12345678901234567890.12')).toBeNull();
});

test('currencies have their minor units, two by default', () => {
  expect(['EUR', 'JPY', 'KWD', 'CLF', 'UYW', 'XXX'].map(minorUnits)).toEqual([2, 0, 3, 4, 4, 2]);
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

test.each(['constructor', 'toString', '__proto__'])('a value spelled %s finds nothing in a table', (value) => {
  expect(readReason('reasonLost', value, mappingConfig())).toBe(value);
  expect(readRevenueType(value, mappingConfig())).toBe(value);
  expect(readForecast(value, mappingConfig())).toBe(value);
});

test('of the reasons of sales spec 2.4 and 2.1, the one whose code is not given cannot be sent', () => {
  const won = ['SOLUTION_FUNCT', 'STRNG_VAL_PROP', 'LWR_CST_OF_OWNRSHIP', 'LWR_IMPL_COST'];
  const lost = [
    'BETTER_COMP_OFFER',
    'CLIENT_DOES_NOT_SEE_VALUE',
    'LACK_OR_LOSS_OF_CHAMPION',
    'FUNC_GAP',
    'CLIENT_HAS_NO_MORE_BUDGET',
    'NO_PROJECT',
  ];
  expect(unsendableReasons('reasonWon', [...won, ...lost], bareConfig())).toEqual([]);
  expect(unsendableReasons('reasonLost', [...won, ...lost], bareConfig())).toEqual(['NO_PROJECT']);
});

test('the vendor’s defaults for reasons', () => {
  expect(reasonDefault('reasonWon', bareConfig())).toBe('STRNG_VAL_PROP');
  expect(reasonDefault('reasonLost', bareConfig())).toBeNull();
  expect(reasonDefault('reasonLost', mappingConfig())).toBe('NO_PROJ');
});

test.each<[FieldName, string | null, unknown, unknown]>([
  ['forecastCategory', 'OPPY_OPEN', 'UPSIDE', 'UPSIDE'],
  ['forecastCategory', 'OPPY_VALID', 'UPSIDE', null],
  ['forecastCategory', 'WON', 'WON', 'WON'],
  ['forecastCategory', 'OPPY_LOST', null, null],
  ['forecastCategory', 'QUALIFIED', null, null],
  ['forecastCategory', null, null, null],
  ['reasonWon', 'OPPY_OPEN', ['STRNG_VAL_PROP'], ['STRNG_VAL_PROP']],
  ['reasonWon', null, ['STRNG_VAL_PROP'], ['STRNG_VAL_PROP']],
  ['reasonLost', 'OPPY_OPEN', ['NO_PROJ'], null],
  ['dsOwnerEmail', 'OPPY_OPEN', null, null], // the primary sales manager, whom no document names
  ['competitors', 'OPPY_OPEN', null, null],
])('%s not sent with status %s: the vendor fills in %j, without tenant codes %j', (field, status, known, bare) => {
  expect(documentedDefault(field, status, mappingConfig())).toEqual(known);
  expect(documentedDefault(field, status, bareConfig())).toEqual(bare);
});

test('no v0 revenue type is a v1 code until the tenant file or the vendor says so, and each is one of v0', () => {
  for (const type of ['UPFRONT', 'RENTAL_BOOKING', 'SUPPORT_SERVICES', 'SERVICES_SIGNING']) {
    expect(isRevenueCode(type, bareConfig(), new Set())).toBe(false);
    expect(isRevenueCode(type, { ...bareConfig(), apiVersion: 'v0' }, new Set())).toBe(true);
  }
  expect(isRevenueCode('RENTAL_Q', { ...bareConfig(), apiVersion: 'v0' }, new Set())).toBe(false);
  expect(isRevenueCode('UPFRONT', mappingConfig(), new Set())).toBe(true);
  expect(isRevenueCode('RENTAL_Q', bareConfig(), new Set(['RENTAL_Q']))).toBe(true);
  expect(readRevenueType('Rental, yearly', mappingConfig())).toBe('RENTAL_Y');
});

test.each([
  ['two\n\tlines\u2028and\u0000more', 'two lines and more'],
  ['turned \u202Eround', 'turned round'],
  ['x'.repeat(30), 'x'.repeat(20)],
  [`${'x'.repeat(19)}😀`, `${'x'.repeat(19)}\uFFFD`],
  [' \n', null],
  [null, null],
])('%j is one line: %j', (text, line) => {
  expect(oneLine(text, 20)).toBe(line);
});
