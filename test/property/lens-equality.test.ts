import { expect, test } from 'vitest';
import { sameValue } from '../../src/domain/mapping/index.ts';
import type { CanonicalRecord, FieldName } from '../../src/domain/record/canonical.ts';
import { FIELD_NAMES } from '../../src/domain/record/fields.ts';
import { canonicalRecord } from '../support/arbitraries.ts';
import { mappingConfig } from '../support/mapping/fixtures.ts';
import fc from '../support/properties.ts';

/** `sameValue` is an equivalence, or a merge would depend on what is compared with what. */

const config = mappingConfig({ zone: 'Europe/Paris' });
const field = fc.constantFrom(...FIELD_NAMES);

/** The same content in another order and spelling. */
function respelled(name: FieldName, value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(respelledRow).reverse();
  if (value === null) return '';
  if (name === 'closeDate' || name === 'nextMilestoneDate') return `${value}T00:00:00.000Z`;
  return name === 'dsOwnerEmail' ? String(value).toUpperCase() : value;
}

function respelledRow(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return row;
  const { email, salesRepEmail, amount, ...rest } = row as Record<string, unknown>;
  return {
    ...rest,
    ...(email === undefined ? {} : { email: String(email).toUpperCase() }),
    ...(salesRepEmail === undefined ? {} : { salesRepEmail: String(salesRepEmail).toUpperCase() }),
    ...(amount === undefined ? {} : { amount: respelledAmount(String(amount)) }),
    crmLineId: 'another',
  };
}

function respelledAmount(amount: string): string {
  return amount.includes('.') ? `${amount}00` : `${amount}.00`;
}

function same(name: FieldName, a: unknown, b: unknown): boolean {
  return sameValue(name, a, b, config);
}

test('a value equals itself in any order and spelling, both ways round', () => {
  fc.assert(
    fc.property(canonicalRecord, field, (record, name) => {
      const value = record[name];
      expect(same(name, value, value)).toBe(true);
      expect(same(name, value, respelled(name, value))).toBe(true);
      expect(same(name, respelled(name, value), value)).toBe(true);
    }),
  );
});

test('equality is symmetric, and equal to the same is equal', () => {
  const few = fc
    .array(canonicalRecord, { minLength: 3, maxLength: 3 })
    .chain((records) => fc.tuple(...records.map((_, index) => fc.constantFrom(...records.slice(0, index + 1)))));
  fc.assert(
    fc.property(few, field, ([a, b, c], name) => {
      const [x, y, z] = [a, b, c].map((record) => (record as CanonicalRecord)[name]);
      const again = respelled(name, y);
      expect(same(name, x, y)).toBe(same(name, y, x));
      expect(same(name, x, again)).toBe(same(name, x, y));
      if (same(name, x, again) && same(name, again, z)) expect(same(name, x, z)).toBe(true);
    }),
  );
});

test('a different text, code, date or amount is a difference', () => {
  fc.assert(
    fc.property(canonicalRecord, canonicalRecord, (a, b) => {
      expect(same('name', a.name, b.name)).toBe(a.name === b.name);
      expect(same('status', a.status, b.status)).toBe(a.status === b.status);
      expect(same('closeDate', a.closeDate, b.closeDate)).toBe(a.closeDate === b.closeDate);
      const [left, right] = [a.offerLines[0], b.offerLines[0]];
      if (left?.amount !== right?.amount) expect(same('offerLines', [left], [right])).toBe(false);
    }),
  );
});

test('unknown equals only unknown', () => {
  expect(same('name', undefined, null)).toBe(false);
  expect(same('offerLines', undefined, [])).toBe(false);
  expect(same('name', undefined, undefined)).toBe(true);
});
