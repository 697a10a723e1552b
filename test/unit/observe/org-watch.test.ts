import { describe, expect, it, test } from 'vitest';
import type { SchemaObject } from '../../../src/domain/record/crm-schema.ts';
import { NO_ASSIGNMENT } from '../../../src/domain/record/import-assignment.ts';
import { afterLook, hiddenFields, isAnyShownAgain, type OrgWatch } from '../../../src/observe/mapping/org-watch.ts';
import { mappingConfig } from '../../support/mapping/fixtures.ts';
import { field, objectOf, org, TEXT } from '../../support/mapping/org-schema.ts';

const at = (day: number): string => `2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`;
const config = mappingConfig();
const tenant = { mapping: config, imports: NO_ASSIGNMENT };
const first = afterLook(null, org(), tenant, at(1));
const whats = ({ changes }: OrgWatch) => changes.map(({ what }) => what);

test('the first look finds no change', () => {
  expect(first).toMatchObject({ changes: [], problems: [] });
});

const typed = (more: Partial<SchemaObject>) => ({
  ...org(),
  Opportunity: objectOf(org()['Opportunity']?.fields ?? {}, more),
});

const stages = config.stages.map(({ stage }) => stage);
const picklist = (values: readonly string[]) =>
  org({ StageName: field({ type: 'picklist', values, isRequired: true }) });

describe('a later look', () => {
  it.each([
    ['nothing', org(), []],
    [
      'a renamed value',
      picklist(stages.map((stage) => (stage === 'Closed Won' ? 'Won' : stage))),
      ['Opportunity.StageName has the new value Won', 'Opportunity.StageName lost the value Closed Won'],
    ],
    ['a field that is gone', org({ Description: null }), ['Opportunity.Description vanished, or is hidden from us']],
    [
      'a field that is another',
      org({ Description: field({ type: 'textarea', length: 100, updateable: false, isRestricted: true }) }),
      [
        'Opportunity.Description is of type textarea, and was string',
        'Opportunity.Description holds 100 characters, and held 255',
        'Opportunity.Description cannot be written by us now',
        'Opportunity.Description takes only the values of its picklist now',
      ],
    ],
    [
      'a field that is required',
      org({ Region__c: field({ isRequired: true }) }),
      ['Opportunity.Region__c is required now'],
    ],
    ['a record type', typed({ recordTypes: ['Renewal'] }), ['the record type Renewal appeared']],
    ['what no field of ours is kept in', org({ Other__c: TEXT }), []],
  ])('tells of %s', (_, schema, result) => expect(whats(afterLook(first, schema, tenant, at(2)))).toEqual(result));

  it('keeps what it found for a week, the newest first', () => {
    const gone = afterLook(first, org({ Description: null }), tenant, at(2));
    const back = afterLook(gone, org(), tenant, at(5));
    expect(whats(back)).toEqual([
      'Opportunity.Description appeared',
      'Opportunity.Description vanished, or is hidden from us',
    ]);
    expect(whats(afterLook(back, org(), tenant, at(10)))).toEqual(['Opportunity.Description appeared']);
  });

  it('takes another mapping for no change of the org', () => {
    const schema = org({ Tactic__c: TEXT });
    const before = afterLook(null, schema, tenant, at(1));
    const own = mappingConfig({ fields: { gtmTacticId: { crm: 'Tactic__c' } } });
    expect(whats(afterLook(before, schema, { ...tenant, mapping: own }, at(2)))).toEqual([]);
  });

  it('tells what a record type offers otherwise, and takes a type that is new for one thing', () => {
    const offering = (...values: readonly string[]) =>
      typed({ recordTypes: ['Renewal'], offered: { Renewal: { StageName: values, Other__c: values } } });
    const before = afterLook(first, offering('Qualification', 'Closed Won'), tenant, at(2));
    expect(whats(before)).toEqual(['the record type Renewal appeared']);
    expect(whats(afterLook(before, offering('Qualification', 'Closed Lost'), tenant, at(3)))).toEqual([
      'the record type Renewal offers Closed Lost of Opportunity.StageName now',
      'the record type Renewal does not offer Closed Won of Opportunity.StageName any longer',
      'the record type Renewal appeared',
    ]);
  });

  it('tells in what the org does not go with the mapping any longer', () => {
    expect(afterLook(first, org({ Description: null }), tenant, at(2)).problems).toMatchObject([
      { verdict: 'fails', what: expect.stringContaining('Description is not there') },
    ]);
  });
});

test('a field that is shown again is news to the records that met it hidden', () => {
  const [hidden, other] = [org({ Description: null }), org({ Description: null, StageName: null })].map((schema) =>
    afterLook(null, schema, tenant, at(2)),
  ) as [OrgWatch, OrgWatch];
  expect(hiddenFields(hidden)).toEqual(['Opportunity.Description']);
  expect(isAnyShownAgain(hidden, first)).toBe(true);
  expect(isAnyShownAgain(null, first)).toBe(true);
  expect(isAnyShownAgain(other, hidden)).toBe(true);
  expect(isAnyShownAgain(hidden, other)).toBe(false);
  expect(isAnyShownAgain(first, hidden)).toBe(false);
  expect(isAnyShownAgain(null, hidden)).toBe(false);
});
