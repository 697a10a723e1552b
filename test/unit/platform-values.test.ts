import { describe, expect, it } from 'vitest';
import { sameId, toId18 } from '../../src/domain/record/salesforce-id.ts';
import { nearest } from '../../src/domain/values/nearest.ts';
import { parseDuration } from '../../src/platform/duration.ts';
import { checkBaseUrl } from '../../src/platform/web-address.ts';

describe('toId18', () => {
  it.each([
    // A known pair from Salesforce's own documentation of the two forms.
    ['00570000001ZwTi', '00570000001ZwTiAAK'],
    ['006D000000CvZxy', '006D000000CvZxyIAF'],
    ['000000000000000', '000000000000000AAA'],
    ['ABCDEFGHIJKLMNO', 'ABCDEFGHIJKLMNO555'],
    ['006D000000CvZxyIAF', '006D000000CvZxyIAF'],
  ])('%s is %s', (id, long) => {
    expect(toId18(id)).toBe(long);
  });

  it.each(['', '006', '006D000000CvZx', "006D000000Cv'--", '006D000000CvZxyIA', '006D000000CvZxyI99'])(
    '%s is none',
    (text) => {
      expect(toId18(text)).toBeNull();
    },
  );

  it('compares across the two forms, and by case', () => {
    expect(sameId('006D000000CvZxy', '006D000000CvZxyIAF')).toBe(true);
    expect(sameId('006D000000CvZxy', '006d000000cvzxy')).toBe(false);
    expect(sameId('', '')).toBe(false);
  });
});

describe('parseDuration', () => {
  it.each([
    ['250ms', 250],
    ['60s', 60_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
  ])('%s is %i ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(['', '5', '5 m', '-5s', '1.5h', '5min', 'PT5M'])('%s is none', (text) => {
    expect(parseDuration(text)).toBeNull();
  });
});

describe('checkBaseUrl', () => {
  it.each([
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://api.example.com/v/', 'https://api.example.com/v'],
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
    ['http://localhost:4010/', 'http://localhost:4010'],
    ['http://[::1]:4010', 'http://[::1]:4010'],
  ])('%s is accepted', (text, url) => {
    expect(checkBaseUrl(text)).toEqual({ url });
  });

  it.each([
    ['http://api.example.com', /https/],
    ['http://127.0.0.1.example.com', /https/],
    ['http://localhost.example.com', /https/],
    ['ftp://127.0.0.1', /https/],
    ['api.example.com', /address/],
    ['https://u:p@api.example.com', /password/],
    ['https://api.example.com?x=1', /path/],
  ])('%s is refused', (text, problem) => {
    expect(checkBaseUrl(text)).toEqual({ problem: expect.stringMatching(problem) });
  });
});

describe('nearest', () => {
  it.each([
    ['keyHeadr', 'keyHeader'],
    ['APIKEY', 'apiKey'],
    ['pol', 'poll'],
    ['colour', null],
  ])('%s means %s', (word, meant) => {
    expect(nearest(word, ['keyHeader', 'apiKey', 'poll', 'partnerId'])).toBe(meant);
  });
});

it.each([
  ['006Hs00001ABCDE', '006Hs00001ABCDEIA5'],
  ['006Hs00001ABCDEIA5', '006Hs00001ABCDEIA5'],
  ['006hs00001abcdeia5', '006Hs00001ABCDEIA5'],
  ['006HS00001ABCDEIA5', '006Hs00001ABCDEIA5'],
])('an opportunity id that is written as %s is %s', (text, id) => {
  expect(toId18(text)).toBe(id);
});
