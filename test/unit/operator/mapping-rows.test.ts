/** What a mapping's check finds in the rows of the org: products, offers and leads. */
import { describe, expect, it } from 'vitest';
import type { LeadSettings } from '../../../src/domain/record/mapping-config.ts';
import type { OfferRule } from '../../../src/domain/record/offer-rules.ts';
import { judgeOffers } from '../../../src/observe/mapping/judge-offers.ts';
import { judgeSharedLeads } from '../../../src/observe/mapping/judge-shared-leads.ts';
import { CrmError } from '../../../src/salesforce/errors.ts';

describe('rules of offers', () => {
  const product = (portfolio: string) => ({
    Vendor_Product_Number__c: `P-${portfolio}`,
    Vendor_Portfolio__c: portfolio,
  });
  const found = async (offers: readonly OfferRule[], products = [product('Design')]) => {
    const crm = { productsWithoutOffer: async () => products, knownOffers: async () => new Set(['O-1']) };
    return (await judgeOffers(crm, { offers })).map(({ at, what }) => [at.join('.'), what]);
  };

  it('that fit products and name offers of the vendor are well', async () => {
    expect(await found([{ portfolio: 'Design', offer: 'O-1' }])).toEqual([]);
    expect(await found([{ portfolio: 'Design', offer: null }])).toEqual([]);
  });

  it.each<[string, readonly OfferRule[], readonly (readonly [string, RegExp])[]]>([
    ['with a typing error in the offer', [{ portfolio: 'Design', offer: 'O-9' }], [['offers.0', /no offer O-9/]]],
    [
      'with a typing error in a value',
      [{ portfolio: 'Desing', offer: 'O-1' }, { offer: null }],
      [['offers.0', /no product fits the rule .*Desing/]],
    ],
    [
      'after one that fits the same products',
      [{ offer: 'O-1' }, { portfolio: 'Design', offer: 'O-1' }],
      [['offers.1', /no product fits/]],
    ],
    ['that are missing', [], [['offers', /belong to no offer.*P-Design/]]],
  ])('%s are named', async (_, rules, expected) => {
    const all = await found(rules);
    expect(all.map(([at]) => at)).toEqual(expected.map(([at]) => at));
    for (const [place, [, what]] of expected.entries()) expect(all[place]?.[1]).toMatch(what);
  });

  it('are not judged before the catalog is there', async () => {
    expect(await found([{ portfolio: 'Design', offer: 'O-9' }], [])).toEqual([]);
  });
});

describe('shared leads', () => {
  const CLOSE = 'Vendor_Close_Date__c';
  const OFFER = 'Vendor_Offer__c';
  const settings = (offer: string | null): LeadSettings => ({ statuses: [], offer, imports: false, convert: false });
  const rows = [
    { [CLOSE]: null, [OFFER]: 'x' },
    { [CLOSE]: null, [OFFER]: null },
  ];
  const found = async (leads: LeadSettings | undefined) => {
    const asked: (readonly string[])[] = [];
    const sharedLeadsWithout = async (fields: readonly string[]) => {
      asked.push(fields);
      return rows;
    };
    const misfits = await judgeSharedLeads({ sharedLeadsWithout }, leads === undefined ? {} : { leads });
    return { asked, told: misfits.map(({ what, repair }) => [what, repair]) };
  };

  it('that lack a required value are counted, with a repair on the lead', async () => {
    const { told } = await found(settings(null));
    expect(told).toEqual([
      [
        'leads: 2 shared leads wait, because "Vendor: close date" is empty',
        'fill in "Vendor: close date" of the leads',
      ],
      ['leads: 1 shared lead waits, because "Vendor: offer" is empty', 'fill in "Vendor: offer" of the leads'],
    ]);
  });

  it('need no offer of their own where the tenant file names one, and cost nothing without leads', async () => {
    expect((await found(settings('O-1'))).asked).toEqual([[CLOSE]]);
    expect(await found(undefined)).toEqual({ asked: [], told: [] });
  });

  it('of an org without the fields are another finding', async () => {
    const sharedLeadsWithout = () => Promise.reject(new CrmError('schema-mismatch', 'INVALID_FIELD', 'no'));
    expect(await judgeSharedLeads({ sharedLeadsWithout }, { leads: settings(null) })).toEqual([]);
  });
});
