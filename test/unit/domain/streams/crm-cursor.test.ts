import { describe, expect, it } from 'vitest';
import {
  afterPage,
  type CrmCursor,
  firstCrmCursor,
  pageStart,
  unseenOf,
} from '../../../../src/domain/streams/crm-cursor.ts';

const OVERLAP_MS = 900_000;
const at = (time: string): string => `2026-03-10T${time}.000Z`;
const row = (rowId: string, time: string) => ({ rowId, systemModstamp: at(time) });
const SETTLED = { systemModstamp: at('12:00:00'), id: 'A1' };
const CURSOR: CrmCursor = { settled: SETTLED, page: null, seen: { A1: at('12:00:00'), A0: at('11:45:00') } };

it('begins a day back, before every row of that instant', () => {
  const systemModstamp = '2026-03-09T12:00:00.000Z';
  expect(firstCrmCursor(at('12:00:00'))).toEqual({
    settled: { systemModstamp, id: '' },
    page: null,
    seen: {},
  });
});

describe('a page begins', () => {
  it('one overlap behind what is settled', () => {
    expect(pageStart(CURSOR, OVERLAP_MS)).toEqual({ systemModstamp: at('11:45:00'), id: '' });
  });

  it('where the page before ended', () => {
    const page = { systemModstamp: at('11:50:00'), id: 'A7' };
    expect(pageStart({ ...CURSOR, page }, OVERLAP_MS)).toEqual(page);
  });
});

it('only row versions that were not shown before are new', () => {
  const rows = [row('A1', '12:00:00'), row('A1', '12:00:01'), row('A2', '12:00:00')];
  expect(unseenOf(CURSOR, rows)).toEqual(rows.slice(1));
});

describe('after a page', () => {
  const page = (time: string, rows: readonly ReturnType<typeof row>[], more = false) => ({
    rows,
    position: { systemModstamp: at(time), id: 'B2' },
    more,
  });

  it('more of the sweep goes on from its end', () => {
    const after = afterPage(CURSOR, page('12:10:00', [], true), OVERLAP_MS);
    expect(after.page).toEqual({ systemModstamp: at('12:10:00'), id: 'B2' });
    expect(afterPage(after, page('12:10:00', []), OVERLAP_MS).page).toBeNull();
  });

  it('what is settled never goes back', () => {
    expect(afterPage(CURSOR, page('11:50:00', []), OVERLAP_MS).settled).toEqual(SETTLED);
    expect(afterPage(CURSOR, page('12:00:00', []), OVERLAP_MS).settled).toEqual(SETTLED);
    const moved = { systemModstamp: at('12:00:01'), id: 'B2' };
    expect(afterPage(CURSOR, page('12:00:01', []), OVERLAP_MS).settled).toEqual(moved);
  });

  it('those row versions are kept that the next sweep meets again, the newest of each row', () => {
    const rows = [row('A1', '12:05:00'), row('B2', '12:00:00'), row('B1', '11:44:59')];
    expect(afterPage(CURSOR, page('12:00:00', rows), OVERLAP_MS).seen).toEqual({
      A0: at('11:45:00'),
      A1: at('12:05:00'),
      B2: at('12:00:00'),
    });
    expect(afterPage(CURSOR, page('12:00:01', []), OVERLAP_MS).seen).toEqual({ A1: at('12:00:00') });
  });
});
