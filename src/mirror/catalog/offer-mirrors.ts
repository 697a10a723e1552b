import type { CatalogMirror } from './catalog-mirror.ts';

const BY_ITEM = 'Vendor_Portfolio_Item_Id__c';
const MAKES_AN_ENTRY = ['Pricebook2Id', 'Product2Id', 'CurrencyIsoCode'] as const;

/**
 * How an item of the vendor's portfolio becomes a product in the CRM. Lines of a lead-opportunity (the vendor's deal record) refer to the
 * item as their offer (sales spec 2.10).
 */
export const OFFER_MIRROR = {
  kind: 'offer',
  source: 'searchPortfolioItems',
  object: 'Product2',
  // The external id is not the field `Vendor_Offer_Id__c`. Several products may have the same value there, and upserts by a field that is
  // not unique need the right to see all data.
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
  // The name is set on create only, so a user may rename the product.
  fixed: ['Name'],
  adopts: 'Vendor_Offer_Id__c',
} as const satisfies CatalogMirror;

/**
 * An offer's entry in the standard price book. Salesforce adds an offer to an opportunity only if the offer has such an entry. The partner
 * may change the entry's price.
 */
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

/** An offer's entry in the price book of a price list, so that a deal on that price book can have the offer as a line. */
export const OFFER_BOOK_ENTRY_MIRROR = {
  ...OFFER_ENTRY_MIRROR,
  kind: 'offer-book-entry',
  references: [
    { field: 'Product2Id', externalId: BY_ITEM },
    { field: 'Pricebook2Id', externalId: 'Vendor_Price_List_Key__c' },
  ],
} as const satisfies CatalogMirror;
