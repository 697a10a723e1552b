import { describe, expect, it } from 'vitest';
import { idsOfKey, linkKey } from '../../../../src/domain/record/link-key.ts';

const CRM = '006ld0AAAAn6phvA4A';

describe('the key of a deal', () => {
  it.each([
    [{ crmId: CRM, vendorId: null }, CRM],
    [{ crmId: CRM, vendorId: 'LO-1' }, CRM],
    [{ crmId: null, vendorId: 'LO-1' }, 'vendor:LO-1'],
    [{ crmId: null, vendorId: CRM }, `vendor:${CRM}`],
  ])('of %j is %s', (ids, key) => {
    expect(linkKey(ids)).toBe(key);
  });

  it.each([
    ['vendor:LO-1', { crmId: null, vendorId: 'LO-1' }],
    [`vendor:${CRM}`, { crmId: null, vendorId: CRM }],
    [CRM, { crmId: CRM, vendorId: null }],
    ['LO-1', { crmId: null, vendorId: 'LO-1' }],
    ['LO-1vendor:', { crmId: null, vendorId: 'LO-1vendor:' }],
  ])('%s tells the id %j', (key, ids) => {
    expect(idsOfKey(key)).toEqual(ids);
  });
});
