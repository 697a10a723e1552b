import { expect, test } from 'vitest';
import { ExactNumbers } from '../../src/partner-api/exact-numbers.ts';
import { JsonCounter } from '../../src/partner-api/json-bounds.ts';

const BOUNDS = { levels: 3, values: 10, length: 8, shapes: 4 };

function judged(text: string, pieceBytes: number): string | null {
  const counter = new JsonCounter(BOUNDS);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const excess = counter.push(bytes.subarray(at, at + pieceBytes));
    if (excess !== null) return excess;
  }
  return null;
}

test.each<[string, string | null]>([
  ['[[[1]]]', null],
  ['[[[[1]]]]', 'levels'],
  ['["[[[[", "]]"]', null],
  ['["\\"[[[[", 1]', null],
  ['[1,1,1,1,1,1,1,1,1,1]', null],
  ['[1,1,1,1,1,1,1,1,1,1,1]', 'values'],
  ['[",,,,,,", ",,,,,,"]', null],
  ['["12345678"]', null],
  ['["1234567890"]', 'length'],
  ['[1234567890]', 'length'],
  ['{"1234567890":1}', 'length'],
  ['[{"a":1,"b":2},{"a":1,"b":2}]', null],
  ['[{"a":1,"b":2},{"b":1,"a":2}]', null],
  ['[{"a":1,"b":2},{"b":1,"a":2},{"c":1}]', 'shapes'],
  ['{"a":"b","c":["d","e","f","g","h"]}', null],
  [']]]][[', null],
])('%s exceeds %s, in pieces of any size', (text, excess) => {
  for (const pieceBytes of [1, 2, 3, 100]) expect(judged(text, pieceBytes)).toBe(excess);
});

test.each<[string, string]>([
  ['[1,2.5,-3e7]', '[1,2.5,-3e7]'],
  ['1234567890123456789', '"1234567890123456789"'],
  [
    '{"a":1234567890123456789, "b":[0.12345678901234567890]}',
    '{"a":"1234567890123456789", "b":["0.12345678901234567890"]}',
  ],
  ['["1234567890123456789"]', '["1234567890123456789"]'],
  ['["\\"1234567890123456789"]', '["\\"1234567890123456789"]'],
  ['[1e999,0.1e1]', '["1e999",0.1e1]'],
  ['[01234567890123456789]', '[01234567890123456789]'],
  ['[9007199254740993]', '["9007199254740993"]'],
  ['[9007199254740992]', '[9007199254740992]'],
])('numbers of %s become %s, in pieces of any size', (text, exact) => {
  const bytes = Buffer.from(text);
  for (const pieceBytes of [1, 2, 5, 100]) {
    const numbers = new ExactNumbers();
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += pieceBytes)
      pieces.push(...numbers.push(bytes.subarray(at, at + pieceBytes)));
    expect(Buffer.concat([...pieces, ...numbers.end()]).toString()).toBe(exact);
  }
});

test('a number that is long enough to lose digits is counted, whatever becomes of it', () => {
  const numbers = new ExactNumbers();
  for (const piece of ['[1,12345678', '901234567,"12345678901234567",0.1,', '1234567890123456]'])
    numbers.push(Buffer.from(piece));
  expect(numbers.long).toBe(2);
});
