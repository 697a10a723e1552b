import { describe, expect, it } from 'vitest';
import { isAddress, withoutPerson } from '../../../../src/domain/record/person.ts';

const EMAIL = 'Erika@Muster.example';
const ERIKA = { email: 'erika@muster.example', firstName: 'Erika', lastName: 'Muster', phoneNumber: '1' };
const OTHER = { email: 'max@muster.example', firstName: 'Max', lastName: 'Muster', phoneNumber: '2' };

describe('a value without a person', () => {
  it.each<[string, unknown, unknown, number]>([
    ['nothing of it', { a: [1, null, true, 'text'] }, { a: [1, null, true, 'text'] }, 0],
    ['an entry of a list', [ERIKA, OTHER], [OTHER], 1],
    ['entries of nested lists', { crm: { contacts: [ERIKA] }, v: [[ERIKA]] }, { crm: { contacts: [] }, v: [[]] }, 2],
    [
      'an owner under other names',
      { salesRepEmail: ' ERIKA@muster.example', salesRepFirstName: 'E' },
      { salesRepEmail: null, salesRepFirstName: null },
      1,
    ],
    [
      'a field that is the address',
      { field: 'dsOwnerEmail', crm: ERIKA.email },
      { field: 'dsOwnerEmail', crm: null },
      1,
    ],
    ['a member that is called so', { contacts: { [EMAIL]: { phone: '1' }, other: 1 } }, { contacts: { other: 1 } }, 1],
    ['an address in a link', 'crm?to=erika%40muster.example&x', '[erased]', 1],
    ['a list of decisions', [{ field: 'dsOwnerEmail', crm: ERIKA.email }], [{ field: 'dsOwnerEmail', crm: null }], 1],
    [
      'an address in a text, twice',
      'Ask erika@muster.example or ERIKA@MUSTER.EXAMPLE.',
      'Ask [erased] or [erased].',
      2,
    ],
    ['an address in an encoded link', 'crm?x=mailto%3AErika%40Muster.example%2C1', '[erased]', 1],
    [
      'an address at the end of a sentence',
      'Ask <erika@muster.example>, or erika@muster.example.',
      'Ask <[erased]>, or [erased].',
      2,
    ],
    [
      'addresses that begin or end with this one',
      { 'x.erika@muster.example': 'jo-erika@muster.example, erika@muster.example.org, erika%40muster.example-x.org' },
      { 'x.erika@muster.example': 'jo-erika@muster.example, erika@muster.example.org, erika%40muster.example-x.org' },
      0,
    ],
    ['an address in a text of which lower case is longer', 'İ erika@muster.example', '[erased]', 1],
    [
      'another person of the same name',
      [OTHER, { ...ERIKA, email: OTHER.email }],
      [OTHER, { ...ERIKA, email: OTHER.email }],
      0,
    ],
  ])('with %s', (_, value, left, found) => {
    expect(withoutPerson(value, EMAIL)).toEqual({ value: left, found });
  });
});

it.each([
  ['a@b.example', true],
  ['', false],
  ['Erika', false],
  ['a@b c', false],
  ['a@b@c', false],
  [`${'a'.repeat(320)}@b`, false],
])('%s as an address: %s', (text, expected) => {
  expect(isAddress(text)).toBe(expected);
});
