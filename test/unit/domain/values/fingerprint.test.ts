import { expect, test } from 'vitest';
import { fingerprint } from '../../../../src/domain/values/fingerprint.ts';
import fc from '../../../support/properties.ts';

/** The ledger keeps fingerprints: a version that gives others would take all that was refused for new. */
test.each([
  [null, '5b9bc4ba528108e4'],
  ['', '07cc7607b4949e25'],
  [{ name: 'Rocket Deal', amount: 12.5 }, 'a07ab4241b0385ae'],
  [['ä', '€', '🚀'], 'b684545f0e784831'],
])('of %j it stays the same', (value, kept) => {
  expect(fingerprint(value)).toBe(kept);
});

test('it is FNV-1a with 64 bits over the code points of the text', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0x10ffff)), (points) => {
      const text = String.fromCodePoint(...points);
      expect(fingerprint(text)).toBe(fnv1a(JSON.stringify(text)));
    }),
  );
});

test('keys have no order, and one that is undefined is none', () => {
  expect(fingerprint({ b: 1, a: [2], c: undefined })).toBe(fingerprint({ a: [2], b: 1 }));
});

/** As it is defined. */
function fnv1a(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const char of text) hash = ((hash ^ BigInt(char.codePointAt(0) ?? 0)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, '0');
}
