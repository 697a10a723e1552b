import { expect, test } from 'vitest';
import { readMoves } from '../../../src/cli/commands/relink.ts';
import type { LinkedIds } from '../../../src/ledger/links/link-ledger.ts';
import { judgeMoves, type Move, type MoveVerdict } from '../../../src/operator/records/judge-moves.ts';

const link = (crmId: string, ...formerIds: string[]): LinkedIds => ({
  key: crmId,
  crmId,
  vendorId: `LO-${crmId}`,
  formerIds,
});
const LINKS = [link('A'), link('C'), link('B', 'A0')];
const THERE = new Set(['N', 'B']);

test.each<[string, Move, readonly Move[], MoveVerdict]>([
  ['a linked deal, and an opportunity that the org has', { from: 'A', to: 'N' }, [], 'move'],
  ['a deal that was moved before', { from: 'A0', to: 'B' }, [], 'done'],
  ['a former id of no deal', { from: 'X', to: 'N' }, [], 'unknown'],
  ['a new id that the org does not have', { from: 'A', to: 'M' }, [], 'not-in-org'],
  ['a new id of another deal', { from: 'A', to: 'B' }, [], 'taken'],
  ['a new id for two deals', { from: 'A', to: 'N' }, [{ from: 'C', to: 'N' }], 'twice'],
  ['two new ids for a deal', { from: 'A', to: 'N' }, [{ from: 'A', to: 'B' }], 'twice'],
  ['a new id that is a former one', { from: 'A', to: 'N' }, [{ from: 'N', to: 'B' }], 'twice'],
])('%s: %j beside %j is %s', (_, move, beside, verdict) => {
  expect(judgeMoves([move, ...beside], LINKS, THERE)[0]?.verdict).toBe(verdict);
});

const [OLD, NEW] = ['006Hs00001ABCDE', '006Kf00001ABCDE'];

test.each<[string, string, unknown]>([
  [
    'with a heading, quotes and a blank line',
    `"Old","New"\n"${OLD}","${NEW}"\n\n`,
    [{ from: `${OLD}IA5`, to: `${NEW}IA5` }],
  ],
  ['by semicolons', `${OLD};${NEW}`, [{ from: `${OLD}IA5`, to: `${NEW}IA5` }]],
])('a file %s', (_, text, moves) => {
  expect(readMoves(text)).toMatchObject(moves as object);
});

test('a line without two ids is named', () => {
  expect(() => readMoves(`${OLD},${NEW}\n${OLD},LO-1`)).toThrow(/^Line 2 /);
});
