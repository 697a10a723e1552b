import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileFormula } from '../../src/salesforce/formula/compile.ts';
import { fieldValue } from '../../src/salesforce/formula/formula-fields.ts';
import { FUNCTIONS } from '../../src/salesforce/formula/functions/registry.ts';
import { createReferences } from '../../src/salesforce/formula/references.ts';
import type { FormulaContext } from '../../src/salesforce/formula/types.ts';
import { field } from '../../src/salesforce/schema/fields.ts';
import { buildSchema } from '../../src/salesforce/schema/load.ts';
import { readPackage } from '../../src/salesforce/schema/package.ts';
import type { FieldType, ObjectDef } from '../../src/salesforce/schema/types.ts';
import type { Row } from '../../src/salesforce/store/row.ts';
import { PACKAGE_DIR } from '../support/salesforce-simulator.ts';

/** Salesforce's formula language: what Help's "Formula Operators and Functions" says, blanks as its formula engine has them. */

const schema = buildSchema(readPackage(PACKAGE_DIR));
const opportunity = schema.object('Opportunity') as ObjectDef;
const ACCOUNT: Row = {
  Id: '001AA00000BBBBBAAA',
  Name: 'Acme',
  OwnerId: '005AA00000CCCCCAAA',
  AnnualRevenue: 1000,
};
const DEAL: Row = {
  Id: '006AA00000DDDDDAAA',
  Name: 'Deal',
  Amount: 1234.5,
  Probability: 25,
  StageName: 'Prospecting',
  CloseDate: '2026-01-31',
  CreatedDate: '2026-01-30T23:30:15.000+0000',
  AccountId: '001AA00000BBBBBAAA',
  IsWon: false,
  NextStep: null,
  TotalOpportunityQuantity: null,
  Vendor_Competitors__c: 'a;b',
};

type Given = { row?: Row; before?: Row | null; blanksAsZero?: boolean; now?: string; timeZone?: string };

const SHAPES: Readonly<Record<string, FieldType>> = {
  number: 'double',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
};

const PERMISSIONS: ReadonlySet<string> = new Set(['Bypass', 'Other']);

function compile(text: string, blanksAsZero = false) {
  const compiledOf = () => {
    throw new Error('no formula fields here');
  };
  return compileFormula(
    text,
    createReferences({
      schema,
      object: opportunity,
      blanksAsZero,
      hasUser: true,
      permissions: PERMISSIONS,
      compiledOf,
    }),
  );
}

function evaluate(text: string, given: Given = {}): unknown {
  const compiled = compile(text, given.blanksAsZero);
  const context: FormulaContext = {
    row: given.row ?? DEAL,
    before: given.before,
    now: new Date(given.now ?? '2026-03-01T22:30:00Z'),
    timeZone: () => given.timeZone ?? 'UTC',
    get: (type) => (type === 'Account' ? ACCOUNT : undefined),
    user: { Id: '005AA00000CCCCCAAA', Username: 'a@b.example' },
    hasPermission: (name) => name === 'Bypass',
  };
  const value = compiled.run(context);
  if (value === null) return null;
  return fieldValue(field('Result', SHAPES[compiled.type] ?? 'string', { scale: 10 }), value);
}

describe('operators', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['2 ^ 3 ^ 2', 64],
    ['-2 ^ 2', 4],
    ['10 - 2 - 3', 5],
    ['7 / 2', 3.5],
    ['0.1 + 0.2', 0.3],
    ['"a" & "b" + "c"', 'abc'],
    ["'it\\'s'", "it's"],
    ['NULL & "x"', 'x'],
    ['1 = 1 && 2 <> 3 || FALSE', true],
    ['!(1 == 2) && 1 != 2', true],
    ['/* why */ 1 <= 1', true],
    ['DATE(2026, 2, 1) - CloseDate', 1],
    ['CloseDate + 1.9', '2026-02-01'],
    ['1 + CloseDate', '2026-02-01'],
    ['CreatedDate + 0.5', '2026-01-31T11:30:15.000+0000'],
    ['DATETIMEVALUE("2026-01-31 11:30:15") - CreatedDate', 0.5],
    ['"b" > "a"', true],
  ])('%s is %s', (text, wanted) => {
    expect(evaluate(text)).toBe(wanted);
  });
});

describe('blanks', () => {
  it.each([
    ['NextStep = ""', true],
    ['NextStep <> "x"', true],
    ['ISBLANK(NextStep)', true],
    ['LEN(NextStep)', 0],
    ['TotalOpportunityQuantity + 1', null],
    ['TotalOpportunityQuantity < 1', null],
    ['TotalOpportunityQuantity = 0', null],
    ['NOT(TotalOpportunityQuantity < 1)', null],
    ['IF(TotalOpportunityQuantity < 1, "small", "unknown")', 'unknown'],
    ['OR(TotalOpportunityQuantity < 1, TRUE)', true],
    ['BLANKVALUE(TotalOpportunityQuantity, 5)', 5],
    ['CONTAINS(NextStep, "x")', null],
    ['BEGINS("x", "")', true],
    ['CASE(NextStep, "", "none", "some")', 'none'],
  ])('%s is %s where blanks are blank', (text, wanted) => {
    expect(evaluate(text)).toBe(wanted);
  });

  it.each([
    ['TotalOpportunityQuantity + 1', 1],
    ['TotalOpportunityQuantity < 1', true],
    ['ISBLANK(TotalOpportunityQuantity)', false],
    ['ISBLANK(NextStep)', true],
  ])('%s is %s where a number counts as 0', (text, wanted) => {
    expect(evaluate(text, { blanksAsZero: true })).toBe(wanted);
  });
});

describe('fields', () => {
  it.each([
    ['Amount * Probability', 308.625],
    ['account.NAME', 'Acme'],
    ['Id', '006AA00000DDDDD'],
    ['CASESAFEID(Id) = "006AA00000DDDDD"', false],
    ['LEN(CASESAFEID(AccountId))', 18],
    ['AccountId = Account.Id', true],
    ['$User.Id = Account.OwnerId', true],
    ['NOT($Permission.Bypass)', false],
    ['$Permission.Other', false],
    ['ISPICKVAL(StageName, "Prospecting")', true],
    ['TEXT(StageName)', 'Prospecting'],
    ['CASE(StageName, "Prospecting", 1, "Closed Won", 2, 0)', 1],
    ['INCLUDES(Vendor_Competitors__c, "b")', true],
    ['INCLUDES(Vendor_Competitors__c, "a;b")', false],
    ['IsWon', false],
  ])('%s is %s', (text, wanted) => {
    expect(evaluate(text)).toBe(wanted);
  });
});

describe('functions', () => {
  it.each([
    ['ROUND(2.5, 0)', 3],
    ['ROUND(-2.5, 0)', -3],
    ['ROUND(1250, -2)', 1300],
    ['CEILING(-2.1)', -3],
    ['FLOOR(-2.9)', -2],
    ['MCEILING(-2.1)', -2],
    ['MFLOOR(-2.1)', -3],
    ['TRUNC(2.567, 2)', 2.56],
    ['MOD(-7, 3)', -1],
    ['MAX(1, 3, 2) - MIN(4, 2)', 1],
    ['ABS(-1) + SQRT(9) + EXP(0) + LN(1) + LOG(100)', 7],
    ['LEFT("abc", 2) & RIGHT("abc", 1) & MID("abcd", 2, 2)', 'abcbc'],
    ['MID("abc", 0, 2)', 'ab'],
    ['FIND("c", "abcabc", 4)', 6],
    ['FIND("x", "abc")', 0],
    ['LPAD("7", 3, "0") & RPAD("abcd", 2)', '007ab'],
    ['SUBSTITUTE("a-b-c", "-", "$&")', 'a$&b$&c'],
    ['UPPER("a") & LOWER("B") & TRIM(" c ")', 'Abc'],
    ['VALUE("1.50") + 1', 2.5],
    ['TEXT(1.50)', '1.5'],
    ['TEXT(CloseDate)', '2026-01-31'],
    ['TEXT(CreatedDate)', '2026-01-30 23:30:15Z'],
    ['ISNUMBER("1e")', false],
    ['REGEX("ab1", "[a-z]+")', false],
    ['REGEX("AB", "(?i)[a-z]+")', true],
    ['ADDMONTHS(CloseDate, 1)', '2026-02-28'],
    ['ADDMONTHS(DATE(2026, 2, 28), 1)', '2026-03-31'],
    ['ADDMONTHS(DATE(2026, 1, 15), -2)', '2025-11-15'],
    ['YEAR(CloseDate) * 10000 + MONTH(CloseDate) * 100 + DAY(CloseDate)', 20260131],
    ['WEEKDAY(CloseDate)', 7],
    ['DATEVALUE(CreatedDate)', '2026-01-30'],
    ['DATEVALUE("2026-2-3")', '2026-02-03'],
    ['HOUR(TIMEVALUE("17:30:45.125")) + MILLISECOND(TIMEVALUE("17:30:45.125"))', 142],
    ['HYPERLINK("/x", "y")', '<a href="/x" target="_blank">y</a>'],
    ['NULLVALUE(NextStep, "none")', 'none'],
    ['AND(ISNULL(NextStep), NOT(ISCLONE()))', true],
    ['IMAGE("/i.png", "i") & BR()', '<img src="/i.png" alt="i" border="0"/><br>'],
    ['MINUTE(TIMENOW()) + SECOND(TIMENOW())', 30],
  ])('%s is %s', (text, wanted) => {
    expect(evaluate(text)).toBe(wanted);
  });

  it('know today in the zone of the one who asks, and now to the second', () => {
    expect(evaluate('TODAY()')).toBe('2026-03-01');
    expect(evaluate('TODAY()', { timeZone: 'Europe/Helsinki' })).toBe('2026-03-02');
    expect(evaluate('NOW()', { now: '2026-03-01T10:00:00.900Z' })).toBe('2026-03-01T10:00:00.000+0000');
  });

  it('tell a new row from a changed one', () => {
    const before = { ...DEAL, Amount: 1, NextStep: 'call' };
    expect(evaluate('ISNEW()', { before: null })).toBe(true);
    expect(evaluate('ISCHANGED(Amount)', { before: null })).toBe(false);
    expect(evaluate('ISCHANGED(Amount) && ISCHANGED(NextStep) && !ISCHANGED(StageName)', { before })).toBe(true);
    expect(evaluate('PRIORVALUE(Amount)', { before })).toBe(1);
    expect(evaluate('PRIORVALUE(Amount)', { before: null })).toBe(1234.5);
  });

  it('fail where they have no value', () => {
    for (const text of ['1 / 0', 'MOD(1, 0)', 'SQRT(-1)', 'VALUE("x")', 'DATE(2026, 2, 30)', 'DATEVALUE("soon")']) {
      expect(() => evaluate(text)).toThrow(expect.objectContaining({ name: 'FormulaRuntimeError' }));
    }
  });

  it('are all tried here', () => {
    const source = readFileSync(new URL(import.meta.url), 'utf8');
    expect(Object.keys(FUNCTIONS).filter((name) => !source.includes(`${name}(`))).toEqual([]);
  });
});

describe('what cannot be understood is refused with its place', () => {
  it.each([
    ['Amoun > 1', 'Field Amoun does not exist. Check spelling', 0],
    ['1 + Account.Nothing', 'Field Account.Nothing does not exist. Check spelling', 4],
    ['VLOOKUP(1, 2, 3)', 'Unknown function VLOOKUP. Check spelling', 0],
    ['constructor(1)', 'Unknown function CONSTRUCTOR. Check spelling', 0],
    ['StageName = "x"', /Picklist fields are only supported in certain functions/, 10],
    ['Amount = "x"', /Incorrect parameter type for operator '='/, 7],
    ['Amount && TRUE', /Expected Boolean, received Number/, 7],
    ['IF(TRUE, 1, "x")', /Results are number and text/, 0],
    ['LEFT("abc")', /Incorrect number of parameters/, 0],
    ['LEFT(1, 1)', /Expected text, received number at position 1/, 0],
    ['IF(TRUE, 1', "Syntax error. Missing ')'", 10],
    ['1 +', 'Syntax error. Missing expression', 3],
    ['1 2', "Syntax error. Extra '2'", 2],
    ['a # b', "Syntax error. Unexpected character '#'", 2],
    ['$Setup.X__c', /is not known here/, 0],
    ['REGEX(Name, Name)', /literal pattern only/, 0],
  ])('%s', (text, message, at) => {
    expect(() => compile(text)).toThrow(expect.objectContaining({ name: 'FormulaError', at }));
    expect(() => compile(text)).toThrow(message);
  });
});
