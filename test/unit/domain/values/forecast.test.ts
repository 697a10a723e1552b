import { describe, expect, test } from 'vitest';
import {
  CLIENT_FORECASTS,
  FORECAST_RULES,
  FORECASTS,
  forecastVerdict,
  readForecast,
} from '../../../../src/domain/values/forecast.ts';
import { STATUSES } from '../../../../src/domain/values/status.ts';
import { bareConfig, mappingConfig } from '../../../support/mapping/fixtures.ts';

const config = mappingConfig();
const OPEN = ['OPPY_OPEN', 'OPPY_VALID', 'OPPY_ESTAB'];
const CODES = ['UPSIDE', 'COMMIT', 'SAFE', 'LONG', 'WON', 'LOST', 'LONGSHOT', 'X_NEW'];

describe('matrix of sales spec 2.3', () => {
  test.each(['LEAD_OPEN', 'QUALIFIED', 'ACCEPTED', 'WON', 'OPPY_LOST'])('with %s nothing is sent', (status) => {
    for (const code of CODES) expect(forecastVerdict(code, status, config)).toBe('not-now');
  });

  test.each(
    OPEN.flatMap((status) => [
      [status, 'UPSIDE', 'send'],
      [status, 'COMMIT', 'send'],
      [status, 'SAFE', 'send'],
      [status, 'LONG', 'send'],
      [status, 'WON', 'system'],
      [status, 'LONGSHOT', 'no-code'],
      [status, 'LOST', 'system'],
      [status, 'X_NEW', 'no-code'],
    ]),
  )('with %s, %s is %s', (status, code, verdict) => {
    expect(forecastVerdict(code, status, config)).toBe(verdict);
  });

  test('a status outside the matrix forbids no client value, and leaves Won to the system', () => {
    expect(forecastVerdict('COMMIT', 'MYSTERY', config)).toBe('send');
    expect(forecastVerdict('COMMIT', null, config)).toBe('send');
    expect(forecastVerdict('WON', 'MYSTERY', config)).toBe('system');
  });

  test('a tenant code of Lost is still the system’s to set', () => {
    const values = { ...config.values, forecastCategory: { LOST: 'F_LOST' } };
    expect(forecastVerdict('F_LOST', 'OPPY_OPEN', mappingConfig({ values }))).toBe('system');
  });
});

test('the values of sales spec 2.3, Longshot and Lost without a code', () => {
  const rows = Object.entries(FORECASTS).map(([name, row]) => [name, row.documented]);
  expect(rows).toEqual([
    ['UPSIDE', true],
    ['COMMIT', true],
    ['SAFE', true],
    ['LONGSHOT', false],
    ['WON', true],
    ['LOST', false],
  ]);
  expect(CLIENT_FORECASTS).toEqual(['SAFE', 'COMMIT', 'UPSIDE', 'LONGSHOT']);
});

test.each([
  ['LEAD_OPEN', false, null],
  ['QUALIFIED', false, null],
  ['ACCEPTED', false, null],
  ['OPPY_OPEN', true, 'UPSIDE'],
  ['VALIDATED', true, 'UPSIDE'],
  ['ESTABLISHED', true, 'UPSIDE'],
  ['WON', false, 'WON'],
  ['LOST', false, 'LOST'],
] as const)('the row of its matrix for %s: may be sent %s, by default %s', (status, mayBeSent, byDefault) => {
  const rule = FORECAST_RULES[STATUSES[status].phase];
  expect([rule.mayBeSent, rule.byDefault(status)]).toEqual([mayBeSent, byDefault]);
});

test('a name reads as the tenant’s code, and as itself where there is none', () => {
  expect(readForecast('LONGSHOT', config)).toBe('LONG');
  expect(readForecast('LONGSHOT', bareConfig())).toBe('LONGSHOT');
  expect(readForecast('X_NEW', config)).toBe('X_NEW');
});
