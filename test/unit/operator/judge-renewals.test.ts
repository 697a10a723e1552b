import { expect, it } from 'vitest';
import type { FieldLimit } from '../../../src/domain/record/crm-limits.ts';
import { judgeRenewals } from '../../../src/operator/doctor/judge-renewals.ts';

/** What the doctor says of the setting by which renewals get opportunities. */

const RULES = { daysBefore: 120, stage: 'Qualification', share: false };
const free: FieldLimit = { length: null, values: null, isMulti: false, createable: true, updateable: true };
const stages: FieldLimit = { ...free, choices: [{ value: 'Qualification', label: 'Qualification', goesWith: null }] };
const ALL = Object.fromEntries(
  [
    ...['Name', 'CloseDate', 'Amount', 'AccountId', 'OwnerId'],
    ...['Vendor_Renewal_Id__c', 'Vendor_Renewal_State__c', 'Vendor_Renewal_Followed__c'],
  ].map((field) => [field, free]),
);
const described = (more: Record<string, FieldLimit> = {}) => ({ Opportunity: { ...ALL, StageName: stages, ...more } });

it.each([
  ['nothing wrong', RULES, described(), [{ verdict: 'ok' }]],
  ['the stage', { ...RULES, stage: 'None' }, described(), [{ what: 'no opportunity has the stage None' }]],
  [
    'the field',
    RULES,
    described({ Vendor_Renewal_Id__c: { ...free, createable: false } }),
    [{ what: 'Opportunity.Vendor_Renewal_Id__c cannot be given by us, so renewals get no opportunity' }],
  ],
  ['an org without the object', RULES, {}, [{ verdict: 'warns' }]],
])('finds %s', (_, rules, limits, found) => {
  expect(judgeRenewals(rules, limits)).toMatchObject(found);
});
