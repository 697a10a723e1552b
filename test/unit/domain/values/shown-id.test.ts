import { expect, it } from 'vitest';
import { shownId } from '../../../../src/domain/values/shown-id.ts';

it.each<[id: string, shown: string]>([
  ['006Hs00001ABCDEIA5', '006Hs00001ABCDEIA5'],
  ['LO_7-b', 'LO_7-b'],
  ['a'.repeat(64), 'a'.repeat(64)],
  ['a'.repeat(65), `\`${'a'.repeat(64)}\``],
  ['', '``'],
  ['LO 7', '`LO 7`'],
  ['*LO', '`*LO`'],
  ['LO*', '`LO*`'],
  [' a``\n\u0007b ', '`a b`'],
  ['🚀'.repeat(65), `\`${'🚀'.repeat(64)}\``],
])('the id %j is shown as %j', (id, shown) => {
  expect(shownId(id)).toBe(shown);
});
