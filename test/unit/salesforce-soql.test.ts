import { parseQuery, type Query } from '@jetstreamapp/soql-parser-js';
import { describe, expect, it } from 'vitest';
import { fullSelection } from '../../src/salesforce/graph-fields.ts';
import { graphQuery } from '../../src/salesforce/graph-query.ts';
import { instantLiteral, isoInstant, isRecordId, listLiteral, textLiteral } from '../../src/salesforce/soql.ts';
import fc from '../support/properties.ts';

/** Undoes the escapes that SOQL documents, as the server would. */
function unescaped(literal: string): string {
  const plain: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
  return literal.slice(1, -1).replace(/\\(.)/gs, (_, char: string) => plain[char] ?? char);
}

describe('literals', () => {
  it.each([
    ["O'Brien", "'O\\'Brien'"],
    ['back\\slash', "'back\\\\slash'"],
    ["' OR Name != '", "'\\' OR Name != \\''"],
    ['two\nlines', "'two\\nlines'"],
  ])('quotes %j', (value, literal) => {
    expect(textLiteral(value)).toBe(literal);
  });

  it('never lets a text end its own literal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const literal = textLiteral(value);
        expect(literal.slice(1, -1).replace(/\\./gs, '')).not.toContain("'");
        expect(unescaped(literal)).toBe(value);
      }),
    );
  });

  it('lists values, and refuses an empty list', () => {
    expect(listLiteral(['a', "b'c"])).toBe("('a','b\\'c')");
    expect(() => listLiteral([])).toThrow('at least one');
  });

  it('writes and reads instants with milliseconds in UTC', () => {
    expect(instantLiteral('2026-01-31T10:00:00.120+01:00')).toBe('2026-01-31T09:00:00.120Z');
    expect(isoInstant('2026-01-31T10:00:00.120+0000')).toBe('2026-01-31T10:00:00.120Z');
    expect(isoInstant('2026-01-31T10:00:00Z')).toBe('2026-01-31T10:00:00.000Z');
    expect(() => instantLiteral("2026' OR 1=1")).toThrow();
  });

  it('tells an id from other text', () => {
    expect(isRecordId('006000000000001AAA')).toBe(true);
    expect(isRecordId('006000000000001')).toBe(false);
    expect(isRecordId("006000000000001AA'")).toBe(false);
  });
});

describe('graphQuery', () => {
  const parse = (multiCurrency: boolean): Query =>
    parseQuery(graphQuery(fullSelection(multiCurrency), ['006000000000001AAA', '006000000000002AAA']));

  it('is one query with three sub-queries', () => {
    const query = parse(false);
    expect(query.sObject).toBe('Opportunity');
    const children = (query.fields ?? []).flatMap((field) =>
      field.type === 'FieldSubquery' ? [field.subquery.relationshipName] : [],
    );
    expect(children).toEqual(['OpportunityLineItems', 'OpportunityContactRoles', 'Lockstep_Syncs__r']);
  });

  it('names no field twice, also where a mapped one across a lookup is read in any case', () => {
    const mapping = {
      fields: { gtmTacticId: { crm: 'Account.Website' }, nextMilestone: { crm: 'Owner.Email' } },
    };
    const query = graphQuery(fullSelection(false, [mapping]), ['006000000000001AAA']);
    for (const name of ['Account.Website', 'Owner.Email', 'OwnerId', 'AccountId'])
      expect(query.match(new RegExp(`[ ,]${name}[ ,]`, 'g')), name).toHaveLength(1);
  });

  it('asks for the currency only where orgs have the field', () => {
    const asks = (query: Query): boolean =>
      (query.fields ?? []).some((field) => field.type === 'Field' && field.field === 'CurrencyIsoCode');
    expect([asks(parse(true)), asks(parse(false))]).toEqual([true, false]);
  });
});
