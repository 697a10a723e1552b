import { describe, expect, it } from 'vitest';
import {
  afterPage,
  type CrmCursor,
  firstCrmCursor,
  pageStart,
  stableRows,
  sweepStart,
} from '../../../../src/domain/streams/crm-cursor.ts';

const OVERLAP_MS = 900_000;
const at = (time: string): string => `2026-03-10T${time}.000Z`;
const CURSOR: CrmCursor = { settled: at('12:00:00'), sweep: null };
const POSITION = { systemModstamp: at('11:50:00'), id: 'A7' };

it('begins a day back', () => {
  expect(firstCrmCursor(at('12:00:00'))).toEqual({ settled: '2026-03-09T12:00:00.000Z', sweep: null });
});

describe('a page begins', () => {
  it('one overlap before the last sweep began, before every row of that instant', () => {
    expect(sweepStart(CURSOR, OVERLAP_MS)).toBe(at('11:45:00'));
    expect(pageStart(CURSOR, OVERLAP_MS)).toEqual({ systemModstamp: at('11:45:00'), id: '' });
  });
});

describe('after a page', () => {
  const page = (now: string, more: boolean) => ({ position: POSITION, more, now: at(now) });

  it('a longer one is settled up to when it began, once it is at its end', () => {
    const begun = afterPage(CURSOR, page('12:05:00', true));
    expect(begun).toEqual({ ...CURSOR, sweep: { position: POSITION, begunAt: at('12:05:00') } });
    const on = afterPage(begun, page('12:20:00', true));
    expect(on).toEqual(begun);
    expect(afterPage(on, page('12:40:00', false))).toEqual({ settled: at('12:05:00'), sweep: null });
  });

  it('never goes back', () => {
    expect(afterPage(CURSOR, page('11:59:00', false))).toEqual(CURSOR);
  });
});

it('a row that was read within the second of its stamp is taken in again', () => {
  const [young, old] = [{ stamp: at('12:00:00') }, { stamp: at('11:59:58') }];
  expect(stableRows([young, old], at('12:00:00'))).toEqual([old]);
  expect(stableRows([young, old], at('12:00:02'))).toEqual([young, old]);
});
