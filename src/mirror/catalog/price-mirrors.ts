import type { MirrorField } from '../mirror.ts';
import type { CatalogMirror } from './catalog-mirror.ts';

/** Fields of a price book from its price list (order spec 2.13). */
export const PRICE_LIST_FIELDS = [
  { from: 'id', to: 'Vendor_Price_List_Id__c', kind: 'number' },
  { from: 'name', to: 'Name', kind: 'text' },
  { from: 'currency', to: 'Vendor_Currency__c', kind: 'text' },
  { from: 'hasFuturePriceList', to: 'Vendor_Has_Future__c', kind: 'flag' },
  { from: 'effectiveDate', to: 'Vendor_Effective_Date__c', kind: 'date' },
] as const satisfies readonly MirrorField[];

/** Fields of a price book that list the countries of its price list: all country codes in one field, all country names in another. */
export const COUNTRY_FIELDS = [
  { from: 'countryCode', to: 'Vendor_Country_Codes__c', kind: 'text' },
  { from: 'countryName', to: 'Vendor_Countries__c', kind: 'text' },
] as const satisfies readonly MirrorField[];

/** Fields of a price that come from its product (order spec 2.15). */
export const PRICED_FIELDS = [
  { from: 'number', to: 'Product_Number__c', kind: 'text' },
] as const satisfies readonly MirrorField[];

/** Fields of a price for one revenue type (order spec 2.15). */
export const PRICE_FIELDS = [
  { from: 'revenueType', to: 'Revenue_Type__c', kind: 'code' },
  { from: 'dsListPrice', to: 'List_Price__c', kind: 'number' },
  { from: 'distributorDiscountPercentage', to: 'Partner_Discount__c', kind: 'number' },
  { from: 'distributorPrice', to: 'Partner_Price__c', kind: 'number' },
  { from: 'firstYearDiscountPercentage', to: 'First_Year_Discount__c', kind: 'number' },
  { from: 'firstYearDiscountPrice', to: 'First_Year_Price__c', kind: 'number' },
] as const satisfies readonly MirrorField[];

export const ENTRY_FIELDS = [
  { from: 'revenueType', to: 'Vendor_Revenue_Type__c', kind: 'code' },
  { from: 'dsListPrice', to: 'UnitPrice', kind: 'number' },
  { from: 'distributorDiscountPercentage', to: 'Vendor_Partner_Discount__c', kind: 'number' },
  { from: 'distributorPrice', to: 'Vendor_Partner_Price__c', kind: 'number' },
  { from: 'firstYearDiscountPercentage', to: 'Vendor_First_Year_Discount__c', kind: 'number' },
  { from: 'firstYearDiscountPrice', to: 'Vendor_First_Year_Price__c', kind: 'number' },
] as const satisfies readonly MirrorField[];

const BY_NUMBER = 'Vendor_Product_Number__c';
const BY_LIST = 'Vendor_Price_List_Key__c';
/** Fields that identify a price book entry. Salesforce refuses them in an update. */
const MAKES_AN_ENTRY = ['Pricebook2Id', 'Product2Id', 'CurrencyIsoCode'] as const;

export const PRICE_LIST_MIRROR = {
  kind: 'price-list',
  source: 'searchPriceLists',
  object: 'Pricebook2',
  externalId: BY_LIST,
  fields: PRICE_LIST_FIELDS,
  others: [BY_LIST, ...COUNTRY_FIELDS.map(({ to }) => to), 'IsActive'],
  active: 'IsActive',
} as const satisfies CatalogMirror;

/** How a price becomes a CRM row. A product has one price for each revenue type. */
export const PRICE_MIRROR = {
  kind: 'price',
  source: 'searchProductPrices',
  object: 'Vendor_Price__c',
  externalId: 'Price_Key__c',
  fields: [...PRICED_FIELDS, ...PRICE_FIELDS],
  others: ['Price_Key__c', 'Product__c', 'Price_Book__c', 'Currency__c', 'Active__c'],
  active: 'Active__c',
  references: [
    { field: 'Product__c', externalId: BY_NUMBER },
    { field: 'Price_Book__c', externalId: BY_LIST },
  ],
} as const satisfies CatalogMirror;

/**
 * How a product gets an entry in the standard price book, one for each currency. Salesforce requires this entry before the product may be
 * in another price book.
 */
export const STANDARD_ENTRY_MIRROR = {
  kind: 'standard-entry',
  source: 'searchProductPrices',
  object: 'PricebookEntry',
  externalId: 'Vendor_Entry_Key__c',
  fields: ENTRY_FIELDS,
  others: ['Vendor_Entry_Key__c', ...MAKES_AN_ENTRY, 'IsActive'],
  active: 'IsActive',
  references: [{ field: 'Product2Id', externalId: BY_NUMBER }],
  fixed: MAKES_AN_ENTRY,
  leftToOrg: ['DUPLICATE_VALUE'],
} as const satisfies CatalogMirror;

/** How a product gets an entry in the price book of a price list. */
export const ENTRY_MIRROR = {
  ...STANDARD_ENTRY_MIRROR,
  kind: 'entry',
  references: [
    { field: 'Product2Id', externalId: BY_NUMBER },
    { field: 'Pricebook2Id', externalId: BY_LIST },
  ],
  leftToOrg: [],
} as const satisfies CatalogMirror;
