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
