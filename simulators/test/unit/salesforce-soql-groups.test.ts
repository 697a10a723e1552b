import { beforeAll, describe, expect, it } from 'vitest';
import type { Org } from '../../src/salesforce/org.ts';
import { runSoql } from '../../src/salesforce/soql/execute.ts';
import { explainSoql } from '../../src/salesforce/soql/explain.ts';
import type { ApiFailure } from '../../src/salesforce/store/failure.ts';
import { make, orgWithData } from '../support/salesforce-simulator.ts';

const NOW = '2026-05-13T10:00:00.000Z';
let org: Org;

const env = () => ({
  store: org.store,
  now: new Date(NOW),
  timeZone: 'UTC',
  base: '',
  includeDeleted: false,
});

/** The answer's rows without their attributes, as lists of values. */
function rows(soql: string): readonly unknown[][] {
  return runSoql(env(), soql).records.map(({ attributes: _, ...rest }) => Object.values(rest));
}

beforeAll(() => {
  org = orgWithData(NOW);
  const deals: [string, string, string, number | null][] = [
    ['A', 'Prospecting', '2026-01-31', 10],
    ['B', 'Prospecting', '2026-12-31', 30],
    ['C', 'Qualification', '2027-02-01', null],
    ['D', 'Closed Won', '2026-02-28', 5],
  ];
  for (const [Name, StageName, CloseDate, Amount] of deals) {
    make(org, 'Opportunity', { Name, StageName, CloseDate, Amount });
  }
});

describe('subtotals', () => {
  const total = [null, 45];
  it.each<[string, unknown[][]]>([
    ['ROLLUP(StageName)', [['Closed Won', 5], ['Prospecting', 40], ['Qualification', null], total]],
    ['CUBE(StageName)', [['Closed Won', 5], ['Prospecting', 40], ['Qualification', null], total]],
  ])('by %s end with the whole', (groups, expected) => {
    const order = 'ORDER BY GROUPING(StageName), StageName';
    expect(rows(`SELECT StageName, SUM(Amount) FROM Opportunity GROUP BY ${groups} ${order}`)).toEqual(expected);
  });

  it('of two fields are those of the first with ROLLUP, and of each with CUBE', () => {
    const selected = 'IsClosed, StageName, COUNT(Id) n';
    const asked = (kind: string) => rows(`SELECT ${selected} FROM Opportunity GROUP BY ${kind}(IsClosed, StageName)`);
    const finest = [
      [false, 'Prospecting', 2],
      [false, 'Qualification', 1],
      [true, 'Closed Won', 1],
    ];
    const byClosed = [
      [false, null, 3],
      [true, null, 1],
    ];
    const byStage = [
      [null, 'Prospecting', 2],
      [null, 'Qualification', 1],
      [null, 'Closed Won', 1],
    ];
    expect(asked('ROLLUP')).toEqual([...finest, ...byClosed, [null, null, 4]]);
    expect(new Set(asked('CUBE').map(String))).toEqual(
      new Set([...finest, ...byClosed, ...byStage, [null, null, 4]].map(String)),
    );
    expect(asked('CUBE')).toHaveLength(9);
  });

  it('are distinguished from groups without a value by GROUPING', () => {
    const soql = 'SELECT Type, GROUPING(Type) total, COUNT(Id) n FROM Opportunity GROUP BY ROLLUP(Type)';
    expect(rows(soql)).toEqual([
      [null, 0, 4],
      [null, 1, 4],
    ]);
    expect(rows(`${soql} HAVING GROUPING(Type) = 1`)).toEqual([[null, 1, 4]]);
  });

  it('are none of no rows', () => {
    expect(rows("SELECT Type, COUNT(Id) FROM Opportunity WHERE Name = 'Z' GROUP BY ROLLUP(Type)")).toEqual([]);
  });
});

describe('groups', () => {
  it.each([
    ['SELECT StageName, COUNT(Id) n FROM Opportunity GROUP BY StageName HAVING COUNT(Id) > 1', [['Prospecting', 2]]],
    [
      "SELECT StageName FROM Opportunity GROUP BY StageName HAVING StageName LIKE 'Q%' OR SUM(Amount) < 10 ORDER BY StageName",
      [['Closed Won'], ['Qualification']],
    ],
    [
      'SELECT StageName, SUM(Amount) FROM Opportunity GROUP BY StageName ORDER BY SUM(Amount) DESC NULLS LAST',
      [
        ['Prospecting', 40],
        ['Closed Won', 5],
        ['Qualification', null],
      ],
    ],
    [
      'SELECT StageName FROM Opportunity GROUP BY StageName ORDER BY COUNT(Id) DESC, StageName ASC LIMIT 2',
      [['Prospecting'], ['Closed Won']],
    ],
    [
      'SELECT CALENDAR_YEAR(CloseDate) y, COUNT(Id) FROM Opportunity GROUP BY CALENDAR_YEAR(CloseDate) ORDER BY CALENDAR_YEAR(CloseDate)',
      [
        [2026, 3],
        [2027, 1],
      ],
    ],
  ])('%s', (soql, expected) => {
    expect(rows(soql)).toEqual(expected);
  });
});

describe('groups that a real org refuses', () => {
  const whole = 'Non-grouped query that uses overall aggregate functions cannot also use';
  it.each([
    ['SELECT MAX(Amount) FROM Opportunity LIMIT 1', 'MALFORMED_QUERY', `${whole} LIMIT`],
    ['SELECT COUNT(Id) FROM Opportunity OFFSET 1', 'MALFORMED_QUERY', `${whole} OFFSET`],
    [
      'SELECT Amount FROM Opportunity GROUP BY Amount',
      'INVALID_FIELD',
      "field 'Amount' can not be grouped in a query call",
    ],
    [
      'SELECT CreatedDate FROM Opportunity GROUP BY CreatedDate',
      'INVALID_FIELD',
      "field 'CreatedDate' can not be grouped in a query call",
    ],
    ['SELECT SUM(Name) FROM Opportunity', 'MALFORMED_QUERY', 'field Name does not support aggregate operator SUM'],
    [
      'SELECT AVG(CloseDate) FROM Opportunity',
      'MALFORMED_QUERY',
      'field CloseDate does not support aggregate operator AVG',
    ],
    [
      'SELECT COUNT(IsWon) FROM Opportunity',
      'MALFORMED_QUERY',
      'field IsWon does not support aggregate operator COUNT',
    ],
    [
      'SELECT StageName, Name FROM Opportunity GROUP BY StageName',
      'MALFORMED_QUERY',
      'Field must be grouped or aggregated: Name',
    ],
    ['SELECT COUNT() FROM Opportunity ORDER BY Name', 'MALFORMED_QUERY', 'COUNT() cannot be used with ORDER BY'],
    ['SELECT COUNT() FROM Opportunity GROUP BY StageName', 'MALFORMED_QUERY', 'COUNT() cannot be used with GROUP BY'],
  ])('%s', (soql, errorCode, message) => {
    let errors: unknown;
    try {
      rows(soql);
    } catch (error) {
      errors = (error as ApiFailure).errors;
    }
    expect(errors).toEqual([{ errorCode, message }]);
  });

  it('takes COUNT() with LIMIT, and MIN and MAX of dates and texts', () => {
    expect(runSoql(env(), 'SELECT COUNT() FROM Opportunity LIMIT 2').totalSize).toBe(2);
    expect(rows('SELECT MIN(CloseDate), MAX(Name) FROM Opportunity')).toEqual([['2026-01-31', 'D']]);
  });
});

describe('date functions in WHERE', () => {
  it.each([
    ['CALENDAR_YEAR(CloseDate) = 2027', ['C']],
    ['CALENDAR_QUARTER(CloseDate) = 4', ['B']],
    ['CALENDAR_MONTH(CloseDate) IN (1, 2) AND CALENDAR_YEAR(CloseDate) = 2026', ['A', 'D']],
    ['DAY_IN_MONTH(CloseDate) = 31', ['A', 'B']],
    ['DAY_IN_WEEK(CloseDate) = 7', ['A', 'D']],
    ['DAY_IN_YEAR(CloseDate) < 33', ['A', 'C']],
    ['WEEK_IN_MONTH(CloseDate) = 1', ['C']],
    ['WEEK_IN_YEAR(CloseDate) = 53', ['B']],
    ['DAY_ONLY(CreatedDate) = 2026-05-13 AND HOUR_IN_DAY(CreatedDate) = 10', ['A', 'B', 'C', 'D']],
  ])('%s', (where, names) => {
    expect(rows(`SELECT Name FROM Opportunity WHERE ${where} ORDER BY Name`)).toEqual(names.map((name) => [name]));
  });
});

describe('the plan of a query', () => {
  it.each([
    ["Name = 'A' AND Amount > 5", 'Index', ['Name'], 1],
    ["Name = 'A' OR Amount > 5", 'TableScan', [], 2],
    ['Amount > 5', 'TableScan', [], 2],
  ])('%s', (where, leadingOperationType, fields, cardinality) => {
    const { plans } = explainSoql(env(), `SELECT Id FROM Opportunity WHERE ${where}`);
    expect(plans).toMatchObject([
      { leadingOperationType, fields, cardinality, sobjectCardinality: 4, sobjectType: 'Opportunity' },
    ]);
  });
});
