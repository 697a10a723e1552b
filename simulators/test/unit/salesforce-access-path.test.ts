import { beforeAll, describe, expect, it } from 'vitest';
import type { Org } from '../../src/salesforce/org.ts';
import { runSoql } from '../../src/salesforce/soql/execute.ts';
import type { Row } from '../../src/salesforce/store/row.ts';
import { createSortedRows } from '../../src/salesforce/store/sorted-rows.ts';
import type { Store } from '../../src/salesforce/store/store.ts';
import fc from '../support/properties.ts';
import { change, make, orgWithData, remove } from '../support/salesforce-simulator.ts';

/** A query answered by an index finds what looking at every row would find, and looks at few. */

const NOW = '2026-05-13T10:00:00.000Z';
const ROWS = 60;
let org: Org;
let ids: readonly string[];
let accounts: readonly string[];

beforeAll(() => {
  org = orgWithData(NOW);
  accounts = ['A', 'B', 'C'].map((Name) => String(make(org, 'Account', { Name })['Id']));
  const deal = { StageName: 'Prospecting', CloseDate: '2027-01-01' };
  ids = Array.from({ length: ROWS }, (_, i) => {
    org.clock.advance(1_000);
    const of = { Name: `Deal ${i}`, AccountId: accounts[i % 3], Vendor_Id__c: `V-${i}` };
    return String(make(org, 'Opportunity', { ...deal, ...of })['Id']);
  });
  // Indexes that are there before what changes has to be followed.
  query(org.store, "SELECT Id FROM Opportunity WHERE AccountId = '001000000000001AAA'");
  query(org.store, 'SELECT Id FROM Opportunity ORDER BY SystemModstamp, Id');
  org.clock.advance(1_000);
  for (const id of ids.slice(0, 10)) change(org, id, { AccountId: accounts[0] });
  for (const id of ids.slice(10, 15)) remove(org, id);
});

function query(store: Store, soql: string): readonly unknown[] {
  const env = { store, now: new Date(NOW), timeZone: 'UTC', base: '', includeDeleted: false };
  return runSoql(env, soql).records.map((record) => record['Id']);
}

/** The store with rows counted as they are read, and one without indexes. */
function counting(): { readonly store: Store; readonly read: () => number } {
  let read = 0;
  function* counted(rows: Iterable<Row>): Iterable<Row> {
    for (const row of rows) {
      read += 1;
      yield row;
    }
  }
  const { rows, find, sortedFrom } = org.store;
  const store: Store = {
    ...org.store,
    rows: (type) => counted(rows(type)),
    find: (...of) => [...counted(find(...of))],
    sortedFrom: (...of) => counted(sortedFrom(...of)),
  };
  return { store, read: () => read };
}

function withoutIndexes(): Store {
  return {
    ...org.store,
    get: () => undefined,
    find: (type, { name }, value) =>
      [...org.store.rows(type)].filter((row) => String(row[name]).toLowerCase() === String(value).toLowerCase()),
    sortedFrom: (type, field) => {
      const key = (row: Row) => `${row[field]} ${row['Id']}`;
      return [...org.store.rows(type)].sort((a, b) => (key(a) < key(b) ? -1 : 1));
    },
  };
}

const stamp = (second: number) => new Date(Date.parse(NOW) + second * 1_000).toISOString();

describe('few rows are read', () => {
  it.each([
    ['one by its id', () => `Id = '${ids[20]}'`, 0],
    ['some by their ids', () => `Id IN ('${ids[20]}', '${ids[21]}')`, 0],
    ['one by its external id', () => "Vendor_Id__c = 'V-20'", 1],
    ['those of a parent', () => `AccountId = '${accounts[1]}' AND Name LIKE 'Deal%'`, ROWS / 3],
    [
      'a page after a position',
      () => `SystemModstamp > ${stamp(40)} OR (SystemModstamp = ${stamp(40)} AND Id > '${ids[39]}')`,
      12,
    ],
  ])('%s', (_, where, most) => {
    const { store, read } = counting();
    const found = query(store, `SELECT Id FROM Opportunity WHERE ${where()} ORDER BY SystemModstamp, Id LIMIT 10`);
    expect(found.length).toBeGreaterThan(0);
    expect(read()).toBeLessThanOrEqual(most);
  });
});

describe('the same rows are found', () => {
  it.each([
    () => `Id = '${ids[20]}' OR Name = 'Deal 3'`,
    () => `NOT Id = '${ids[20]}'`,
    () => `AccountId = '${accounts[0]}'`,
    () => `AccountId IN ('${accounts[0]}', '${accounts[2]}') AND Vendor_Id__c != 'V-5'`,
    () => "Vendor_Id__c = 'v-20'",
    () => `SystemModstamp > ${stamp(30)} AND SystemModstamp < ${stamp(40)}`,
    () => `SystemModstamp >= ${stamp(70)}`,
    () => `SystemModstamp > ${stamp(55)} OR Name = 'Deal 16'`,
    () => `CreatedDate = ${stamp(31)} AND AccountId != null`,
    () => `NOT (SystemModstamp > ${stamp(30)})`,
  ])('%s', (where) => {
    const soql = `SELECT Id FROM Opportunity WHERE ${where()} ORDER BY SystemModstamp, Id LIMIT 50`;
    expect(query(org.store, soql)).toEqual(query(withoutIndexes(), soql));
  });
});

it('rows in order stay in order, whatever comes and goes', () => {
  const row = (at: number, id: number): Row => ({ Id: `id${id}`, At: `t${String(at).padStart(3, '0')}` });
  const step = fc.record({ at: fc.nat(50), id: fc.nat(3_000), remove: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 4_000, size: 'max' }), fc.nat(50), (steps, from) => {
      const there = new Map<string, Row>();
      const sorted = createSortedRows('At', []);
      for (const { at, id, remove: isRemoved } of steps) {
        const known = there.get(`id${id}`);
        if (known !== undefined) sorted.remove(known);
        there.delete(`id${id}`);
        if (isRemoved) continue;
        there.set(`id${id}`, row(at, id));
        sorted.add(row(at, id));
      }
      const key = (each: Row) => `${each['At']} ${each['Id']}`;
      const wanted = [...there.values()].map(key).filter((each) => each >= String(row(from, 0)['At']));
      expect([...sorted.from(String(row(from, 0)['At']))].map(key)).toEqual(wanted.sort());
    }),
    { numRuns: 15 },
  );
});

it('texts that differ by capitals alone find a row once', () => {
  const site = { Name: 'Site', Vendor_Site_Id__c: 'SITE-1' };
  const id = make(org, 'Account', site)['Id'];
  const soql = "SELECT Id FROM Account WHERE Vendor_Site_Id__c IN ('site-1', 'SITE-1')";
  expect(query(org.store, soql)).toEqual([id]);
});
