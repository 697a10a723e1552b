import { describe, expect, it, test } from 'vitest';
import { afterLook, type OrgWatch } from '../../../src/observe/mapping/org-watch.ts';
import { mappingConfig } from '../../support/mapping/fixtures.ts';
import { field, org, TEXT } from '../../support/mapping/org-schema.ts';

const at = (day: number): string => `2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`;
const config = mappingConfig();
const first = afterLook(null, org(), config, at(1));
const whats = ({ changes }: OrgWatch) => changes.map(({ what }) => what);

test('the first look finds no change', () => {
  expect(first).toMatchObject({ changes: [], problems: [] });
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
    [
      'a field that is gone',
      org({ Description: null }),
      ['Opportunity.Description vanished, or is hidden from us'],
    ],
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
    [
      'a record type',
      { ...org(), Opportunity: { fields: org()['Opportunity']?.fields ?? {}, recordTypes: ['Renewal'] } },
      ['the record type Renewal appeared'],
    ],
    ['what no field of ours is kept in', org({ Other__c: TEXT }), []],
  ])('tells of %s', (_, schema, told) =>
    expect(whats(afterLook(first, schema, config, at(2)))).toEqual(told),
  );

  it('keeps what it found for a week, the newest first', () => {
    const gone = afterLook(first, org({ Description: null }), config, at(2));
    const back = afterLook(gone, org(), config, at(5));
    expect(whats(back)).toEqual([
      'Opportunity.Description appeared',
      'Opportunity.Description vanished, or is hidden from us',
    ]);
    expect(whats(afterLook(back, org(), config, at(10)))).toEqual(['Opportunity.Description appeared']);
  });

  it('takes another mapping for no change of the org', () => {
    const schema = org({ Tactic__c: TEXT });
    const before = afterLook(null, schema, config, at(1));
    const own = mappingConfig({ fields: { gtmTacticId: { crm: 'Tactic__c' } } });
    expect(whats(afterLook(before, schema, own, at(2)))).toEqual([]);
  });

  it('tells in what the org does not go with the mapping any longer', () => {
    expect(afterLook(first, org({ Description: null }), config, at(2)).problems).toMatchObject([
      { verdict: 'fails', what: expect.stringContaining('Description is not there') },
    ]);
  });
});
