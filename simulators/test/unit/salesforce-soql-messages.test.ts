import { beforeAll, describe, expect, it } from 'vitest';
import type { Org } from '../../src/salesforce/org.ts';
import { runSoql } from '../../src/salesforce/soql/execute.ts';
import { pointing } from '../../src/salesforce/soql/pointer.ts';
import { queryEnv } from '../../src/salesforce/soql/query-env.ts';
import { ApiFailure } from '../../src/salesforce/store/failure.ts';
import { orgWithData } from '../support/salesforce-simulator.ts';

/** Error messages of refused queries, in the form that clients of real orgs have published. */

let org: Org;

beforeAll(() => {
  org = orgWithData('2026-05-13T10:00:00.000Z');
});

function refusalOf(soql: string): { code: string | undefined; message: string | undefined } {
  try {
    pointing(soql, () => runSoql(queryEnv(org, org.identity.salesUserId), soql));
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return { code: error.errors[0]?.errorCode, message: error.errors[0]?.message };
  }
  throw new Error('not refused');
}

const NO_SUCH_COLUMN = (name: string) =>
  `No such column '${name}' on entity 'Account'. If you are attempting to use a custom field, be sure to append the '__c' after the custom field name. Please reference your WSDL or the describe call for the appropriate names.`;

describe('what is blamed', () => {
  it.each([
    [
      'SELECT Bacon__c FROM Account LIMIT 2',
      'INVALID_FIELD',
      `\nSELECT Bacon__c FROM Account LIMIT 2\n       ^\nERROR at Row:1:Column:8\n${NO_SUCH_COLUMN('Bacon__c')}`,
    ],
    [
      "SELECT a.Id, a.Name FROM Account a WHERE Idd='00111000002zYnu'",
      'INVALID_FIELD',
      `\na.Id, a.Name FROM Account a WHERE Idd='00111000002zYnu'\n                                  ^\nERROR at Row:1:Column:42\n${NO_SUCH_COLUMN('Idd')}`,
    ],
    [
      'SELECT Id FROM Contact123',
      'INVALID_TYPE',
      `\nSELECT Id FROM Contact123\n               ^\nERROR at Row:1:Column:16\nsObject type 'Contact123' is not supported. If you are attempting to use a custom object, be sure to append the '__c' after the entity name. Please reference your WSDL or the describe call for the appropriate names.`,
    ],
    [
      "SELECT AccountId FROM Contact where Id= '-'",
      'INVALID_QUERY_FILTER_OPERATOR',
      "\nSELECT AccountId FROM Contact where Id= '-'\n                                    ^\nERROR at Row:1:Column:37\ninvalid ID field: -",
    ],
    [
      "SELECT Id FROM Account WHERE Name = 'Nope' AND Nope = 1",
      'INVALID_FIELD',
      `\nId FROM Account WHERE Name = 'Nope' AND Nope = 1\n                                        ^\nERROR at Row:1:Column:48\n${NO_SUCH_COLUMN('Nope')}`,
    ],
    [
      'SELECT Id\nFROM Account\nWHERE Nope = 1',
      'INVALID_FIELD',
      `\nWHERE Nope = 1\n      ^\nERROR at Row:3:Column:7\n${NO_SUCH_COLUMN('Nope')}`,
    ],
    [
      "SELECT Id FROM Account WHERE Description = 'x'",
      'INVALID_FIELD',
      "\nSELECT Id FROM Account WHERE Description = 'x'\n                             ^\nERROR at Row:1:Column:30\nfield 'Description' can not be filtered in a query call",
    ],
  ])('%s', (soql, code, message) => {
    expect(refusalOf(soql)).toEqual({ code, message });
  });
});

describe('what is no SOQL', () => {
  it.each([
    [
      'SELECT CreatedById, LastModifiedById, LastModifiedDate, From Account ',
      "\nLastModifiedById, LastModifiedDate, From Account \n                                   ^\nERROR at Row:1:Column:56\nunexpected token: 'From'",
    ],
    [
      'SELECT Id, Name FROM Account ORDER Name',
      "\nSELECT Id, Name FROM Account ORDER Name\n                                  ^\nERROR at Row:1:Column:35\nunexpected token: 'Name'",
    ],
    [
      'select Id from Account where id = $sfid',
      "\nselect Id from Account where id = $sfid\n                                 ^\nERROR at Row:1:Column:34\nline 1:34 no viable alternative at character '$'",
    ],
    ['invalid', "unexpected token: 'invalid'"],
    ['SELECT Id FROM Contact WHERE', "unexpected token: '<EOF>'"],
    ['', "unexpected token: '<EOF>'"],
    ['SELECT Id Name FROM Account', 'only aggregate expressions use field aliasing'],
  ])('%s', (soql, message) => {
    expect(refusalOf(soql)).toEqual({ code: 'MALFORMED_QUERY', message });
  });
});

describe('AND and OR that are mixed', () => {
  it.each([
    ["SELECT Id FROM Account WHERE Name = 'a' AND Name = 'b' OR Name = 'c'", 55, 'OR'],
    [
      "SELECT (SELECT Id FROM Contacts WHERE Email = 'a' AND Phone = 'b') FROM Account WHERE (Name = 'a' AND Name = 'b') OR Name = 'and' AND Name = 'c'",
      130,
      'AND',
    ],
    ["SELECT Name FROM Account GROUP BY Name HAVING COUNT(Id) > 1 OR COUNT(Id) < 2 AND Name = 'x'", 77, 'AND'],
  ])('are refused where they meet: %s', (soql, column, word) => {
    expect(soql.slice(column, column + word.length)).toBe(word);
    const { code, message } = refusalOf(soql);
    expect(code).toBe('MALFORMED_QUERY');
    expect(message).toMatch(new RegExp(`\\^\\nERROR at Row:1:Column:${column}\\nunexpected token: '${word}'$`));
  });
});
