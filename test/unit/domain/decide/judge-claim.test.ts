import { describe, expect, it } from 'vitest';
import { type Claim, isRefusedStill, judgeClaim, refusedClaim } from '../../../../src/domain/decide/judge-claim.ts';
import type { ClaimRefusal } from '../../../../src/domain/record/claim.ts';
import type { CrmFields } from '../../../../src/domain/record/crm-graph.ts';
import type { VendorObservation } from '../../../../src/domain/record/observation.ts';

const ID = '006000000000001AAA';
const OTHER = '006000000000002AAA';
const OPPORTUNITY: CrmFields = { Id: ID, LastModifiedDate: '2027-01-02T00:00:00.000+0000' };
const ACCOUNT: CrmFields = { Name: 'Initech', Vendor_DUNS__c: '1', Vendor_VAT_Number__c: 'V1' };

function claim(opportunity: CrmFields = {}, account: CrmFields | null = ACCOUNT, wasAbsent = false): Claim {
  const graph = { opportunity: { ...OPPORTUNITY, ...opportunity }, account };
  const refused = { vendorId: 'LO-1', refusal: 'absent', fingerprint: '' } as const;
  return { vendorId: 'LO-1', graph, refused: wasAbsent ? refused : null };
}

type Entity = Partial<NonNullable<VendorObservation['record']['customerLegalEntity']>>;

function vendor(
  entity: Entity | null,
  {
    reference = null,
    created = '2027-01-01T00:00:00.000Z',
  }: { readonly reference?: string | null; readonly created?: string } = {},
): VendorObservation {
  return {
    record: { customerSiteId: null, customerLegalEntity: entity } as VendorObservation['record'],
    vendorId: 'LO-1',
    reference,
    readOnly: { createdDate: created },
    unknownFields: [],
    version: null,
    readAt: '2027-01-03T00:00:00.000Z',
  };
}

const SAME = { name: 'Initech', dunsNumber: '1' };
const LATER = { created: '2027-01-02T00:00:01.000Z' };
const MAY_CLAIM = { Vendor_Id_Claim__c: 'LO-1' };

describe('an entered vendor id', () => {
  it.each<[string, Claim, VendorObservation | null, ClaimRefusal | null]>([
    ['a record that is not there', claim(), null, 'absent'],
    ['one that is not there, by who may claim', claim(MAY_CLAIM), null, 'absent'],
    ['one that was not there when it was entered', claim({}, ACCOUNT, true), vendor(SAME), 'absent'],
    ['the same, by who may claim', claim(MAY_CLAIM, ACCOUNT, true), vendor(SAME), 'absent'],
    ['one made after the last save', claim(), vendor(SAME, LATER), 'absent'],
    ['one that names this opportunity', claim({}, null, true), vendor(null, { reference: ID }), null],
    ['one that names another', claim(MAY_CLAIM), vendor(SAME, { reference: OTHER }), 'other-deal'],
    ['one that another tool named', claim(), vendor(SAME, { reference: 'THEIRS-1' }), null],
    ['the same number', claim(), vendor(SAME), null],
    ['the same number and another', claim(), vendor({ ...SAME, vatNumber: 'V2' }), 'other-customer'],
    ['another number, and the same name', claim(), vendor({ name: 'Initech', dunsNumber: '2' }), 'other-customer'],
    ['no number in common, and the same name', claim(), vendor({ name: ' INITECH', registrationId: 'R' }), null],
    ['no number in common, and another name', claim(), vendor({ name: 'Hooli' }), 'other-customer'],
    ['another customer, by who may claim', claim(MAY_CLAIM), vendor({ name: 'Hooli' }), null],
    [
      'another customer, by who might claim another id',
      claim({ Vendor_Id_Claim__c: 'LO-2' }),
      vendor({ name: 'Hooli' }),
      'other-customer',
    ],
    ['no customer at the vendor', claim(), vendor(null), 'other-customer'],
    ['no account', claim({}, null), vendor(SAME), 'other-customer'],
    ['nameless customers', claim({}, { Name: '' }), vendor({ name: '' }), 'other-customer'],
  ])('of %s', (_, entered, shown, refusal) => {
    expect(judgeClaim(entered, shown)).toBe(refusal);
  });

  it.each<[string, CrmFields, CrmFields, boolean]>([
    ['nothing that a judgment rests on', { Name: 'New', LastModifiedDate: 'later' }, { ...ACCOUNT, Phone: '1' }, true],
    ['the customer', {}, { ...ACCOUNT, Vendor_DUNS__c: '2' }, false],
    ['who entered it', MAY_CLAIM, ACCOUNT, false],
  ])('that was refused is judged again only after a change: of %s', (_, opportunity, account, isStill) => {
    const refused = refusedClaim(claim(), 'other-customer');
    expect(isRefusedStill({ ...claim(opportunity, account), refused })).toBe(isStill);
  });
});
