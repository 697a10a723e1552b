import { expect, test } from 'vitest';
import { idsOfCreatedLines, nameCreatedLines } from '../../../../src/domain/lines/pair-lines.ts';
import type { OfferLine } from '../../../../src/domain/record/canonical.ts';

/** Lines as `id|offer|amount`, with `-` for a line that has no id. */
function lines(...texts: readonly string[]): readonly OfferLine[] {
  return texts.map((text) => {
    const [id = '-', offerNameId = null, amount = null] = text.split('|');
    return { offerNameId, amount, revenueType: null, ...(id === '-' ? {} : { crmLineId: id }) };
  });
}

test('lines that a write creates get names of ours, and no others do', () => {
  expect(nameCreatedLines({ offerLines: lines('L1|A|1', '-|B|2') }).offerLines).toEqual(
    lines('L1|A|1', 'created 1|B|2'),
  );
  expect(nameCreatedLines({ name: 'a' })).toEqual({ name: 'a' });
});

const known = lines('L1|A|1', 'created 1|B|2', 'created 2|B|3');

test.each<[string, readonly OfferLine[], Readonly<Record<string, string>>]>([
  ['nothing', [], {}],
  ['nothing new', lines('L1|A|1'), {}],
  ['a line of another offer', lines('L1|A|1', 'L9|C|2'), {}],
  ['a line that has no id yet', lines('-|B|2'), {}],
  ['lines that say the same', lines('L9|B|3', 'L8|B|2'), { 'created 1': 'L8', 'created 2': 'L9' }],
  ['one that says the same first', lines('L8|B|7', 'L9|B|2'), { 'created 1': 'L9', 'created 2': 'L8' }],
  ['one that was edited', lines('L1|A|1', 'L8|B|7'), { 'created 1': 'L8' }],
  ['more than were created', lines('L7|B|7', 'L8|B|3', 'L9|B|2'), { 'created 1': 'L9', 'created 2': 'L8' }],
])('an observation that shows %s', (_, observed, expected) => {
  expect(Object.fromEntries(idsOfCreatedLines(known, observed))).toEqual(expected);
});

test('a line that was known already is none that we created, though it says the same', () => {
  expect(idsOfCreatedLines(lines('L1|B|2', 'created 1|B|2'), lines('L1|B|2')).size).toBe(0);
});

test('where nothing was created, a new line is somebody else’s', () => {
  expect(idsOfCreatedLines(lines('L1|A|1'), lines('L1|A|1', 'L9|A|1')).size).toBe(0);
});
