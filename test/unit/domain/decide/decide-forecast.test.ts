import { describe, expect, test } from 'vitest';

import { agreedBase, decideOn, rowOf, usualRecord, vendorReading } from '../../../support/value-engine/samples.ts';

const usual = usualRecord();

describe('a forecast that the vendor does not take', () => {
  test('is reported where the vendor ignores it anyway, and asks nobody to act', () => {
    const lead = { ...usual, status: 'QUALIFIED' };
    const plan = decideOn({
      link: { base: agreedBase(lead) },
      opportunity: { StageName: 'Qualification', Vendor_Forecast_Category__c: 'SAFE' },
      vendor: vendorReading(lead),
    });
    expect(plan).toMatchObject({
      next: 'nothing',
      issues: [{ code: 'forecast-of-vendor' }],
      stateAfter: 'in-sync',
    });
    expect(rowOf(plan, 'forecastCategory')?.verdict).toBe('withheld');
  });
});
