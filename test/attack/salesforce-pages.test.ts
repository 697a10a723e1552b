import { afterEach, expect, test } from 'vitest';
import { queryRows } from '../../src/salesforce/query.ts';
import { QueryPages } from '../../src/salesforce/query-pages.ts';
import { createSession } from '../../src/salesforce/session.ts';
import { crmOptions, startHostileSalesforce } from '../support/hostile/hostile-salesforce.ts';
import type { HostileServer } from '../support/hostile/hostile-server.ts';

/** A query that has more pages than its rows fill, or leads in a circle, is no answer, and costs few requests. */

let org: HostileServer;
afterEach(() => org.close());

const rows = (from: number, count: number) => Array.from({ length: count }, (_, n) => ({ Id: from + n }));

async function asked(
  total: number,
  rowsOf: (page: number) => number,
  address: (page: number) => string,
  announced = total,
) {
  let sent = 0;
  org = await startHostileSalesforce((_, page) => {
    const records = rows(sent, rowsOf(page));
    sent += records.length;
    const done = sent >= total;
    return { body: JSON.stringify({ totalSize: announced, done, records, nextRecordsUrl: address(page) }) };
  });
  const session = createSession(crmOptions(org.url));
  const told = await queryRows(session, 'select Id from X', { operation: 'query' }).catch((error: unknown) => error);
  await session.close();
  return { told, requests: org.requests.length };
}

const next = (page: number) => `/services/data/v67.0/query/01g-${page}`;
const LONG = { announced: 20_000, children: 0 };
const MALFORMED = { kind: 'transient', code: 'MALFORMED_ANSWER' };

test.each<[string, number, (page: number) => number, (page: number) => string, number]>([
  ['pages of one row', 20_000, () => 1, next, 105],
  ['pages of a hundred rows', 20_000, () => 100, next, 105],
  ['more pages than a short list has', 3, () => 1, next, 3],
  ['one address over and over', 20_000, () => 2_000, () => next(1), 4],
  ['two addresses in turn', 20_000, () => 2_000, (page) => next(page % 2), 5],
])('%s end', async (_, total, rowsOf, address, most) => {
  const { told, requests } = await asked(total, rowsOf, address);
  expect(told).toMatchObject(MALFORMED);
  expect(requests).toBeLessThanOrEqual(most);
});

test('pages that have more rows than were announced end', async () => {
  const { told, requests } = await asked(1e9, () => 2_000, next, 20_000);
  expect(told).toMatchObject({ kind: 'permanent', code: 'TOO_MANY_ROWS' });
  expect(requests).toBeLessThan(14);
});

test.each([
  [20_000, 2_000],
  [20_000, 200],
  [450, 200],
])('%i rows in pages of %i are read', async (total, size) => {
  let left = total;
  const sizeOf = (): number => {
    left -= size;
    return Math.min(size, left + size);
  };
  const { told } = await asked(total, sizeOf, next);
  expect(told).toHaveProperty('rows.length', total);
});

test.each([
  ['2 child rows each', 144, 2, 66],
  ['150 child rows each', 30, 150, 1],
])('pages that rows with %s fill are read', async (_, total, childrenOf, rowsOfPage) => {
  const lines = { totalSize: childrenOf, done: true, records: rows(0, childrenOf) };
  let sent = 0;
  org = await startHostileSalesforce((__, page) => {
    const records = rows(sent, Math.min(rowsOfPage, total - sent)).map((row) => ({ ...row, Lines: lines }));
    sent += records.length;
    return { body: JSON.stringify({ totalSize: total, done: sent >= total, records, nextRecordsUrl: next(page) }) };
  });
  const session = createSession(crmOptions(org.url));
  const { rows: read } = await queryRows(session, 'select Id from X', { operation: 'query' });
  await session.close();
  expect(read).toHaveLength(total);
});

test('the lists of one query have one limit, and no address in common', async () => {
  org = await startHostileSalesforce(() => ({}));
  const pages = new QueryPages();
  for (let list = 0; list < 10; list += 1)
    for (let page = 0; page < 100; page += 1) pages.take(`/l${list}/p${page}`, LONG, page);
  expect(() => pages.take('/one-more', LONG, 0)).toThrow(/MALFORMED_ANSWER/);
  const others = new QueryPages();
  others.take('/a', LONG, 0);
  expect(() => others.take('/a', LONG, 0)).toThrow(/MALFORMED_ANSWER/);
});
