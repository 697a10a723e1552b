import { readFileSync } from 'node:fs';
import { ORDER_ROUTES, SALES_ROUTES } from 'lockstep-simulators/testing';
import { FIELD_GROUPS } from 'lockstep-simulators/vendor-fields';
import { describe, expect, it } from 'vitest';
import { createPartnerApi } from '../../src/partner-api/index.ts';
import { tableRows } from '../support/markdown-table.ts';

/** The page that says where users reach each operation, criterion and field group of the vendor's documents has a row for each. */

const page = readFileSync(new URL('../../docs/where-it-is.md', import.meta.url), 'utf8');
const ROUTES = [...SALES_ROUTES, ...ORDER_ROUTES];
/** Groups of the fields of requests. A user sets these fields, and sees the fields of all other groups. */
const ASKED = /(Search|Query|Path|Criteria|searchRequest)$/;
const groups = Object.entries(FIELD_GROUPS);

/** What the documents have and the page lacks, and the reverse. */
function differences(rows: readonly string[][], documented: readonly string[], columns: number): readonly string[] {
  const shown = rows.map((row) => row.slice(0, columns).join(' '));
  return [
    ...documented.filter((one) => !shown.includes(one)).map((one) => `${one}: add a row to docs/where-it-is.md`),
    ...shown.filter((one) => !documented.includes(one)).map((one) => `${one}: the documents have no such thing`),
    ...rows.filter((row) => (row[2] ?? '') === '').map(([name]) => `${name}: say where a user reaches it`),
  ];
}

describe('the page has a row', () => {
  it('for each operation of the documents', () => {
    expect(ROUTES).toHaveLength(19);
    const documented = ROUTES.map(({ operation, method, path }) => `${operation} ${method} ${path}`);
    expect(differences(tableRows(page, 'Operation'), documented, 2)).toEqual([]);
  });

  it('for each operation of the client', () => {
    const api = createPartnerApi({ salesBaseUrl: 'https://a', orderBaseUrl: 'https://a', apiKey: () => 'k' });
    const operations = Object.keys(api).filter((name) => !name.startsWith('all'));
    const shown = tableRows(page, 'Operation').map(([name]) => name);
    expect([...new Set(shown)].toSorted()).toEqual(operations.toSorted());
  });

  it('for each search criterion', () => {
    const documented = groups
      .filter(([name]) => ASKED.test(name))
      .flatMap(([name, { section, fields }]) => Object.keys(fields).map((field) => `${name}.${field} ${section}`));
    expect(documented).toContain('orderSearch.installedBaseNumber order spec 4.2');
    expect(differences(tableRows(page, 'Criterion'), documented, 2)).toEqual([]);
  });

  it('for each group of fields', () => {
    const documented = groups.filter(([name]) => !ASKED.test(name)).map(([name, { section }]) => `${name} ${section}`);
    expect(differences(tableRows(page, 'Field group'), documented, 2)).toEqual([]);
  });

  it('and a missing row is named', () => {
    expect(differences([], ['readNews GET /news'], 2)).toEqual([
      'readNews GET /news: add a row to docs/where-it-is.md',
    ]);
  });
});
