import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { POINTS } from '../../scorecard/points/points.ts';
import { tableRows } from '../support/markdown-table.ts';

const PAGE = readFileSync(new URL('../../docs/salesforce-points.md', import.meta.url), 'utf8');

it('simulators/docs/salesforce-points.md has a row of each documented point: npm run docs:points', () => {
  const points = Object.values(POINTS).flat();
  const expected = points.map(({ claim, source, sure }) => [claim, source, sure]);
  expect(tableRows(PAGE, 'What a real org does')).toEqual(expected);
});

it('no point is in the table twice, or without a source', () => {
  const points = Object.values(POINTS).flat();
  expect(new Set(points.map(({ claim }) => claim)).size).toBe(points.length);
  expect(points.filter(({ source }) => source === '')).toEqual([]);
});
