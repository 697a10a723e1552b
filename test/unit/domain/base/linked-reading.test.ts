import { expect, test } from 'vitest';
import { linkedReading } from '../../../../src/domain/base/linked-reading.ts';
import { observeCrm } from '../../../../src/domain/mapping/index.ts';
import { leadMapping } from '../../../../src/domain/mapping/leads/lead-mapping.ts';
import { type Base, EMPTY_BASE } from '../../../../src/domain/record/base.ts';
import { crmGraph } from '../../../support/mapping/fixtures.ts';
import { leadGraph, leadsConfig } from '../../../support/mapping/lead-fixtures.ts';

const config = leadsConfig();
const agreedOn = (status: string): Base => ({ ...EMPTY_BASE, crm: { status } });
const inDoubt = (status: string): Base => ({
  ...agreedOn('OPPY_OPEN'),
  inDoubtCrmWrites: { basedOnVersion: null, sent: [{ crm: { status }, vendor: { status } }] },
});

// Beside leads, "Prospecting" stands for OPPY_OPEN and LEAD_OPEN, "Qualification" for OPPY_OPEN and QUALIFIED.
test.each<[string, string, Base | null, string]>([
  ['nothing is agreed: the first row', 'Prospecting', null, 'OPPY_OPEN'],
  ['the agreed status is another row of the stage', 'Prospecting', agreedOn('LEAD_OPEN'), 'LEAD_OPEN'],
  ['the agreed status is no row of the new stage', 'Qualification', agreedOn('LEAD_OPEN'), 'OPPY_OPEN'],
  ['a write whose answer was lost shows', 'Prospecting', inDoubt('LEAD_OPEN'), 'LEAD_OPEN'],
  ['a write whose answer was lost does not show', 'Qualification', inDoubt('LEAD_OPEN'), 'OPPY_OPEN'],
])('%s', (_, stage, base, status) => {
  const shown = observeCrm(crmGraph({ StageName: stage }), config);

  expect(linkedReading(shown, base, config).record.status).toBe(status);
});

test('the tenant’s default offer is no line of a lead that the vendor has', () => {
  const ofLead = leadMapping(config);
  const [own, byDefault] = [{ Vendor_Offer__c: '01t000000000001AAA' }, {}].map((fields) => {
    const shown = observeCrm(leadGraph(fields, { product: { Vendor_Offer_Id__c: 'OFFER-B' } }), ofLead);
    return linkedReading(shown, null, ofLead).record.offerLines;
  });

  expect([own?.length, byDefault]).toEqual([1, undefined]);
});
