import { describe, expect, it } from 'vitest';
import type { Result } from '../../src/partner-api/index.ts';
import { readAll } from '../../src/partner-api/paging.ts';
import fc from '../support/properties.ts';

type Fetched = { skip: number; top: number };

/** A list that others edit between two pages; `count` false leaves `estimatedSearchCount` out. */
function movingList(rows: string[], edits: ((rows: string[]) => void)[], count = true) {
  const fetched: Fetched[] = [];
  const fetchPage = async (skip: number, top: number): Promise<Result<string[]>> => {
    fetched.push({ skip, top });
    const data = rows.slice(skip, skip + top);
    const info = { estimatedSearchCount: count ? rows.length : null } as Result<string[]>['info'];
    edits.shift()?.(rows);
    return { data, info } as Result<string[]>;
  };
  return { fetched, fetchPage };
}

async function collect(list: ReturnType<typeof movingList>, top = 3): Promise<string[]> {
  const failure = () => new Error('moved');
  const paged = { fetchPage: list.fetchPage, keyOf: (row: string) => row, top, failure };
  const rows: string[] = [];
  for await (const row of readAll(paged, new Set())) rows.push(row);
  return rows;
}

const letters = [...'abcdefgh'];

describe('a paged list', () => {
  it.each([true, false])('is read to its end, each row once; count known: %s', async (count) => {
    const list = movingList([...letters], [], count);
    expect(await collect(list)).toEqual(letters);
    expect(list.fetched.slice(0, 3)).toEqual([
      { skip: 0, top: 3 },
      { skip: 2, top: 3 },
      { skip: 4, top: 3 },
    ]);
  });

  it.each([0, 1, 2, 3])('of %i rows needs one or two requests', async (size) => {
    const list = movingList(letters.slice(0, size), []);
    expect(await collect(list)).toEqual(letters.slice(0, size));
    expect(list.fetched.length).toBeLessThanOrEqual(2);
  });

  it.each([true, false])('misses nothing when a row before the page goes away; count known: %s', async (count) => {
    const list = movingList([...letters], [(rows) => rows.splice(0, 1)], count);
    expect(await collect(list)).toEqual(letters);
  });

  it('misses nothing when one row goes and another comes, so that the count stays', async () => {
    const list = movingList([...letters], [(rows) => rows.splice(0, rows.length, ...rows.slice(1), 'new')]);
    expect((await collect(list)).toSorted()).toEqual([...letters, 'new'].toSorted());
  });

  it('is not passed off as complete when it never holds still', async () => {
    const shift = (rows: string[]) => void rows.push(rows.shift() ?? '');
    const list = movingList([...letters], Array(100).fill(shift));
    await expect(collect(list)).rejects.toThrow('moved');
  });

  it('reads on when the vendor gives smaller pages than asked for', async () => {
    const list = movingList([...letters], []);
    const small = { ...list, fetchPage: (skip: number) => list.fetchPage(skip, 3) };
    expect(await collect(small as ReturnType<typeof movingList>, 5)).toEqual(letters);
  });

  it('yields every row that was there throughout, whatever is removed meanwhile', async () => {
    const size = fc.integer({ min: 0, max: 30 });
    const removals = fc.array(fc.nat(29), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(size, removals, fc.integer({ min: 2, max: 7 }), async (length, gone, top) => {
        const rows = Array.from({ length }, (_, index) => `row ${index}`);
        const staying = rows.filter((_, index) => !gone.includes(index));
        const edits = gone.map((index) => (all: string[]) => {
          const at = all.indexOf(`row ${index}`);
          if (at >= 0) all.splice(at, 1);
        });
        const found = await collect(movingList(rows, edits), top);
        expect(found).toEqual([...new Set(found)]);
        expect(found).toEqual(expect.arrayContaining(staying));
      }),
    );
  });
});
