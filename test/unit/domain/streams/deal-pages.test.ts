/** Pages of several objects behind one position. */
import { expect, test } from 'vitest';
import { inOneOrder } from '../../../../src/domain/streams/deal-pages.ts';

const row = (systemModstamp: string, id: string) => ({ systemModstamp, id });
const START = row('2026-01-01T00:00:00.000Z', '');
const [EARLY, LATE, LATEST] = ['2026-01-02', '2026-01-03', '2026-01-04'].map((day) => `${day}T00:00:00.000Z`) as [
  string,
  string,
  string,
];
const page = (more: boolean, ...rows: readonly ReturnType<typeof row>[]) => ({
  rows,
  more,
  position: rows.at(-1) ?? START,
});

test('are in the order of change, and of the id at one instant', () => {
  const [deal, lead, first] = [row(LATE, '006A'), row(LATE, '00QA'), row(EARLY, '00QB')];
  expect(inOneOrder([page(false, deal), page(false, first, lead)], START, (one) => one)).toEqual({
    rows: [first, deal, lead],
    position: lead,
    more: false,
  });
});

test('end where the shortest page that continues ends, so that no row is passed over', () => {
  const [deal, lead] = [row(EARLY, '006A'), row(LATEST, '00QA')];
  expect(inOneOrder([page(true, deal), page(false, lead)], START, (one) => one)).toEqual({
    rows: [deal],
    position: deal,
    more: true,
  });
});

test('without a row stay at the start', () => {
  expect(inOneOrder([page(false), page(false)], START, (one) => one)).toEqual({
    rows: [],
    position: START,
    more: false,
  });
});
