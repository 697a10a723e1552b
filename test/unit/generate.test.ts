import { describe, expect, it } from 'vitest';
import { GENERATED, textsOf } from '../../scripts/generate/generated.ts';
import { withTable } from '../../scripts/generate/with-table.ts';

it.each(GENERATED)('$path is as the code has it: else run "npm run generate"', (file) => {
  const { present, wanted } = textsOf(file);
  expect(present === wanted, `${file.path} is stale`).toBe(true);
});

describe('a table of a page', () => {
  const page = 'Before.\n\n| Code | Means |\n| ---- | ----- |\n| a | old |\n\nAfter.';

  it('gets new rows, and all else stays', () => {
    expect(
      withTable(page, 'Code', [
        ['b', 'x|y'],
        ['c', 'z'],
      ]),
    ).toBe('Before.\n\n| Code | Means |\n| ---- | ----- |\n| b | x\\|y |\n| c | z |\n\nAfter.');
    expect(withTable('| Code |\n| --- |\n| a |', 'Code', [])).toBe('| Code |\n| --- |');
  });

  it('that is not there is said', () => {
    expect(() => withTable(page, 'Other', [])).toThrow('no table with the heading Other');
  });
});
