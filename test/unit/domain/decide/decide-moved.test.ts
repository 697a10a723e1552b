import { describe, expect, test } from 'vitest';
import type { MappingConfig } from '../../../../src/domain/record/mapping-config.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import { agreedBase, decideOn, theirs, usualRecord } from '../../../support/value-engine/samples.ts';

/** What a change of the CRM field that holds a field of ours does to deals that were agreed on before. */

const fields: NonNullable<MappingConfig['fields']> = { nextMilestone: { crm: 'Our_Milestone__c' } };
const config = mappingConfig({ fields });
const usual = usualRecord();
const core = (plan: ReturnType<typeof decideOn>) => plan.intent?.body['leadOpportunity'];

describe('a deal whose field was moved to another place in the CRM', () => {
  test('is decided on with the vendor read, whatever the new place holds', () => {
    for (const value of [null, 'Pilot'])
      expect(decideOn({ config, opportunity: { Our_Milestone__c: value } })).toMatchObject({
        next: 'read-vendor',
        reason: 'the mapping has changed',
      });
  });

  test('fills an empty new place from the vendor, and clears nothing there', () => {
    const plan = decideOn({ config, vendor: theirs({}), opportunity: { Our_Milestone__c: null } });
    expect(plan).toMatchObject({ next: 'write-crm', write: { opportunity: { Our_Milestone__c: 'Demo' } } });
    expect(plan.baseAfter).toMatchObject({ fields, crm: { nextMilestone: 'Demo' } });
  });

  test('brings two values together as at a first meeting, by the rule', () => {
    const opportunity = { Our_Milestone__c: 'Pilot' };
    const byCrm = mappingConfig({ fields, rules: { nextMilestone: 'crm' } });
    expect(core(decideOn({ config: byCrm, vendor: theirs({}), opportunity }))).toMatchObject({
      nextMilestone: 'Pilot',
    });
    const byVendor = mappingConfig({ fields, rules: { nextMilestone: 'vendor' } });
    expect(decideOn({ config: byVendor, vendor: theirs({}), opportunity })).toMatchObject({
      next: 'write-crm',
      write: { opportunity: { Our_Milestone__c: 'Demo' } },
    });
  });

  test('rests on what was agreed there once that is noted: emptying it is an edit', () => {
    const link = { base: agreedBase(usual, { fields }) };
    const plan = decideOn({ config, link, vendor: theirs({}), opportunity: { Our_Milestone__c: null } });
    expect(core(plan)).toMatchObject({ nextMilestone: '' });
  });

  test('is moved back in the same way', () => {
    const link = { base: agreedBase({ ...usual, nextMilestone: 'Pilot' }, { fields }) };
    const vendor = theirs({ nextMilestone: 'Pilot' });
    const plan = decideOn({ link, vendor, opportunity: { Vendor_Next_Milestone__c: null } });
    expect(plan).toMatchObject({
      next: 'write-crm',
      write: { opportunity: { Vendor_Next_Milestone__c: 'Pilot' } },
    });
    expect(plan.baseAfter).not.toHaveProperty('fields');
  });
});

test('a new deal notes the mapping that it was made under', () => {
  const link = { vendorId: null, base: null };
  const plan = decideOn({ config, link, opportunity: { Our_Milestone__c: 'Pilot' } });
  expect(plan).toMatchObject({ next: 'create-at-vendor', baseAfter: { fields } });
  expect(core(plan)).toMatchObject({ nextMilestone: 'Pilot' });
});
