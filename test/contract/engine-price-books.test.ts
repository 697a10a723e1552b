/** Deals on a mirrored price book and with mirrored products: the real engine on ledger and simulators. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OfferRule } from '../../src/domain/record/offer-rules.ts';
import { checkMapping } from '../../src/operator/mapping/check-mapping.ts';
import * as workflows from '../../workflows/index.ts';
import { type Deals, dealsOf } from '../support/engine/deals.ts';
import type { Raw } from '../support/engine/http.ts';
import { withTestBed } from '../support/engine/with-test-bed.ts';
import { openWorld, type World } from '../support/engine/world.ts';

const testBed = withTestBed(workflows);
let world: World;
let deals: Deals;

const OFFERS: readonly OfferRule[] = [
  { product: 'P-3', offer: 'O-OTHER' },
  { portfolio: 'Engineering Suite', offer: 'O-SUITE' },
];

async function openWith(offers?: readonly OfferRule[]): Promise<void> {
  const mapping = offers === undefined ? {} : { offers };
  world = await openWorld(testBed(), { arrays: 'replace', seed: 1, prefer: 'later', mapping });
  deals = dealsOf(world);
  await world.vendor.create('accreditation', { id: 'PF1' });
  await world.vendor.create('priceList', { id: 3, name: 'Europe' });
  for (const number of ['P-1', 'P-2', 'P-3']) await world.vendor.create('product', { number });
  await world.vendor.create('product', { number: 'P-4', portfolio: 'Services' });
  for (const id of ['O-SUITE', 'O-OTHER'])
    await world.vendor.create('portfolioItem', { salesPortfolioId: id, salesPortfolioisOrderable: true });
  // The portfolio comes first, as it may: the price books are not known yet. The catalog requests it again.
  for (const stream of ['refreshPortfolio', 'refreshCatalog'] as const) {
    world.startStream(stream);
    await deals.time(300_000);
  }
}

afterEach(() => world.close());

const europe = async (): Promise<string> =>
  String((await world.crm.list('Pricebook2')).find((book) => book['Name'] === 'Europe')?.['Id']);

/** The entry of a product in the price book, by its product number or its offer. */
async function entryOf(name: string): Promise<string | undefined> {
  const products = await world.crm.list('Product2');
  const product = products.find((row) => [row['Vendor_Product_Number__c'], row['Vendor_Offer_Id__c']].includes(name));
  const [book, entries] = [await europe(), await world.crm.list('PricebookEntry')];
  const entry = entries.find((row) => row['Product2Id'] === product?.['Id'] && row['Pricebook2Id'] === book);
  return entry && String(entry['Id']);
}

async function line(deal: string, name: string, amount: number): Promise<string> {
  const entry = await entryOf(name);
  const of = { OpportunityId: deal, PricebookEntryId: entry, Quantity: 1, TotalPrice: amount };
  return world.crm.create('OpportunityLineItem', of);
}

async function dealOnEurope(): Promise<string> {
  return deals.opportunity(await deals.account(), { Pricebook2Id: await europe() });
}

const linesAtVendor = async (deal: string) =>
  ((await deals.leadNamed(deal))?.['offerLines'] as readonly Raw[] | undefined)?.map(({ offerNameId, amount }) => [
    offerNameId,
    amount,
  ]);

/** The lines of a deal in the CRM: product number or offer, price book entry's price book, amount. */
async function linesInCrm(deal: string) {
  const [rows, products] = [await world.crm.list('OpportunityLineItem'), await world.crm.list('Product2')];
  const nameOf = (id: unknown) => {
    const product = products.find((row) => row['Id'] === id);
    return product?.['Vendor_Product_Number__c'] ?? product?.['Vendor_Offer_Id__c'];
  };
  const own = rows.filter((row) => row['OpportunityId'] === deal && row['IsDeleted'] !== true);
  return own.map((row) => [nameOf(row['Product2Id']), row['TotalPrice']]);
}

describe('without a rule', () => {
  beforeEach(() => openWith());

  it('a deal on a mirrored price book takes an offer, which the vendor gets', async () => {
    const deal = await dealOnEurope();
    await line(deal, 'P-1', 100);
    await deals.sweep();
    expect((await deals.link(deal)).issues).toMatchObject([{ code: 'line-not-shared' }, { field: 'offerLines' }]);
    await line(deal, 'O-SUITE', 500);
    await deals.sweep();
    expect(await linesAtVendor(deal)).toEqual([['O-SUITE', 500]]);
    await deals.editAtVendor(deal, {
      offerLines: [
        { offerNameId: 'O-SUITE', amount: 500 },
        { offerNameId: 'O-OTHER', amount: 7 },
      ],
    });
    await deals.poll();
    expect(await linesInCrm(deal)).toEqual([
      ['P-1', 100],
      ['O-SUITE', 500],
      ['O-OTHER', 7],
    ]);
  });

  it('a check names the products with prices', async () => {
    const { problems } = await checkMapping(world.runtime, world.runtime.tenant, () => ({ file: 'a.yaml', line: 1 }));
    expect(problems.filter(({ at }) => at === 'offers')).toMatchObject([
      { verdict: 'warns', what: expect.stringMatching(/no line of them: P-1, P-2, P-3, P-4$/) },
    ]);
  });
});

describe('with rules', () => {
  beforeEach(() => openWith(OFFERS));

  it('lines of one offer reach the vendor as a sum, stay apart in the CRM, and take the vendor’s edits', async () => {
    const deal = await dealOnEurope();
    const first = await line(deal, 'P-1', 100);
    await line(deal, 'P-2', 50.5);
    await line(deal, 'P-3', 7);
    await line(deal, 'P-4', 1);
    await deals.sweep();
    expect(await linesAtVendor(deal)).toEqual([
      ['O-SUITE', 150.5],
      ['O-OTHER', 7],
    ]);

    const apart = [
      ['P-1', 200],
      ['P-2', 101],
      ['P-3', 7],
      ['P-4', 1],
    ];
    await deals.editAtVendor(deal, {
      offerLines: [
        { offerNameId: 'O-SUITE', amount: 301 },
        { offerNameId: 'O-OTHER', amount: 7 },
      ],
    });
    await deals.poll();
    expect(await linesInCrm(deal)).toEqual(apart);

    const writes = await deals.vendorWrites();
    await deals.time(600_000);
    await deals.sweep();
    expect([await deals.vendorWrites(), await linesInCrm(deal)]).toEqual([writes, apart]);

    await world.crm.remove(first);
    await line(deal, 'P-2', 9);
    await deals.sweep();
    expect(await linesAtVendor(deal)).toEqual([
      ['O-SUITE', 110],
      ['O-OTHER', 7],
    ]);

    await deals.editAtVendor(deal, { offerLines: [{ offerNameId: 'O-OTHER', amount: 8 }] });
    await deals.poll();
    expect(await linesInCrm(deal)).toEqual([
      ['P-3', 8],
      ['P-4', 1],
    ]);
    expect((await deals.link(deal)).issues).toMatchObject([{ code: 'line-not-shared' }]);
  });

  it('a check names the products that no rule fits', async () => {
    const { problems } = await checkMapping(world.runtime, world.runtime.tenant, () => ({ file: 'a.yaml', line: 1 }));
    expect(problems.filter(({ at }) => at === 'offers')).toMatchObject([
      { what: expect.stringMatching(/no line of them: P-4$/) },
    ]);
  });
});
