import { describe, expect, it } from 'vitest';
import { fingerprintOfLine, heldLines } from '../../../../src/domain/decide/withheld.ts';
import type { FieldLimit } from '../../../../src/domain/record/crm-limits.ts';
import type { Issue } from '../../../../src/domain/record/issue.ts';
import { linkSample, V1, V2 } from '../../../support/value-engine/samples.ts';

const row = (offer: string, TotalPrice = 1) => ({
  'Product2.Vendor_Offer_Id__c': offer,
  TotalPrice,
  Vendor_Revenue_Type__c: 'UPFRONT',
});

const ANY: FieldLimit = { length: null, values: null, isMulti: false, createable: true, updateable: true };

function refused(offer: string, savedAt: string | null): Issue {
  const fingerprint = fingerprintOfLine(row(offer), savedAt);
  return { code: 'crm-refused', field: 'offerLines', message: 'refused', fingerprint };
}

type Word = { readonly sendsRefusedAgain?: boolean; readonly isManual?: boolean };

function input(issues: readonly Issue[], values: readonly string[] | null = null, word: Word = {}) {
  const crmLimits = { OpportunityLineItem: { TotalPrice: ANY, Vendor_Revenue_Type__c: { ...ANY, values } } };
  const link = { ...linkSample({ issues }), reference: null };
  return { link, crmLimits, sendsRefusedAgain: false, isManual: false, ...word };
}

it('is held where its field can be given no value on create, whatever may be changed later', () => {
  const crmLimits = {
    OpportunityLineItem: { TotalPrice: ANY, Vendor_Revenue_Type__c: { ...ANY, createable: false } },
  };
  expect([...heldLines([row('A')], V1, { ...input([]), crmLimits }).keys()]).toEqual(['A']);
});

const AGAIN: Word = { sendsRefusedAgain: true };

describe('a new line', () => {
  it.each([
    ['goes', [row('A')], input([]), []],
    ['was refused by itself', [row('A'), row('B')], input([refused('A', V1)]), ['A']],
    ['was refused with another amount', [row('A', 2)], input([refused('A', V1)]), []],
    ['was refused at the vendor', [row('A')], input([{ ...refused('A', V1), code: 'vendor-refused' }]), []],
    ['was refused of another version', [row('A')], input([refused('A', V2)]), []],
    ['does not fit', [row('A')], input([], ['RENTAL_BOOKING']), ['A']],
    ['goes again', [row('A')], input([refused('A', V1)], null, AGAIN), []],
    ['does not fit when it would go again', [row('A')], input([refused('A', V1)], ['RENTAL_BOOKING'], AGAIN), ['A']],
    ['goes on a person’s word', [row('A')], input([], ['RENTAL_BOOKING'], { ...AGAIN, isManual: true }), []],
  ])('%s', (_, rows, given, held) => {
    expect([...heldLines(rows, V1, given).keys()]).toEqual(held);
  });
});
