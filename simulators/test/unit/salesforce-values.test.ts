import { describe, expect, it } from 'vitest';
import { area, choice, field, flag, lookup, money, text } from '../../src/salesforce/schema/fields.ts';
import type { FieldDef } from '../../src/salesforce/schema/types.ts';
import { ApiFailure } from '../../src/salesforce/store/failure.ts';
import { makeId, normalizeId, withSuffix } from '../../src/salesforce/store/ids.ts';
import { stampAfter } from '../../src/salesforce/store/instant.ts';
import { coerce } from '../../src/salesforce/store/values.ts';

const email = field('Email', 'email', { length: 80 });
const colours = choice('Colour', ['Red', 'Green'], { restricted: true });
const tags = field('Tags', 'multipicklist', { length: 4099, picklist: choice('x', ['B', 'A']).picklist });

describe('ids', () => {
  it.each([
    ['0012800000xyzAB', '0012800000xyzABAAY'],
    ['00D000000000062', '00D000000000062EAA'],
    ['aaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaAAA'],
    ['AAAAAAAAAAAAAAA', 'AAAAAAAAAAAAAAA555'],
  ])('%s has the 18-character form %s', (short, long) => {
    expect(withSuffix(short)).toBe(long);
    expect(normalizeId(short)).toBe(long);
    expect(normalizeId(long)).toBe(long);
  });

  it('gets its case back from the suffix', () => {
    expect(normalizeId('0012800000XYZABAAY')).toBe('0012800000xyzABAAY');
  });

  it.each(['', '001', '0012800000xyzABAA', '0012800000xyzA!AAY', '001280000000000999'])('%j is none', (id) => {
    expect(normalizeId(id)).toBeNull();
  });

  it('numbers rows in the order of their ids, without collisions in either case', () => {
    const ids = Array.from({ length: 500 }, (_, n) => makeId('006', 'Kq', n));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(500);
    expect(ids.every((id) => normalizeId(id) === id)).toBe(true);
  });
});

describe('stamps', () => {
  it('hold whole seconds, so that two saves within one look alike, and never go back', () => {
    const first = stampAfter(undefined, new Date('2026-01-01T00:00:00.100Z'));
    const second = stampAfter(first, new Date('2026-01-01T00:00:00.900Z'));
    expect([first, second]).toEqual(['2026-01-01T00:00:00.000+0000', '2026-01-01T00:00:00.000+0000']);
    expect(stampAfter(second, new Date('2025-01-01T00:00:00Z'))).toBe(second);
    expect(stampAfter(second, new Date('2026-01-01T00:00:01.000Z'))).toBe('2026-01-01T00:00:01.000+0000');
  });
});

describe('values that are stored', () => {
  it.each<[string, FieldDef, unknown, unknown]>([
    ['text without blanks around it', text('T', 10), '  a b ', 'a b'],
    ['no empty text', text('T', 10), '   ', null],
    ['null', text('T', 10), null, null],
    ['a flag without value as false', flag('F'), null, false],
    ['a flag as text', flag('F'), 'true', true],
    ['money rounded half up', money('M'), 10.005, 10.01],
    ['a number as text', money('M'), '12.5', 12.5],
    ['a date', field('D', 'date'), '2024-02-29', '2024-02-29'],
    ['an instant in UTC', field('I', 'datetime'), '2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00.000+0000'],
    ['an id in 18 characters', lookup('AccountId', 'Account', null), '0012800000xyzAB', '0012800000xyzABAAY'],
    ['a choice in the list’s spelling', colours, 'red', 'Red'],
    ['an open choice as it is', choice('C', ['Red']), 'Blue', 'Blue'],
    ['choices as a set in the list’s order', tags, 'A; B;A;Z', 'B;A;Z'],
    ['an e-mail address', email, 'a.b+c@d-e.example', 'a.b+c@d-e.example'],
  ])('%s', (_, definition, given, stored) => {
    expect(coerce(definition, given)).toBe(stored);
  });
});

describe('values that are refused', () => {
  it.each<[FieldDef, unknown, string]>([
    [text('T', 3), 'four', 'STRING_TOO_LONG'],
    [area('T', 3), 'four', 'STRING_TOO_LONG'],
    [text('T', 3), 5, 'JSON_PARSER_ERROR'],
    [text('T', 3), { a: 1 }, 'JSON_PARSER_ERROR'],
    [flag('F'), 'yes', 'JSON_PARSER_ERROR'],
    [money('M'), 'many', 'JSON_PARSER_ERROR'],
    [money('M'), 1e16, 'NUMBER_OUTSIDE_VALID_RANGE'],
    [field('D', 'date'), '2026-02-30', 'JSON_PARSER_ERROR'],
    [field('D', 'date'), '2026-01-01T00:00:00Z', 'JSON_PARSER_ERROR'],
    [field('I', 'datetime'), '2026-01-01', 'JSON_PARSER_ERROR'],
    [lookup('AccountId', 'Account', null), 'x', 'MALFORMED_ID'],
    [colours, 'Blue', 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST'],
    [email, 'nobody', 'INVALID_EMAIL_ADDRESS'],
    [email, 'a@b', 'INVALID_EMAIL_ADDRESS'],
  ])('%o: %j', (definition, given, code) => {
    const refused = () => coerce(definition, given);
    expect(refused).toThrow(ApiFailure);
    expect(refused).toThrow(code);
  });
});
