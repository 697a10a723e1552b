import type { CatalogMirror } from './catalog-mirror.ts';

const BY_ITEM = 'Vendor_Portfolio_Item_Id__c';
const MAKES_AN_ENTRY = ['Pricebook2Id', 'Product2Id', 'CurrencyIsoCode'] as const;

/** A portfolio item: what a line of a lead-opportunity names as its offer (sales spec 2.10). */
export const OFFER_MIRROR = {
  kind: 'offer',
  source: 'searchPortfolioItems',
  object: 'Product2',
  // Not the offer's id: several products may have that, and only who sees all data may upsert by such a field.
  externalId: BY_ITEM,
  fields: [
    { from: 'salesPortfolioType', to: 'Vendor_Portfolio_Type__c', kind: 'text' },
    { from: 'salesPortfolioInfrastructure', to: 'Vendor_Infrastructure__c', kind: 'text' },
    { from: 'salesPortfolioisOrderable', to: 'Vendor_Orderable__c', kind: 'flag' },
    { from: 'salesPortfolioLevel1', to: 'Vendor_Portfolio_Level_1__c', kind: 'text' },
    { from: 'salesPortfolioLevel2', to: 'Vendor_Portfolio_Level_2__c', kind: 'text' },
    { from: 'salesPortfolioLevel3', to: 'Vendor_Portfolio_Level_3__c', kind: 'text' },
    { from: 'salesPortfolioId', to: 'Vendor_Offer_Id__c', kind: 'text' },
  ],
  others: [BY_ITEM, 'Name', 'IsActive'],
  active: 'IsActive',
  // A name that somebody gave the product of an offer stays.
  fixed: ['Name'],
  adopts: 'Vendor_Offer_Id__c',
} as const satisfies CatalogMirror;

/** What lets an offer be a line: its price in the standard price book, which the partner may set. */
export const OFFER_ENTRY_MIRROR = {
  kind: 'offer-entry',
  source: 'searchPortfolioItems',
  object: 'PricebookEntry',
  externalId: 'Vendor_Entry_Key__c',
  fields: [],
  others: ['Vendor_Entry_Key__c', ...MAKES_AN_ENTRY, 'UnitPrice', 'IsActive'],
  active: 'IsActive',
  references: [{ field: 'Product2Id', externalId: BY_ITEM }],
  fixed: [...MAKES_AN_ENTRY, 'UnitPrice'],
  leftToOrg: ['DUPLICATE_VALUE'],
} as const satisfies CatalogMirror;
