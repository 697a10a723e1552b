import { fieldsOfDeal, HIDDEN, rowsOf } from 'c/lockstepRows';

const state = (more) => ({
  field: 'f',
  name: 'next step',
  crm: 'Step__c',
  goes: 'both',
  rule: 'newest',
  is: 'same',
  ...more,
});
const record = (Step__c) => ({ fields: Step__c === undefined ? {} : { Step__c } });
const row = (more, { values = {}, seesValues = true, ...given } = {}) => {
  const states = JSON.stringify([state(more)]);
  const own = 'own' in given ? given.own : { value: 'ours', displayValue: null };
  return rowsOf({ states, values: JSON.stringify({ f: values }), record: record(own), seesValues })[0];
};

describe('who wins, and why', () => {
  it.each([
    [{}, 'The newest change wins', ''],
    [{ rule: 'vendor' }, 'The vendor wins', ''],
    [{ rule: 'manual' }, 'You decide if both sides change it', ''],
    [{ goes: 'to-vendor', rule: 'crm' }, 'Salesforce owns it; changes at the vendor do not come back', ''],
    [{ goes: 'to-crm' }, 'The vendor owns it; changes in Salesforce do not go there', ''],
    [{ is: 'conflict' }, 'You decide', 'Both sides changed it, and its rule leaves the choice to you.'],
    [{ is: 'waits', why: 'Fill it in.' }, 'Nobody yet', 'Fill it in.'],
    [{ is: 'filled' }, 'The vendor, until you fill it in', 'It is empty in Salesforce, so the vendor put its default.'],
    [{ is: 'overruled', wins: 'vendor', why: 'newest' }, 'The vendor won', 'Both sides changed it. Rule: newest.'],
    [{ is: 'overruled', wins: 'both', why: 'newest' }, 'Each line for its own', 'Both sides changed it. Rule: newest.'],
    [{ is: 'of a later version' }, 'Nobody yet', ''],
  ])('of %j is %s', (more, winner, why) => {
    expect(row(more)).toMatchObject({ winner, why });
  });

  it('says when each side was saved', () => {
    const { why } = row({ is: 'overruled', wins: 'crm', why: 'newest', crmSavedAt: '2026-03-01T10:00:00.000Z' });
    expect(why).toBe('Both sides changed it. Rule: newest. Saved: Salesforce 2026-03-01 10:00 UTC.');
  });
});

describe('the values', () => {
  it.each([
    ['are one where both sides are the same', {}, {}, 'ours', 'ours'],
    [
      'come from the record and from the report',
      { is: 'conflict' },
      { values: { vendor: 'theirs' } },
      'ours',
      'theirs',
    ],
    ['are as Salesforce displays them', {}, { own: { value: 'X', displayValue: 'Ex' } }, 'Ex', 'Ex'],
    ['are empty', { is: 'waits' }, { own: { value: null }, values: { vendor: null } }, 'Empty', 'Empty'],
    [
      'are hidden with the field, on both sides',
      { is: 'conflict' },
      { own: undefined, values: { vendor: 'x' } },
      HIDDEN,
      HIDDEN,
    ],
    ['of the vendor are hidden with the report’s', { is: 'conflict' }, { seesValues: false }, 'ours', HIDDEN],
    [
      'of a list come from the report alone',
      { is: 'overruled', crm: 'OpportunityLineItem' },
      { values: { crm: 'a', vendor: 'b' } },
      'a',
      'b',
    ],
    ['of a list are hidden too', { is: 'overruled', crm: 'Contact' }, { seesValues: false }, HIDDEN, HIDDEN],
  ])('%s', (_, more, given, crm, vendor) => {
    const shown = row(more, given);
    expect([shown.crm.text, shown.vendor.text]).toEqual([crm, vendor]);
  });

  it.each([
    ['crm', 'vendor'],
    ['vendor', 'crm'],
  ])('that %s overruled is the one that was', (wins, loser) => {
    const shown = row({ is: 'overruled', wins }, { values: { crm: 'c', vendor: 'v' } });
    expect([shown[loser], shown[wins].was]).toEqual([
      { text: loser[0], was: 'was', valueClass: 'value value_gone' },
      '',
    ]);
  });

  it('across a lookup are found', () => {
    const Campaign = { value: { fields: { Code__c: { value: 'W26', displayValue: null } } } };
    const states = JSON.stringify([state({ crm: 'Campaign.Code__c' })]);
    expect(rowsOf({ states, record: { fields: { Campaign } }, seesValues: true })[0].crm.text).toBe('W26');
    expect(rowsOf({ states, record: { fields: { Campaign: { value: null } } } })[0].crm.text).toBe('Empty');
  });
});

it('the fields that differ come first, those that wait for a choice at the top', () => {
  const states = JSON.stringify(
    ['same', 'filled', 'overruled', 'waits', 'conflict'].map((is) => state({ is, field: is })),
  );
  expect(rowsOf({ states, record: null }).map(({ is }) => is)).toEqual([
    'conflict',
    'waits',
    'overruled',
    'filled',
    'same',
  ]);
});

it('a report that is missing or cut off shows no row', () => {
  for (const states of [undefined, null, '', '[{"field":"na']) expect(rowsOf({ states, record: null })).toEqual([]);
  expect(fieldsOfDeal('[{', 'Opportunity')).toEqual([]);
});

it('of the opportunity are read its own fields alone', () => {
  const states = JSON.stringify([state({}), state({ crm: 'Contact' }), state({ crm: 'Campaign.Code__c' })]);
  expect(fieldsOfDeal(states, 'Opportunity')).toEqual(['Opportunity.Step__c', 'Opportunity.Campaign.Code__c']);
});
